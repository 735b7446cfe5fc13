// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Cuts for views: which nodes are expanded, by the size of their errors on a screen.
//
// A node has a sphere around its leaves, which has the spheres of its children, and a cone of their
// normals. So what a view needs of a node it needs of all above it, but for rounding: marking all
// above a marked node makes that exact. [Luebke & Erikson 1997, HDS; Hoppe 1997, section 3]
#ifndef WARPYARD_CORE_WORKLOAD_SIMPLIFY_VIEWS_MARK_H_
#define WARPYARD_CORE_WORKLOAD_SIMPLIFY_VIEWS_MARK_H_

#include <cstdint>

#include "core/base/macros.h"
#include "core/workload/simplify/job/simplify_job.h"
#include "core/workload/simplify/job/stages.h"
#include "core/workload/simplify/views/cone.h"
#include "core/workload/simplify/wedges/wedge_nodes.h"

namespace warpyard::simplify {

/// How a view sees a node.
class Sight {
 public:
  WY_HD Sight(const ModelView& model, std::uint32_t node, const ViewFrustum& view)
      : view_(view), cone_(model.bounds.cones[node]), radius_(model.bounds.radii[node]) {
    to_ = model.frame.Normal(model.places[node]) - view.eye;
    distance_ = LengthOf(to_);
  }

  /// The pixels of an error within the sphere, at most. @shape error: relative
  WY_HD double Pixels(double error) const {
    double weight = 1;
    if (IsOutside()) weight *= view_.outside_weight;
    if (view_.back_weight < 1 && FacesAway()) weight *= view_.back_weight;
    const double apart = distance_ - radius_;
    return weight * error * view_.pixels / (apart > view_.near ? apart : view_.near);
  }

 private:
  WY_HD bool IsOutside() const {
    for (const Vector3d& side : view_.sides) {
      if (Dot(side, to_) < -radius_) return true;
    }
    return false;
  }
  /// Whether every direction of the cone points away from the eye, anywhere in the sphere.
  WY_HD bool FacesAway() const {
    if (cone_ == Cone::kAll || !(distance_ > radius_)) return false;
    const Cone cone = Cone::Of(cone_);
    const double sine = radius_ / distance_;
    const Angle sphere{sqrt(1 - sine * sine), sine};
    const Angle sum = cone.angle + sphere;
    return sum.cosine > 0 && Dot(to_, cone.axis) >= sum.sine * distance_;
  }

  const ViewFrustum& view_;
  const std::uint32_t cone_;
  const double radius_;
  Vector3d to_;
  double distance_;
};

/// Expands a node and all above it. Returns how many were not expanded.
template <class Scope>
WY_HD std::uint32_t ExpandUpwards(const SimplifyJob& job, std::uint32_t node) {
  std::uint32_t count = 0;
  while (node != kNone && Scope::Word(job.cut.expanded[node]).ExchangeRelaxed(1) == 0) {
    ++count;
    node = job.model.parents[node];
  }
  return count;
}

struct ClearExpanded {
  static constexpr const char* kName = "SimplifyClearExpanded";
  template <class Scope>
  WY_HD static void Do(const SimplifyJob& job, std::uint32_t node) {
    job.cut.expanded[node] = 0;
  }
};

WY_HD inline bool WasExpanded(const SimplifyJob& job, std::uint32_t inner) {
  return job.views.previous != nullptr && (job.views.previous[inner / 32] >> inner % 32 & 1u) != 0;
}

/// Expands what is too large in a view, and what has locked leaves. Nodes that were expanded before
/// stay so for a little longer, and others begin a little later.
struct MarkViews {
  static constexpr const char* kName = "SimplifyMarkViews";
  template <class Scope>
  WY_HD static void Do(const SimplifyJob& job, std::uint32_t inner) {
    const std::uint32_t node = job.model.leaves + inner;
    if (Scope::Word(job.cut.expanded[node]).LoadRelaxed() != 0) return;
    if (IsNeeded(job, node, WasExpanded(job, inner))) ExpandUpwards<Scope>(job, node);
  }

 private:
  WY_DEVICE_CALL WY_HD static bool IsNeeded(const SimplifyJob& job, std::uint32_t node, bool was) {
    if (job.model.errors[node] == kLocked) return true;
    const double error = job.model.distances[node];
    const double factor = was ? 1 / job.views.hysteresis : job.views.hysteresis;
    for (std::uint32_t i = 0; i < job.views.count; ++i) {
      const ViewFrustum& view = job.views.frusta[i];
      if (Sight(job.model, node, view).Pixels(error) > factor * view.max_pixels) return true;
    }
    return false;
  }
};

/// Expands what was expanded before.
struct MarkPrevious {
  static constexpr const char* kName = "SimplifyMarkPrevious";
  template <class Scope>
  WY_HD static void Do(const SimplifyJob& job, std::uint32_t inner) {
    const std::uint32_t node = job.model.leaves + inner;
    const bool is_locked = job.model.errors[node] == kLocked;
    if (is_locked || WasExpanded(job, inner)) ExpandUpwards<Scope>(job, node);
  }
};

struct EachStateWord {
  template <class Scope>
  WY_HD static std::uint32_t Count(const SimplifyJob& job) {
    return job.views.state == nullptr ? 0 : (EachInnerNode::Count<Scope>(job) + 31) / 32;
  }
};

/// Packs which inner nodes are expanded.
struct PackState {
  static constexpr const char* kName = "SimplifyPackState";
  template <class Scope>
  WY_HD static void Do(const SimplifyJob& job, std::uint32_t word) {
    const std::uint32_t first = job.model.leaves + 32 * word, end = job.model.nodes;
    std::uint32_t bits = 0;
    for (std::uint32_t i = 0; i < 32 && first + i < end; ++i) {
      bits |= (job.cut.expanded[first + i] != 0 ? 1u : 0u) << i;
    }
    job.views.state[word] = bits;
  }
};

struct EachNodeToMark {
  template <class Scope>
  WY_HD static std::uint32_t Count(const SimplifyJob& job) {
    return job.model.nodes;
  }
};
template <bool kRepeats>
struct EachInnerNodeIf {
  template <class Scope>
  WY_HD static std::uint32_t Count(const SimplifyJob& job) {
    return job.views.repeats == kRepeats ? EachInnerNode::Count<Scope>(job) : 0;
  }
};

using ViewStages =
    Stages<EachRow<ClearExpanded, EachNodeToMark>, EachRow<MarkPrevious, EachInnerNodeIf<true>>,
           EachRow<MarkViews, EachInnerNodeIf<false>>, EachRow<PackState, EachStateWord>>;

}  // namespace warpyard::simplify

#endif  // WARPYARD_CORE_WORKLOAD_SIMPLIFY_VIEWS_MARK_H_
