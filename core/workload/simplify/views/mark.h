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
#include "core/workload/simplify/cut/stand_in.h"
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

/// Expands a node and all above it. Returns how many were not expanded. @shape node: an inner one
template <class Scope>
WY_HD std::uint32_t ExpandUpwards(const SimplifyJob& job, std::uint32_t node) {
  for (std::uint32_t count = 0;; ++count) {
    if (node == kNone) return count;
    const std::uint32_t inner = node - job.model.leaves, bit = 1u << inner % 32;
    const auto word = Scope::Word(job.cut.expanded[inner / 32]);
    // A look first: most nodes above have been expanded by others.
    if ((word.LoadRelaxed() & bit) != 0 || (word.FetchOrRelaxed(bit) & bit) != 0) return count;
    node = job.model.parents[node];
  }
}

WY_HD inline bool WasExpanded(const SimplifyJob& job, std::uint32_t inner) {
  const std::uint32_t* const previous = job.result.views.previous;
  return previous != nullptr && HasBit(previous, inner);
}

/// Expands what is too large in a view, and what has locked leaves. Nodes that were expanded before
/// stay so for a little longer, and others begin a little later.
struct MarkViews {
  static constexpr const char* kName = "SimplifyMarkViews";
  template <class Scope>
  WY_HD static void Do(const SimplifyJob& job, std::uint32_t inner) {
    const std::uint32_t node = job.model.leaves + inner;
    const std::uint32_t word = Scope::Word(job.cut.expanded[inner / 32]).LoadRelaxed();
    if ((word >> inner % 32 & 1u) != 0) return;
    if (IsNeeded(job, node, WasExpanded(job, inner))) ExpandUpwards<Scope>(job, node);
  }

 private:
  WY_DEVICE_CALL WY_HD static bool IsNeeded(const SimplifyJob& job, std::uint32_t node, bool was) {
    if (job.model.errors[node] == kLocked) return true;
    const ViewsView& views = job.result.views;
    const double error = job.model.distances[node];
    const double factor = was ? 1 / views.hysteresis : views.hysteresis;
    for (std::uint32_t i = 0; i < views.count; ++i) {
      const ViewFrustum& view = views.At(i);
      if (IsSmall(job.model, node, view, factor * view.max_pixels)) continue;
      if (Sight(job.model, node, view).Pixels(error) > factor * view.max_pixels) return true;
    }
    return false;
  }

  /// Whether it is certain, without roots and quotients, that a node has fewer pixels than allowed.
  /// Most nodes have by far. Rounding is less than the margin.
  WY_HD static bool IsSmall(const ModelView& model, std::uint32_t node, const ViewFrustum& view,
                            double allowed) {
    const Vector3d to = model.frame.Normal(model.places[node]) - view.eye;
    const double least = allowed * model.bounds.radii[node] + model.distances[node] * view.pixels;
    return allowed * allowed * Dot(to, to) > (1 + 1e-9) * least * least;
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

/// Inner nodes of a cut that asks for marks.
template <bool kRepeats>
struct EachInnerNodeIf {
  template <class Scope>
  WY_HD static std::uint32_t Count(const SimplifyJob& job) {
    const bool marks = job.cut.rule == CutRule::kExpanded;
    return marks && job.result.views.repeats == kRepeats ? EachInnerNode::Count<Scope>(job) : 0;
  }
};

using MarkStages = Stages<EachRow<MarkPrevious, EachInnerNodeIf<true>>,
                          EachRow<MarkViews, EachInnerNodeIf<false>>>;

}  // namespace warpyard::simplify

#endif  // WARPYARD_CORE_WORKLOAD_SIMPLIFY_VIEWS_MARK_H_
