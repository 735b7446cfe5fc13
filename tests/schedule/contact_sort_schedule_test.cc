// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The stages that sort lists of collisions, run by groups of several threads and in seeded
// interleavings of counting and copying to rows.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <type_traits>

#include "core/workload/ccd/contacts/contact_sort.h"
#include "tests/support/lane_scopes.h"
#include "tests/support/mesh_fixtures.h"
#include "tests/support/scheduled_scope.h"
#include "tests/support/seed_count.h"
#include "tests/unit/workload/ccd/contacts/contact_lists.h"

namespace warpyard::test_support {
namespace {

void AddRows(ContactLists& lists, std::uint32_t vertices, Random& random) {
  for (std::uint32_t row = 0; row < 12; ++row) {
    lists.AddRow(random.Below(vertices / 12) + row * (vertices / 12), random.Below(9));
  }
}

/// Runs each stage by one group of several threads, in ranges of the same number of collisions,
/// until one fails.
struct ByGroup {
  ContactLists& lists;
  std::uint32_t lanes;
  std::uint32_t range;
  std::string& failure;

  template <class Procedure>
  void operator()(std::uint32_t count) const {
    const std::uint32_t most = std::is_same_v<Procedure, ccd::PlaceRows> ? 5 : range;
    for (std::uint32_t begin = 0; begin < count && failure.empty(); begin += most) {
      const procedure::Range part{begin, std::min(count, begin + most)};
      failure += RunLanes(lanes, [&](ScheduledLaneScope& lane) {
        procedure::Context<ScheduledLaneScope, ccd::CollisionJob> context{lane, lists.job};
        Procedure::Execute(context, part);
      });
    }
  }
};

TEST(ContactSortSchedules, OfGroupsOfAnySizeAreThoseOfTheHost) {
  for (const std::uint32_t lanes : {1u, 2u, 5u, 16u, 32u}) {
    Random random(lanes);
    ContactLists lists(300 * lanes);
    AddRows(lists, 300 * lanes, random);
    lists.AddRow(300 * lanes - 1, 70);
    lists.Shuffle(random);
    const ContactLists::Expected expected = lists.SortedByTheHost();
    lists.Start();
    std::string failure;
    lists.Sort(ByGroup{lists, lanes, 3 * lanes, failure});
    ASSERT_EQ(failure, "") << lanes << " threads";
    EXPECT_EQ(lists.FindFault(expected), "") << lanes << " threads";
    EXPECT_EQ(lists.counters.unranked, 0u);
  }
}

TEST(ContactSortSchedules, OfGroupsLeaveARowThatIsTooLongToTheHost) {
  ContactLists lists(9);
  lists.AddRow(4, ccd::RankContacts::kLongestRow + 1);
  lists.Start();
  std::string failure;
  lists.Sort(ByGroup{lists, 32, 512, failure});
  EXPECT_EQ(failure, "");
  EXPECT_NE(lists.counters.unranked, 0u);
}

/// Runs stages on three threads, each of which takes every third index; places of rows on one
/// thread.
struct InSchedules {
  ContactLists& lists;
  std::uint64_t seed;
  std::string& failure;

  template <class Procedure>
  void operator()(std::uint32_t count) {
    if constexpr (std::is_same_v<Procedure, ccd::PlaceRows>) {
      ByGroup{lists, 1, 100, failure}.template operator()<Procedure>(count);
    } else {
      ForEachIndex(count, [this](ScheduledScope& scope, std::uint32_t i) {
        procedure::Context<ScheduledScope, ccd::CollisionJob> context{scope, lists.job};
        Procedure::Execute(context, procedure::Range{i, i + 1});
      });
    }
  }

  template <class Body>
  void ForEachIndex(std::uint32_t count, Body body) {
    constexpr std::uint32_t kThreads = 3;
    Schedule schedule(seed);
    for (std::uint32_t t = 0; t < kThreads; ++t) {
      schedule.Add([t, count, body] {
        ScheduledScope scope(nullptr);
        for (std::uint32_t i = t; i < count; i += kThreads) body(scope, i);
      });
    }
    failure += schedule.Run();
  }
};

TEST(ContactSortSchedules, CountAndDealOutInAnyInterleaving) {
  for (std::uint64_t seed = 0; seed < SeedCount(150); ++seed) {
    Random random(seed);
    ContactLists lists(48);
    AddRows(lists, 48, random);
    lists.Shuffle(random);
    const ContactLists::Expected expected = lists.SortedByTheHost();
    lists.Start();
    for (std::uint32_t v = 0; v < 48; ++v) lists.job.step.lists.rows.Clear(v);
    std::string failure;
    InSchedules run{lists, seed, failure};
    const auto faces = static_cast<std::uint32_t>(lists.vertex_face.size());
    const auto pairs = faces + static_cast<std::uint32_t>(lists.edge_edge.size());
    const ccd::ContactRows& rows = lists.job.step.lists.rows;
    run.ForEachIndex(pairs, [&](ScheduledScope&, std::uint32_t i) {
      const bool edges = i >= faces;
      const std::uint32_t id = edges ? lists.edge_edge[i - faces].a1 : lists.vertex_face[i].vertex;
      rows.Count<ScheduledScope>(rows.RowOf(edges, id));
    });
    lists.Sort(run);
    ASSERT_EQ(failure, "") << "seed " << seed;
    ASSERT_EQ(lists.FindFault(expected), "") << "seed " << seed;
  }
}

}  // namespace
}  // namespace warpyard::test_support
