// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Minimum separation, the end time of a step, and contact geometry, checked by distances that are
// measured at many times.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/engine/engine.h"
#include "tests/property/geometry_fault.h"
#include "tests/support/mesh_fixtures.h"
#include "tests/support/oracles/brute_force.h"
#include "tests/support/oracles/feature_distance.h"
#include "tests/support/seed_count.h"
#include "tests/unit/engine/engine_driver.h"

namespace warpyard::test_support {
namespace {

using ccd::CollisionOptions;
using ccd::CollisionResult;
using ccd::Report;
using ccd::RootFinder;
using ccd::Traversal;

std::vector<NamedMotion> Motions() {
  std::vector<NamedMotion> motions = DegenerateMotions();
  for (std::uint64_t seed = 1; seed <= SeedCount(2); ++seed) {
    const std::string name = "_seed_" + std::to_string(seed);
    motions.push_back({"soup" + name, TriangleSoup(seed, {40, 0.35, 0.25})});
    motions.push_back({"grid_soup" + name, TriangleSoup(seed, {30, 0.5, 0.5, 2})});
    motions.push_back({"cloth" + name, FoldingCloth(seed, 5, 7)});
    motions.push_back({"bodies" + name, Tetrahedra(seed, 12)});
  }
  Motion far_away = TriangleSoup(3, {30, 0.4, 0.3});
  for (auto* frame : {&far_away.start, &far_away.end}) {
    for (double& value : *frame) value += 1e5;
  }
  motions.push_back({"far_away", std::move(far_away)});
  return motions;
}

/// Largest magnitude of a coordinate, and largest extent.
struct Size {
  double reach = 0;
  double extent = 0;

  explicit Size(const Motion& motion) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      double low = HUGE_VAL, high = -HUGE_VAL;
      for (const auto* frame : {&motion.start, &motion.end}) {
        for (std::size_t i = axis; i < frame->size(); i += 3) {
          low = std::min(low, (*frame)[i]);
          high = std::max(high, (*frame)[i]);
        }
      }
      reach = std::max({reach, -low, high});
      extent = std::max(extent, high - low);
    }
  }
};

/// The distance between the swept boxes of the two features of a pair.
double BoxGap(const Query& query) {
  const std::size_t first_group = query.kind == PairKind::kVertexFace ? 1 : 2;
  double widest = -HUGE_VAL;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    double low[2] = {HUGE_VAL, HUGE_VAL}, high[2] = {-HUGE_VAL, -HUGE_VAL};
    for (std::size_t k = 0; k < 4; ++k) {
      const std::size_t side = k < first_group ? 0 : 1;
      for (const auto* frame : {&query.start, &query.end}) {
        low[side] = std::min(low[side], (*frame)[k][axis]);
        high[side] = std::max(high[side], (*frame)[k][axis]);
      }
    }
    widest = std::max({widest, low[0] - high[1], low[1] - high[0]});
  }
  return widest;
}

/// All pairs of features that share no vertex, by ids, except pairs whose boxes are further apart
/// than `gap`.
struct AllPairs {
  std::map<IdPair, Query> vertex_face, edge_edge;

  AllPairs(const Motion& motion, double gap) {
    const std::vector<IdPair> edges = UniqueEdges(motion.triangles);
    std::vector<bool> used(motion.Vertices(), false);
    for (const std::uint32_t v : motion.triangles) used[v] = true;
    for (std::uint32_t v = 0; v < motion.Vertices(); ++v) {
      for (std::uint32_t f = 0; f < motion.Triangles(); ++f) {
        const auto* corners = &motion.triangles[3 * std::size_t{f}];
        if (!used[v] || std::find(corners, corners + 3, v) != corners + 3) continue;
        const Query query = VertexFaceQuery(motion, v, f);
        if (BoxGap(query) <= gap) vertex_face[{v, f}] = query;
      }
    }
    for (std::uint32_t e = 0; e < edges.size(); ++e) {
      for (std::uint32_t f = e + 1; f < edges.size(); ++f) {
        const auto [a0, a1] = edges[e];
        const auto [b0, b1] = edges[f];
        if (a0 == b0 || a0 == b1 || a1 == b0 || a1 == b1) continue;
        const Query query = EdgeEdgeQuery(motion, {a0, a1, b0, b1});
        if (BoxGap(query) <= gap) edge_edge[{e, f}] = query;
      }
    }
  }
};

