// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/collision_batch/outcomes.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/unit/server/messages.h"

namespace warpyard::server {
namespace {

using test_support::Numbers;
using ::testing::ElementsAre;

/// A result of worlds with these numbers of pairs; the ids of pairs count through the lists.
ccd::SetResult ResultOf(const std::vector<std::uint32_t>& vertex_faces,
                        const std::vector<std::uint32_t>& edge_edges) {
  ccd::SetResult result;
  std::uint32_t next = 0;
  for (std::size_t w = 0; w < vertex_faces.size(); ++w) {
    result.worlds.push_back({absl::OkStatus(), 0.5, vertex_faces[w], edge_edges[w]});
    for (std::uint32_t i = 0; i < vertex_faces[w]; ++i) {
      result.all.vertex_face.push_back({next++, 0, 0.5});
    }
  }
  for (std::size_t w = 0; w < edge_edges.size(); ++w) {
    for (std::uint32_t i = 0; i < edge_edges[w]; ++i) {
      result.all.edge_edge.push_back({next++, 0, 0, 0, 0.5});
    }
  }
  return result;
}

TEST(SetWorlds, SaysOfEachWorldWhatBecameOfIt) {
  ccd::SetResult result = ResultOf({1, 0, 2}, {0, 3, 1});
  result.worlds[1].earliest_time.reset();
  result.worlds[2].status = absl::ResourceExhaustedError("no room");
  const std::vector<absl::Status> refused = {absl::OkStatus(), absl::OkStatus(), absl::OkStatus()};
  v1::SetOutcome outcome;
  SetWorlds(result, refused, ccd::Report::kCollisions, &outcome);
  const auto times = Numbers<double>(outcome.earliest_times());
  ASSERT_EQ(times.size(), 3u);
  EXPECT_EQ(times[0], 0.5);
  EXPECT_EQ(times[1], std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(times[2]));
  EXPECT_THAT(Numbers<std::uint32_t>(outcome.edge_edge_counts()), ElementsAre(0, 3, 1));
  ASSERT_EQ(outcome.world_errors_size(), 1);
  EXPECT_EQ(outcome.world_errors(0).place(), 2u);
  EXPECT_EQ(outcome.world_errors(0).error().code(), 8u);
  EXPECT_EQ(outcome.world_errors(0).error().reason(), "LIMIT_EXCEEDED");
}

TEST(FitWorlds, LeavesResultsThatFitAsTheyAre) {
  ccd::SetResult result = ResultOf({1, 0, 2}, {0, 3, 1});
  const std::size_t bytes = 3 * 16 + 4 * 24;
  EXPECT_EQ(FitWorlds(bytes, ccd::Report::kCollisions, absl::OutOfRangeError("too large"), result),
            bytes);
  EXPECT_EQ(result.all.vertex_face.size(), 3u);
  EXPECT_EQ(result.all.edge_edge.size(), 4u);
}

TEST(FitWorlds, TakesOutTheListsOfWorldsThatDoNotFit) {
  ccd::SetResult result = ResultOf({1, 5, 2}, {0, 3, 1});
  EXPECT_EQ(FitWorlds(100, ccd::Report::kCollisions, absl::OutOfRangeError("too large"), result),
            3u * 16 + 24);
  std::vector<std::uint32_t> ids;
  for (const auto& pair : result.all.vertex_face) ids.push_back(pair.vertex);
  for (const auto& pair : result.all.edge_edge) ids.push_back(pair.a0);
  EXPECT_THAT(ids, ElementsAre(0, 6, 7, 11));
  EXPECT_EQ(result.worlds[0].status, absl::OkStatus());
  EXPECT_EQ(result.worlds[1].status.message(), "too large");
  EXPECT_EQ(result.worlds[1].vertex_faces, 0u);
  EXPECT_FALSE(result.worlds[1].earliest_time.has_value());
  EXPECT_EQ(result.worlds[2].edge_edges, 1u);
}

}  // namespace
}  // namespace warpyard::server
