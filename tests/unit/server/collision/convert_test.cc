// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/collision/convert.h"

#include <cstdint>
#include <iterator>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/unit/server/collision/result_message.h"
#include "tests/unit/server/messages.h"

namespace warpyard::server {
namespace {

using test_support::MessageOf;
using test_support::Numbers;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

template <class Result>
void ExpectInvalid(const Result& result, const std::string& part) {
  EXPECT_EQ(result.status().code(), absl::StatusCode::kInvalidArgument) << result.status();
  EXPECT_THAT(std::string(result.status().message()), HasSubstr(part));
}

TEST(ToCollisionOptions, HasTheDefaultsOfTheContract) {
  const auto options = ToCollisionOptions(v1::CollisionOptions());
  ASSERT_TRUE(options.ok());
  EXPECT_EQ(options->report, ccd::Report::kCollisions);
  EXPECT_EQ(options->root_finder, ccd::RootFinder::kConservative);
  EXPECT_EQ(options->tolerance, 1e-8);
  EXPECT_EQ(options->max_intervals, 1'000'000u);
  EXPECT_EQ(options->min_separation, 0);
  EXPECT_EQ(options->max_time, 1);
  EXPECT_FALSE(options->with_geometry);
  EXPECT_FALSE(options->unsorted);
  EXPECT_EQ(options->traversal, ccd::Traversal::kClusters);
  EXPECT_EQ(options->bounding_volume, ccd::BoundingVolume::kBoxes);
  EXPECT_EQ(options->rebuild_factor, 2);
}

TEST(ToCollisionOptions, HasTheDefaultsOfCore) {
  const ccd::CollisionOptions core;
  const auto options = ToCollisionOptions(v1::CollisionOptions());
  ASSERT_TRUE(options.ok());
  EXPECT_EQ(options->tolerance, core.tolerance);
  EXPECT_EQ(options->max_intervals, core.max_intervals);
  EXPECT_EQ(options->rebuild_factor, core.rebuild_factor);
}

TEST(ToCollisionOptions, KnowsEveryTraversal) {
  for (const auto& [traversal, core] :
       {std::pair(v1::TRAVERSAL_UNSPECIFIED, ccd::Traversal::kClusters),
        std::pair(v1::TRAVERSAL_CLUSTERS, ccd::Traversal::kClusters),
        std::pair(v1::TRAVERSAL_INDEPENDENT, ccd::Traversal::kIndependent),
        std::pair(v1::TRAVERSAL_WORK_QUEUE, ccd::Traversal::kWorkQueue),
        std::pair(v1::TRAVERSAL_COMPACTION, ccd::Traversal::kCompaction),
        std::pair(v1::TRAVERSAL_BALANCING, ccd::Traversal::kBalancing),
        std::pair(v1::TRAVERSAL_STEALING, ccd::Traversal::kStealing),
        std::pair(v1::TRAVERSAL_FRONT, ccd::Traversal::kFront)}) {
    v1::CollisionOptions message;
    message.set_traversal(traversal);
    const auto options = ToCollisionOptions(message);
    ASSERT_TRUE(options.ok()) << options.status();
    EXPECT_EQ(options->traversal, core);
  }
  EXPECT_EQ(v1::Traversal_ARRAYSIZE, static_cast<int>(std::size(ccd::kTraversalNames)) + 1);
}

TEST(ToCollisionOptions, TakesOrientedBoxesWhereTheTraversalHasThem) {
  v1::CollisionOptions message;
  message.set_bounding_volume(v1::BOUNDING_VOLUME_ORIENTED_BOXES);
  for (const auto traversal :
       {v1::TRAVERSAL_WORK_QUEUE, v1::TRAVERSAL_STEALING, v1::TRAVERSAL_FRONT}) {
    message.set_traversal(traversal);
    const auto options = ToCollisionOptions(message);
    ASSERT_TRUE(options.ok()) << options.status();
    EXPECT_EQ(options->bounding_volume, ccd::BoundingVolume::kOrientedBoxes);
  }
  for (const auto& [traversal, name] : {std::pair(v1::TRAVERSAL_UNSPECIFIED, "clusters"),
                                        std::pair(v1::TRAVERSAL_CLUSTERS, "clusters"),
                                        std::pair(v1::TRAVERSAL_INDEPENDENT, "independent"),
                                        std::pair(v1::TRAVERSAL_COMPACTION, "compaction"),
                                        std::pair(v1::TRAVERSAL_BALANCING, "balancing")}) {
    message.set_traversal(traversal);
    ExpectInvalid(ToCollisionOptions(message),
                  std::string("collision.bounding_volume: oriented boxes need the traversal "
                              "work_queue, stealing or front, not ") +
                      name);
    message.set_bounding_volume(v1::BOUNDING_VOLUME_AXIS_ALIGNED_BOXES);
    EXPECT_TRUE(ToCollisionOptions(message).ok());
    message.set_bounding_volume(v1::BOUNDING_VOLUME_ORIENTED_BOXES);
  }
}

TEST(ToCollisionOptions, TakesAFactorForRebuilds) {
  v1::CollisionOptions message;
  for (const double factor : {0.0, 0.5, 3.0}) {
    message.set_rebuild_factor(factor);
    const auto options = ToCollisionOptions(message);
    ASSERT_TRUE(options.ok()) << options.status();
    EXPECT_EQ(options->rebuild_factor, factor);
  }
  message.set_rebuild_factor(-1);
  ExpectInvalid(ToCollisionOptions(message), "collision.rebuild_factor: -1, expected 0 or more");
  message.set_rebuild_factor(std::numeric_limits<double>::quiet_NaN());
  ExpectInvalid(ToCollisionOptions(message), "collision.rebuild_factor: nan, expected 0 or more");
}

TEST(ToCollisionOptions, TakesWhatIsGiven) {
  v1::CollisionOptions message;
  message.set_report(v1::REPORT_CANDIDATES);
  message.set_root_finder(v1::ROOT_FINDER_CUBIC);
  message.set_tolerance(1e-3);
  message.set_max_intervals(17);
  message.set_unsorted(true);
  const auto options = ToCollisionOptions(message);
  ASSERT_TRUE(options.ok());
  EXPECT_EQ(options->report, ccd::Report::kCandidates);
  EXPECT_EQ(options->root_finder, ccd::RootFinder::kCubic);
  EXPECT_EQ(options->tolerance, 1e-3);
  EXPECT_EQ(options->max_intervals, 17u);
  EXPECT_TRUE(options->unsorted);
  message.set_report(v1::REPORT_EARLIEST);
  EXPECT_EQ(ToCollisionOptions(message)->report, ccd::Report::kEarliest);
}

TEST(ToCollisionOptions, RefusesUnknownValues) {
  v1::CollisionOptions message;
  message.set_report(static_cast<v1::Report>(12));
  ExpectInvalid(ToCollisionOptions(message), "collision.report: unknown value 12");
  message.clear_report();
  message.set_root_finder(static_cast<v1::RootFinder>(-1));
  ExpectInvalid(ToCollisionOptions(message), "collision.root_finder: unknown value -1");
  message.clear_root_finder();
  message.set_traversal(static_cast<v1::Traversal>(9));
  ExpectInvalid(ToCollisionOptions(message), "collision.traversal: unknown value 9");
  message.clear_traversal();
  message.set_bounding_volume(static_cast<v1::BoundingVolume>(3));
  ExpectInvalid(ToCollisionOptions(message), "collision.bounding_volume: unknown value 3");
}

TEST(ToCollisionOptions, RefusesTolerancesOutOfRange) {
  v1::CollisionOptions message;
  for (const double tolerance : {-1e-6, 1e-13, 1e7, std::numeric_limits<double>::quiet_NaN(),
                                 std::numeric_limits<double>::infinity()}) {
    message.set_tolerance(tolerance);
    ExpectInvalid(ToCollisionOptions(message), "collision.tolerance: ");
  }
  for (const double tolerance : {1e-12, 1e6}) {
    message.set_tolerance(tolerance);
    EXPECT_TRUE(ToCollisionOptions(message).ok());
  }
}

TEST(ToCollisionOptions, RefusesTooManyIntervals) {
  v1::CollisionOptions message;
  message.set_max_intervals(100'000'000);
  EXPECT_TRUE(ToCollisionOptions(message).ok());
  message.set_max_intervals(100'000'001);
  ExpectInvalid(ToCollisionOptions(message),
                "collision.max_intervals: 100000001, at most 100000000");
}

TEST(ToCollisionOptions, TakesWhatTheNarrowPhaseLooksFor) {
  v1::CollisionOptions message;
  message.set_min_separation(0.25);
  message.set_max_time(0.75);
  message.set_with_geometry(true);
  const auto options = ToCollisionOptions(message);
  ASSERT_TRUE(options.ok());
  EXPECT_EQ(options->min_separation, 0.25);
  EXPECT_EQ(options->max_time, 0.75);
  EXPECT_TRUE(options->with_geometry);
}

TEST(ToCollisionOptions, RefusesSeparationsAndTimesThatMakeNoSense) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  v1::CollisionOptions message;
  message.set_min_separation(-0.5);
  ExpectInvalid(ToCollisionOptions(message), "collision.min_separation: -0.5, expected 0 to 1e+06");
  message.set_min_separation(kNan);
  ExpectInvalid(ToCollisionOptions(message), "collision.min_separation: nan, expected");
  for (const double separation : {kInfinity, -kInfinity, 1.1e6}) {
    message.set_min_separation(separation);
    ExpectInvalid(ToCollisionOptions(message), "collision.min_separation: ");
  }
  message.set_min_separation(0.5);
  message.set_root_finder(v1::ROOT_FINDER_CUBIC);
  ExpectInvalid(ToCollisionOptions(message), "collision.min_separation: 0.5, but the cubic root");
  message.Clear();
  message.set_max_time(1.5);
  ExpectInvalid(ToCollisionOptions(message), "collision.max_time: 1.5, expected more than 0");
  message.set_max_time(1.0000001);
  ExpectInvalid(ToCollisionOptions(message), "collision.max_time: 1.0000001, expected more than 0");
  for (const double time : {kNan, kInfinity, -0.1}) {
    message.set_max_time(time);
    ExpectInvalid(ToCollisionOptions(message), "collision.max_time: ");
  }
}

ccd::CollisionResult SomeResult() {
  ccd::CollisionResult result;
  for (std::uint32_t i = 0; i < 10; ++i) {
    result.vertex_face.push_back({i, i + 100, 0.125 * i});
    result.edge_edge.push_back({i, i + 1, i + 2, i + 3, 0.0625 * i});
  }
  result.earliest_time = 0.0;
  result.statistics.vertices = 12;
  result.statistics.capped_pairs = 3;
  result.statistics.phases = {{"queue", absl::Milliseconds(1500)}, {"narrow", absl::Seconds(2)}};
  return result;
}

TEST(ResultReader, GivesAWholeResultAsOnePart) {
  const ccd::CollisionResult result = SomeResult();
  ResultReader reader(result, ccd::Report::kCollisions);
  const ResultPart part = reader.NextPart(reader.list_bytes());
  EXPECT_TRUE(part.is_last);
  const v1::CollisionResult message = MessageOf(part);
  const auto ids = Numbers<std::uint32_t>(message.vertex_face_ids());
  ASSERT_EQ(ids.size(), 20u);
  EXPECT_EQ(ids[18], 9u);
  EXPECT_EQ(ids[19], 109u);
  EXPECT_EQ(Numbers<double>(message.vertex_face_times())[9], 0.125 * 9);
  const auto edges = Numbers<std::uint32_t>(message.edge_edge_ids());
  EXPECT_THAT(std::vector(edges.begin() + 4, edges.begin() + 8), ElementsAre(1, 2, 3, 4));
  EXPECT_EQ(Numbers<double>(message.edge_edge_times())[1], 0.0625);
  EXPECT_TRUE(message.has_earliest_time());
  EXPECT_EQ(message.statistics().vertices(), 12u);
  EXPECT_EQ(message.statistics().capped_pairs(), 3u);
  EXPECT_EQ(message.statistics().phases(0).phase(), "queue");
  EXPECT_EQ(message.statistics().phases(0).duration().seconds(), 1);
  EXPECT_EQ(message.statistics().phases(0).duration().nanos(), 500'000'000);
}

TEST(ResultReader, TellsWhatATraversalOfPairsOfNodesDid) {
  ccd::CollisionResult result;
  v1::CollisionStatistics statistics =
      ResultReader(result, ccd::Report::kEarliest).NextPart(1).others.statistics();
  EXPECT_FALSE(statistics.has_traversal());
  result.statistics.traversal = {7, 6, 5, 4, 3, true};
  statistics = ResultReader(result, ccd::Report::kEarliest).NextPart(1).others.statistics();
  ASSERT_TRUE(statistics.has_traversal());
  EXPECT_EQ(statistics.traversal().visited_node_pairs(), 7u);
  EXPECT_EQ(statistics.traversal().triangle_pairs(), 6u);
  EXPECT_EQ(statistics.traversal().front_pairs(), 5u);
  EXPECT_EQ(statistics.traversal().steals(), 4u);
  EXPECT_EQ(statistics.traversal().rounds(), 3u);
  EXPECT_TRUE(statistics.traversal().from_front());
}

TEST(ResultReader, TellsHowTheHierarchyFares) {
  ccd::CollisionResult result;
  result.statistics.hierarchy = {2.5, 1.5, 3, true};
  const v1::HierarchyStatistics hierarchy =
      ResultReader(result, ccd::Report::kEarliest).NextPart(1).others.statistics().hierarchy();
  EXPECT_EQ(hierarchy.size(), 2.5);
  EXPECT_EQ(hierarchy.growth(), 1.5);
  EXPECT_EQ(hierarchy.rebuilds(), 3u);
  EXPECT_TRUE(hierarchy.rebuilt());
}

TEST(ResultReader, GivesThePathDeviationWhereThereIsOne) {
  ccd::CollisionResult result;
  EXPECT_FALSE(
      ResultReader(result, ccd::Report::kEarliest).NextPart(1).others.has_path_deviation());
  result.path_deviation = 0.0;
  EXPECT_TRUE(ResultReader(result, ccd::Report::kEarliest).NextPart(1).others.has_path_deviation());
}

TEST(ResultReader, LeavesTimesOutForCandidates) {
  ccd::CollisionResult result = SomeResult();
  result.earliest_time.reset();
  ResultReader reader(result, ccd::Report::kCandidates);
  EXPECT_EQ(reader.list_bytes(), 10u * 8 + 10u * 16);
  const ResultPart part = reader.NextPart(reader.list_bytes());
  EXPECT_TRUE(part.is_last);
  const v1::CollisionResult message = MessageOf(part);
  EXPECT_EQ(message.vertex_face_ids().size(), 80u);
  EXPECT_TRUE(message.vertex_face_times().empty());
  EXPECT_EQ(message.edge_edge_ids().size(), 160u);
  EXPECT_TRUE(message.edge_edge_times().empty());
  EXPECT_FALSE(message.has_earliest_time());
}

TEST(ResultReader, GivesPartsThatFollowOneAnother) {
  const ccd::CollisionResult result = SomeResult();
  for (const std::size_t max_bytes : {std::size_t{1}, std::size_t{24}, std::size_t{100},
                                      std::size_t{161}, std::size_t{399}, std::size_t{400}}) {
    ResultReader reader(result, ccd::Report::kCollisions);
    v1::CollisionResult all;
    bool last = false;
    int parts = 0;
    while (!last) {
      const ResultPart next = reader.NextPart(max_bytes);
      const v1::CollisionResult part = MessageOf(next);
      last = next.is_last;
      EXPECT_LE(part.vertex_face_ids().size() + part.vertex_face_times().size() +
                    part.edge_edge_ids().size() + part.edge_edge_times().size(),
                std::max<std::size_t>(max_bytes, 24));
      EXPECT_EQ(part.has_statistics(), last);
      all.mutable_vertex_face_ids()->append(part.vertex_face_ids());
      all.mutable_vertex_face_times()->append(part.vertex_face_times());
      all.mutable_edge_edge_ids()->append(part.edge_edge_ids());
      all.mutable_edge_edge_times()->append(part.edge_edge_times());
      ASSERT_LT(++parts, 40);
    }
    const v1::CollisionResult whole =
        MessageOf(ResultReader(result, ccd::Report::kCollisions).NextPart(1 << 20));
    EXPECT_EQ(all.vertex_face_ids(), whole.vertex_face_ids());
    EXPECT_EQ(all.vertex_face_times(), whole.vertex_face_times());
    EXPECT_EQ(all.edge_edge_ids(), whole.edge_edge_ids());
    EXPECT_EQ(all.edge_edge_times(), whole.edge_edge_times());
  }
}

/// The geometry of SomeResult: every number identifies its pair.
ccd::CollisionResult SomeGeometry() {
  ccd::CollisionResult result = SomeResult();
  for (int i = 0; i < 10; ++i) {
    const double at = 100 * i;
    result.vertex_face_geometry.push_back({{at, at + 1, at + 2}, {at + 3, at + 4, at + 5}});
    result.edge_edge_geometry.push_back({{-at, -at - 1}, {-at - 2, -at - 3, -at - 4}});
  }
  return result;
}

TEST(ResultReader, GivesGeometryBesideItsPairs) {
  const ccd::CollisionResult result = SomeGeometry();
  ResultReader reader(result, ccd::Report::kCollisions);
  EXPECT_EQ(reader.list_bytes(), 10u * (16 + 48) + 10u * (24 + 40));
  const ResultPart part = reader.NextPart(reader.list_bytes());
  EXPECT_TRUE(part.is_last);
  const v1::CollisionResult message = MessageOf(part);
  const auto weights = Numbers<double>(message.vertex_face_weights());
  const auto normals = Numbers<double>(message.vertex_face_normals());
  ASSERT_EQ(weights.size(), 30u);
  ASSERT_EQ(normals.size(), 30u);
  EXPECT_THAT(std::vector(weights.begin() + 27, weights.end()), ElementsAre(900, 901, 902));
  EXPECT_THAT(std::vector(normals.begin() + 27, normals.end()), ElementsAre(903, 904, 905));
  EXPECT_THAT(Numbers<double>(message.edge_edge_parameters())[3], -101);
  EXPECT_THAT(Numbers<double>(message.edge_edge_normals())[5], -104);
  EXPECT_EQ(message.edge_edge_parameters().size(), 10u * 16);
  EXPECT_EQ(message.edge_edge_normals().size(), 10u * 24);
}

TEST(ResultReader, GivesPartsWithGeometryThatFollowOneAnother) {
  const ccd::CollisionResult result = SomeGeometry();
  const v1::CollisionResult whole =
      MessageOf(ResultReader(result, ccd::Report::kCollisions).NextPart(1 << 20));
  for (const std::size_t max_bytes : {1, 64, 129, 1000, 1280}) {
    ResultReader reader(result, ccd::Report::kCollisions);
    v1::CollisionResult all;
    bool last = false;
    for (int parts = 0; !last; ++parts) {
      const ResultPart next = reader.NextPart(max_bytes);
      const v1::CollisionResult part = MessageOf(next);
      last = next.is_last;
      EXPECT_EQ(part.vertex_face_weights().size(), 3 * part.vertex_face_ids().size());
      EXPECT_EQ(part.edge_edge_normals().size() / 24, part.edge_edge_ids().size() / 16);
      EXPECT_LE(part.ByteSizeLong(), std::max<std::size_t>(max_bytes, 64) + 120);
      all.mutable_vertex_face_weights()->append(part.vertex_face_weights());
      all.mutable_vertex_face_normals()->append(part.vertex_face_normals());
      all.mutable_edge_edge_parameters()->append(part.edge_edge_parameters());
      all.mutable_edge_edge_normals()->append(part.edge_edge_normals());
      ASSERT_LT(parts, 40);
    }
    EXPECT_EQ(all.vertex_face_weights(), whole.vertex_face_weights());
    EXPECT_EQ(all.vertex_face_normals(), whole.vertex_face_normals());
    EXPECT_EQ(all.edge_edge_parameters(), whole.edge_edge_parameters());
    EXPECT_EQ(all.edge_edge_normals(), whole.edge_edge_normals());
  }
}

TEST(ResultReader, GivesAnEmptyResultAsOnePart) {
  const ccd::CollisionResult result;
  ResultReader reader(result, ccd::Report::kCollisions);
  const ResultPart part = reader.NextPart(1);
  EXPECT_TRUE(part.is_last);
  EXPECT_TRUE(part.vertex_face.empty() && part.edge_edge.empty());
  EXPECT_TRUE(part.others.has_statistics());
  EXPECT_FALSE(part.others.has_earliest_time());
}

}  // namespace
}  // namespace warpyard::server