using Times = std::map<IdPair, double>;

Times VertexFaceTimes(const CollisionResult& result) {
  Times times;
  for (const auto& pair : result.vertex_face) times[{pair.vertex, pair.face}] = pair.time;
  return times;
}

Times EdgeEdgeTimes(const CollisionResult& result, const Motion& motion) {
  const std::vector<IdPair> pairs = EdgeIds(UniqueEdges(motion.triangles)).Pairs(result);
  Times times;
  for (std::size_t i = 0; i < pairs.size(); ++i) times[pairs[i]] = result.edge_edge[i].time;
  return times;
}

/// Finds faults in the pairs that are reported to come within a separation.
class SeparationCheck {
 public:
  /// @shape slack: the error that rounding may cause in a distance
  SeparationCheck(double separation, double tolerance, double slack)
      : separation_(separation), tolerance_(tolerance), slack_(slack) {}

  std::size_t near() const { return near_; }

  /// The fault; empty if there is none.
  std::string FaultOf(const std::map<IdPair, Query>& all, const Times& reported) {
    std::size_t found = 0;
    for (const auto& [ids, query] : all) {
      const std::string name = std::to_string(ids[0]) + "/" + std::to_string(ids[1]);
      const auto at = reported.find(ids);
      if (at == reported.end()) {
        if (FirstTimeNear(query, 1)) return name + " is missing";
        continue;
      }
      ++found;
      const double time = at->second;
      if (!(time >= 0 && time <= 1)) return name + ": time is not in [0, 1]";
      if (FirstTimeNear(query, time)) return name + " is late";
      // The search for closest points may stop too early by a billionth of their size.
      if (DistanceAt(query, time) > separation_ + tolerance_ + 1e4 * slack_) {
        return name + " is not near at its time";
      }
    }
    near_ += found;
    return found == reported.size() ? "" : "a pair that shares a vertex, or is far apart";
  }

 private:
  static constexpr int kTimes = 48;

  /// Whether the pair is certainly within the separation at one of many times before `until`, or at
  /// the end of the step.
  bool FirstTimeNear(const Query& query, double until) const {
    for (int i = 0; i <= kTimes; ++i) {
      const double time = static_cast<double>(i) / kTimes;
      if (time > until || (time == until && until < 1)) return false;
      if (DistanceAt(query, time) <= separation_ - slack_) return true;
    }
    return false;
  }

  double separation_, tolerance_, slack_;
  std::size_t near_ = 0;
};

class NarrowPhaseOptions : public testing::TestWithParam<Traversal> {
 protected:
  CollisionResult Detect(const Motion& motion, CollisionOptions options) {
    options.traversal = GetParam();
    auto result = driver_.Detect(motion, options);
    EXPECT_TRUE(result.ok()) << result.status();
    return result.ok() ? *std::move(result) : CollisionResult{};
  }

  EngineDriver driver_{2};
};

std::string NameOf(const testing::TestParamInfo<Traversal>& info) {
  return info.param == Traversal::kClusters ? "Clusters" : "Independent";
}
INSTANTIATE_TEST_SUITE_P(Each, NarrowPhaseOptions,
                         testing::Values(Traversal::kClusters, Traversal::kIndependent), NameOf);

