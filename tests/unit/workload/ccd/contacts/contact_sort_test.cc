// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The stages that sort lists of collisions (contact_rows.h, contact_sort.h), compared with the sort
// of the host. contact_sort_schedule_test.cc tests groups of several threads.

#include "core/workload/ccd/contacts/contact_sort.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/exec/thread_scope.h"
#include "core/workload/ccd/job/contact_rows.h"
#include "tests/support/mesh_fixtures.h"
#include "tests/unit/workload/ccd/contacts/contact_lists.h"
#include "tests/unit/workload/ccd/stage_runners.h"

namespace warpyard::test_support {
namespace {

using ccd::ContactRows;
using ccd::RankContacts;

std::string FaultAfterSort(ContactLists& lists, std::uint64_t seed) {
  Random random(seed);
  lists.Shuffle(random);
  const ContactLists::Expected expected = lists.SortedByTheHost();
  lists.Start();
  lists.Sort(InRandomOrder(seed, lists.job));
  if (lists.counters.unranked != 0) return "a row was too long";
  return lists.FindFault(expected);
}

/// Rows of random lengths, most of them short or empty.
void AddRandomRows(ContactLists& lists, std::uint32_t vertices, Random& random) {
  for (std::uint32_t row = 0; row < 200; ++row) {
    const std::uint32_t most = 1u << random.Below(6);
    const std::uint32_t stride = vertices / 200;
    const std::uint32_t first_id = stride == 0 ? row : row * stride + random.Below(stride);
    if (first_id < vertices) lists.AddRow(first_id, random.Below(most));
  }
}

TEST(ContactSort, LeavesEmptyListsAlone) {
  ContactLists lists(3);
  EXPECT_EQ(FaultAfterSort(lists, 1), "");
}

TEST(ContactSort, OfOnePairOfOneKind) {
  ContactLists faces(1);
  faces.Add(ccd::VertexFaceCollision{0, 7, 0.5});
  EXPECT_EQ(FaultAfterSort(faces, 1), "");
  ContactLists edges(2);
  edges.Add(ccd::EdgeEdgeCollision{0, 1, 2, 3, 0.5});
  EXPECT_EQ(FaultAfterSort(edges, 1), "");
}

TEST(ContactSort, OfARowOfAnyLength) {
  for (const std::uint32_t count : {1u, 2u, 3u, 14u, 15u, 16u, 31u, 33u, 64u, 1000u}) {
    for (const std::uint32_t first_id : {0u, 4u, 9u}) {
      ContactLists lists(10);
      lists.AddRow(first_id, count);
      EXPECT_EQ(FaultAfterSort(lists, count), "") << count << " of " << first_id;
    }
  }
}

TEST(ContactSort, OfTheGreatestIds) {
  ContactLists lists(70'000);
  for (const std::uint32_t other : {0xffffffffu, 0xfffffffeu, 0x80000000u, 0u}) {
    lists.Add(ccd::VertexFaceCollision{69'999, other, 0.25});
    lists.Add(ccd::EdgeEdgeCollision{0xffffffff, 69'999, other, 0xffffffff, 0.5});
    lists.Add(ccd::EdgeEdgeCollision{0xffffffff, 69'999, 5, other / 2, 0.5});
    lists.Add(ccd::EdgeEdgeCollision{0, 69'999, other, 0xfffffff0, 0.5});
  }
  EXPECT_EQ(FaultAfterSort(lists, 1), "");
}

TEST(ContactSort, OfRandomListsIsThatOfTheHost) {
  Random random(1);
  for (const std::uint32_t vertices : {1u, 3u, 16u, 17u, 900u, 16'384u, 16'385u, 200'000u}) {
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
      ContactLists lists(vertices);
      AddRandomRows(lists, vertices, random);
      EXPECT_EQ(FaultAfterSort(lists, seed), "") << vertices << " vertices, seed " << seed;
    }
  }
}

TEST(ContactSort, OfThousandsInARowIsThatOfTheHost) {
  ContactLists lists(50);
  for (std::uint32_t v = 0; v < 50; v += 7) lists.AddRow(v, 5);
  lists.AddRow(20, RankContacts::kLongestRow);
  EXPECT_EQ(FaultAfterSort(lists, 1), "");
}

/// Ids only, in any order.
std::vector<std::array<std::uint32_t, 4>> IdsOf(const ContactLists& lists) {
  std::vector<std::array<std::uint32_t, 4>> ids;
  for (const auto& pair : lists.vertex_face) ids.push_back({pair.vertex, pair.face, 0, 0});
  for (const auto& pair : lists.edge_edge) ids.push_back({pair.a0, pair.a1, pair.b0, pair.b1});
  std::sort(ids.begin(), ids.end());
  return ids;
}

TEST(ContactSort, OfARowThatIsTooLongIsLeftToTheHost) {
  ContactLists lists(50);
  for (std::uint32_t v = 0; v < 50; v += 7) lists.AddRow(v, 5);
  lists.AddRow(20, RankContacts::kLongestRow + 1);
  Random random(1);
  lists.Shuffle(random);
  const auto ids = IdsOf(lists);
  lists.Start();
  lists.Sort(InRandomOrder(1, lists.job));
  EXPECT_NE(lists.counters.unranked, 0u);
  EXPECT_FALSE(ccd::IsSorted(lists.job.step, lists.counters));
  EXPECT_EQ(IdsOf(lists), ids) << "nothing is lost";
}

TEST(ContactSort, ByThreadsIsThatOfTheHost) {
  Random random(5);
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    ContactLists lists(3000);
    AddRandomRows(lists, 3000, random);
    lists.AddRow(2999, 300);
    lists.Shuffle(random);
    const ContactLists::Expected expected = lists.SortedByTheHost();
    lists.Start();
    lists.Sort(OnThreads{lists.job});
    EXPECT_EQ(lists.FindFault(expected), "") << "seed " << seed;
  }
}

TEST(ContactSort, StopsWhenCancelled) {
  ContactLists lists(10);
  lists.AddRow(2, 100);
  lists.Start();
  exec::ThreadScope scope(nullptr);
  ThreadContext context{scope, lists.job};
  ccd::PlaceRows::Execute(context, {0, lists.job.step.lists.rows.Parts()});
  ccd::DealContacts::Execute(context, {0, 200});
  const ContactLists::Expected before{lists.vertex_face, lists.edge_edge};
  std::uint32_t cancel = 1;
  context.cancel = &cancel;
  RankContacts::Execute(context, {0, 200});
  EXPECT_EQ(lists.FindFault(before), "");
}

TEST(ContactRows, HaveAtMostAsManyPartsAsVertices) {
  for (const std::uint32_t vertices :
       {1u, 2u, 16u, 17u, 16'383u, 16'384u, 16'385u, 5'000'000u, ContactRows::kMostVertices}) {
    const ContactRows rows{vertices, ContactRows::ShiftOf(vertices), nullptr, nullptr, {}};
    EXPECT_LE(rows.Parts(), std::min(vertices, ContactRows::kMostParts)) << vertices;
    EXPECT_GE(std::uint64_t{rows.Parts()} << rows.shift, rows.Rows()) << vertices;
    EXPECT_EQ(ContactRows::WordsOf(vertices), std::size_t{rows.Rows()} + rows.Parts());
  }
}

/// Plans a stage of the sort.
std::uint32_t CountOf(const ContactLists& lists, std::uint32_t stage) {
  using Procedures = ccd::SortStages::Procedures;
  return ccd::SortStages::Plan<exec::ThreadScope, Procedures>(lists.job, stage).count;
}

TEST(ContactSort, HasStagesForLongListsThatAreWantedInOrder) {
  constexpr std::uint32_t kStages[] = {0, 1, 2};
  constexpr auto kLeast = static_cast<std::uint32_t>(ccd::kLeastSorted);
  ContactLists lists(100);
  lists.job.task = ccd::CollisionTask::kStep;
  lists.AddRow(1, kLeast / 2 - 1);
  lists.Start();
  for (const std::uint32_t stage : kStages) EXPECT_EQ(CountOf(lists, stage), 0u) << "short";
  EXPECT_FALSE(ccd::IsSorted(lists.job.step, lists.counters));
  lists.AddRow(2, 1);
  lists.Start();
  EXPECT_EQ(CountOf(lists, 0), lists.job.step.lists.rows.Parts());
  EXPECT_EQ(CountOf(lists, 1), kLeast);
  EXPECT_EQ(CountOf(lists, 2), kLeast);
  EXPECT_TRUE(ccd::IsSorted(lists.job.step, lists.counters));
  ++lists.counters.listed_contacts[1];
  for (const std::uint32_t stage : kStages) EXPECT_EQ(CountOf(lists, stage), 0u) << "run over";
  EXPECT_FALSE(ccd::IsSorted(lists.job.step, lists.counters));
  --lists.counters.listed_contacts[1];
  lists.job.step.lists.rows = {};
  for (const std::uint32_t stage : kStages) EXPECT_EQ(CountOf(lists, stage), 0u) << "any order";
  EXPECT_FALSE(ccd::IsSorted(lists.job.step, lists.counters));
}

}  // namespace
}  // namespace warpyard::test_support
