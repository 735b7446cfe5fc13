// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/model/lane_values.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <vector>

#include "tests/support/lane_scopes.h"

namespace warpyard::model {
namespace {

using procedure::Element;
using test_support::RunLanes;
using test_support::ScheduledLaneScope;
using Counts = std::map<std::uint32_t, std::uint32_t>;

constexpr std::uint32_t kLanes = 8;

struct Shape {
  static constexpr std::uint32_t kBatchElements = 32;
};

Element Of(std::uint32_t event) { return {procedure::MakeHead(event, 1, event), {event, 0}}; }

std::vector<Element> Elements(const std::vector<std::uint32_t>& events) {
  std::vector<Element> elements;
  for (const std::uint32_t event : events) elements.push_back(Of(event));
  return elements;
}

TEST(LaneValues, VisitsTheValuesOfLanesOnceEach) {
  Counts counts;
  EXPECT_EQ(RunLanes(kLanes,
                     [&](ScheduledLaneScope& lane) {
                       const bool mine = lane.Rank() != 3;
                       ForEachOfLanes(lane, mine, lane.Rank() % 3,
                                      [&](std::uint32_t value, std::uint32_t count) {
                                        if (lane.Rank() == 0) counts[value] += count;
                                      });
                     }),
            "");
  EXPECT_EQ(counts, (Counts{{0, 2}, {1, 3}, {2, 2}}));
}

TEST(LaneValues, CountsABatchOfOneEventAtOnceAndAMixedOneByEvent) {
  const std::vector<Element> elements = Elements({4, 4, 7, 4, 9, 9, 4, 4, 4, 9, 7});
  Batch<Shape, 1> batch{};
  for (const std::uint32_t mixed : {0u, 1u}) {
    batch.mixed = mixed;
    batch.event = 4;
    Counts counts;
    EXPECT_EQ(RunLanes(kLanes,
                       [&](ScheduledLaneScope& lane) {
                         ForEachEvent(lane, batch, elements.data(), 11,
                                      [&](std::uint32_t event, std::uint32_t count) {
                                        if (lane.Rank() == 0) counts[event] += count;
                                      });
                       }),
              "");
    const Counts by_event = {{4, 6}, {7, 2}, {9, 3}};
    EXPECT_EQ(counts, mixed == 0 ? (Counts{{4, 11}}) : by_event);
  }
}

/// The result of CountByProcedure for a batch of elements of these procedures.
std::vector<std::uint32_t> CountProcedures(const std::vector<std::uint32_t>& procedures,
                                           bool varied) {
  constexpr std::uint32_t kProcedures = 11;  // more than there are lanes
  Batch<Shape, kProcedures> batch{};
  for (std::uint32_t& count : batch.executed) count = 77;  // of the batch before
  for (std::size_t i = 0; i < procedures.size(); ++i) {
    batch.elements[i] = {procedure::MakeHead(2, procedures[i], 2), {0, 0}};
  }
  const auto count = static_cast<std::uint32_t>(procedures.size());
  EXPECT_EQ(RunLanes(kLanes,
                     [&](ScheduledLaneScope& lane) {
                       CountByProcedure(lane, batch, count, varied);
                       lane.Barrier();
                     }),
            "");
  return {std::begin(batch.executed), std::end(batch.executed)};
}

TEST(LaneValues, CountsTheProceduresOfABatch) {
  using Found = std::vector<std::uint32_t>;
  const std::vector<std::uint32_t> uniform(13, 9);
  EXPECT_EQ(CountProcedures(uniform, false), (Found{0, 0, 0, 0, 0, 0, 0, 0, 0, 13, 0}));
  EXPECT_EQ(CountProcedures(uniform, true), (Found{0, 0, 0, 0, 0, 0, 0, 0, 0, 13, 0}));
  const std::vector<std::uint32_t> varied = {3, 10, 3, 0, 0, 3, 3, 3, 10, 10, 3, 0, 3, 3, 3, 3, 5};
  EXPECT_EQ(CountProcedures(varied, true), (Found{3, 0, 0, 10, 0, 1, 0, 0, 0, 0, 3}));
  EXPECT_EQ(CountProcedures({4}, true), (Found{0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0}));
}

TEST(LaneValues, KeepsTheOrderOfWhatStays) {
  std::vector<Element> elements = Elements({1, 2, 1, 3, 1, 1, 1, 1, 2, 1, 4, 3});
  for (std::uint32_t i = 0; i < elements.size(); ++i) elements[i].payload[1] = i;
  std::uint32_t kept = 0;
  Counts dropped;
  EXPECT_EQ(RunLanes(kLanes,
                     [&](ScheduledLaneScope& lane) {
                       const std::uint32_t count = KeepIf(
                           lane, elements.data(), 12,
                           [](const Element& element) { return element.Event() == 1; },
                           [&](std::uint32_t event, std::uint32_t alike) {
                             if (lane.Rank() == 0) dropped[event] += alike;
                           });
                       if (lane.Rank() == 0) kept = count;
                     }),
            "");
  ASSERT_EQ(kept, 7u);
  EXPECT_EQ(dropped, (Counts{{2, 2}, {3, 2}, {4, 1}}));
  const std::vector<std::uint32_t> places = {0, 2, 4, 5, 6, 7, 9};
  for (std::uint32_t i = 0; i < kept; ++i) EXPECT_EQ(elements[i].payload[1], places[i]);
}

}  // namespace
}  // namespace warpyard::model