TEST_P(NarrowPhaseOptions, FindWhatComesWithinASeparationOnTimeAndNothingElse) {
  std::size_t near = 0;
  for (const NamedMotion& named : Motions()) {
    const Size size(named.motion);
    for (const double share : {0.002, 0.05}) {
      CollisionOptions options;
      options.min_separation = std::min(share * size.extent, 1e6);
      options.tolerance = std::min(1e-6, 1e-4 * size.extent);
      const double slack = 1e-13 * (size.reach + size.extent);
      const CollisionResult result = Detect(named.motion, options);
      const AllPairs all(named.motion, options.min_separation + slack);
      SeparationCheck check(options.min_separation, options.tolerance, slack);
      const std::string where = named.name + ", share " + std::to_string(share);
      EXPECT_EQ(check.FaultOf(all.vertex_face, VertexFaceTimes(result)), "") << where;
      EXPECT_EQ(check.FaultOf(all.edge_edge, EdgeEdgeTimes(result, named.motion)), "") << where;
      EXPECT_EQ(result.statistics.capped_pairs, 0u) << where;
      near += check.near();
      // The other reports must agree with the list: the number of candidates, and the earliest
      // time.
      options.report = Report::kCandidates;
      const CollisionResult candidates = Detect(named.motion, options);
      EXPECT_EQ(candidates.statistics.edge_edge_candidates, result.statistics.edge_edge_candidates);
      options.report = Report::kEarliest;
      EXPECT_EQ(Detect(named.motion, options).earliest_time, result.earliest_time) << where;
    }
  }
  EXPECT_GT(near, 1000u) << "few pairs come near: the test says little";
}

// Distances that are exactly the separation must count; distances larger by one rounding may.
TEST_P(NarrowPhaseOptions, CountADistanceOfExactlyTheSeparation) {
  const std::array<Vec3, 3> ground = {{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}};
  for (const double height : {1.0, 0.1, 1e-5, 1.0 / 3}) {
    for (const double place : {0.0, 1e3, -1e6}) {
      Motion motion;
      motion.triangles = {0, 1, 2, 3, 4, 5};
      for (int side = 0; side < 2; ++side) {
        for (const Vec3& corner : ground) {
          const double z = side == 0 ? place : place + height;
          motion.start.insert(motion.start.end(), {corner[0], corner[1], z});
        }
      }
      motion.end = motion.start;
      CollisionOptions options;
      options.min_separation = (place + height) - place;  // exact, because both numbers are close
      const CollisionResult result = Detect(motion, options);
      EXPECT_EQ(result.vertex_face.size(), 6u) << height << " at " << place;
      EXPECT_EQ(result.edge_edge.size(), 9u) << height << " at " << place;
      EXPECT_EQ(result.earliest_time, 0.0);
      options.tolerance = 1e-12;
      options.min_separation *= 1 - 1e-5;
      EXPECT_EQ(Detect(motion, options).earliest_time, std::nullopt) << height << " at " << place;
    }
  }
}

/// A result without the collisions after a time.
CollisionResult Until(CollisionResult result, double time) {
  std::erase_if(result.vertex_face, [&](const auto& pair) { return pair.time > time; });
  std::erase_if(result.edge_edge, [&](const auto& pair) { return pair.time > time; });
  if (result.earliest_time > time) result.earliest_time.reset();
  return result;
}

TEST_P(NarrowPhaseOptions, EndingAtATimeGivesWhatTheWholeStepHasUntilThen) {
  std::size_t kept = 0, dropped = 0;
  for (const NamedMotion& named : Motions()) {
    const double extent = Size(named.motion).extent;
    for (int variant = 0; variant < 3; ++variant) {
      CollisionOptions options;
      if (variant == 1) options.min_separation = std::min(0.02 * extent, 1e6);
      if (variant == 2) options.root_finder = RootFinder::kCubic;
      const CollisionResult whole = Detect(named.motion, options);
      std::vector<double> times = {1e-300, 1e-3, 0.25, 0.5, 0.7, 1 - 0x1p-52, 1};
      // The time of an impact itself counts. But where rounding exceeds the tolerance, the reported
      // time may be so early that the boxes until then do not touch.
      if (!whole.edge_edge.empty() && named.name != "huge") {
        const double time = whole.edge_edge[whole.edge_edge.size() / 2].time;
        if (time > 0) times.insert(times.end(), {time, std::nextafter(time, 0)});
      }
      for (const double time : times) {
        options.max_time = time;
        const std::string where =
            named.name + ", variant " + std::to_string(variant) + " until " + std::to_string(time);
        const CollisionResult expected = Until(whole, time);
        options.report = Report::kCollisions;
        const CollisionResult part = Detect(named.motion, options);
        EXPECT_EQ(VertexFaceTimes(part), VertexFaceTimes(expected)) << where;
        EXPECT_EQ(EdgeEdgeTimes(part, named.motion), EdgeEdgeTimes(expected, named.motion))
            << where;
        EXPECT_EQ(part.earliest_time, expected.earliest_time) << where;
        EXPECT_LE(part.statistics.edge_edge_candidates, whole.statistics.edge_edge_candidates);
        options.report = Report::kEarliest;
        EXPECT_EQ(Detect(named.motion, options).earliest_time, expected.earliest_time) << where;
        kept += part.edge_edge.size();
        dropped += whole.edge_edge.size() - part.edge_edge.size();
      }
    }
  }
  EXPECT_GT(kept, 1000u);
  EXPECT_GT(dropped, 1000u);
}

TEST_P(NarrowPhaseOptions, GeometryIsThatOfTheClosestPoints) {
  for (const NamedMotion& named : Motions()) {
    if (named.name == "huge") continue;  // the check assumes a size of about 1
    for (const double separation : {0.0, 0.05}) {
      CollisionOptions options;
      options.min_separation = separation;
      options.with_geometry = true;
      EXPECT_EQ(GeometryFault(named.motion, Detect(named.motion, options)), "")
          << named.name << ", separation " << separation;
      for (const Report report : {Report::kCandidates, Report::kEarliest}) {
        options.report = report;
        const CollisionResult without = Detect(named.motion, options);
        EXPECT_TRUE(without.vertex_face_geometry.empty() && without.edge_edge_geometry.empty());
      }
    }
  }
}

TEST_P(NarrowPhaseOptions, GeometryOfALaterStepStartsWhereTheLastEnded) {
  const Motion motion = TriangleSoup(5, {60, 0.35, 0.25});
  CollisionOptions options;
  options.traversal = GetParam();
  options.with_geometry = true;
  const auto scene = driver_.Open(motion);
  ASSERT_TRUE(scene.ok());
  ASSERT_TRUE(driver_.Step(scene->id, motion.end, options).ok());
  Motion back = motion;
  std::swap(back.start, back.end);
  const auto later = driver_.Step(scene->id, back.end, options);
  ASSERT_TRUE(later.ok());
  EXPECT_EQ(GeometryFault(back, *later), "");
  const CollisionResult fresh = Detect(back, options);
  ASSERT_GT(fresh.edge_edge_geometry.size(), 10u);
  ASSERT_EQ(later->edge_edge_geometry.size(), fresh.edge_edge_geometry.size());
  EXPECT_EQ(std::memcmp(later->edge_edge_geometry.data(), fresh.edge_edge_geometry.data(),
                        fresh.edge_edge_geometry.size() * sizeof fresh.edge_edge_geometry[0]),
            0);
}

TEST_P(NarrowPhaseOptions, RefuseWhatMakesNoSense) {
  const Motion motion = TriangleSoup(6, {4, 0.35, 0.25});
  const auto refusal = [&](double separation, double time, RootFinder finder) {
    CollisionOptions options;
    options.min_separation = separation;
    options.max_time = time;
    options.root_finder = finder;
    const auto result = driver_.Detect(motion, options);
    EXPECT_TRUE(result.ok() || absl::IsInvalidArgument(result.status())) << result.status();
    return std::string(result.status().message());
  };
  const double nan = std::nan("");
  for (const double separation : {-1e-9, nan, HUGE_VAL, 1.1e6}) {
    EXPECT_EQ(refusal(separation, 1, RootFinder::kConservative).find("min_separation: "), 0u);
  }
  EXPECT_NE(refusal(1e-3, 1, RootFinder::kCubic).find("cubic"), std::string::npos);
  for (const double time : {0.0, -0.5, 1.5, nan, HUGE_VAL}) {
    EXPECT_EQ(refusal(0, time, RootFinder::kConservative).find("max_time: "), 0u) << time;
  }
  EXPECT_EQ(refusal(1e6, 1e-300, RootFinder::kConservative), "");
  for (const double factor : {-1.0, nan}) {
    CollisionOptions options;
    options.rebuild_factor = factor;
    const absl::Status status = driver_.Detect(motion, options).status();
    EXPECT_TRUE(absl::IsInvalidArgument(status)) << status;
    EXPECT_EQ(status.message().find("rebuild_factor: "), 0u) << status;
  }
}

}  // namespace
}  // namespace warpyard::test_support
