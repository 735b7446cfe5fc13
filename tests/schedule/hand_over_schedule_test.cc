// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The ring of waiting workers and their inboxes in seeded interleavings: every element that is
// given arrives once, at a worker that waited, and every worker that waits is served.

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "core/exec/bits.h"
#include "core/model/worker/hand_over.h"
#include "tests/schedule/broken_worker.h"
#include "tests/support/lane_scopes.h"
#include "tests/support/run_bodies.h"
#include "tests/support/scheduled_scope.h"
#include "tests/support/seed_count.h"

namespace warpyard::test_support {
namespace {

using model::kGivenElements;
using procedure::Element;

/// What the groups of a run share.
/// @shape Tested: a HandOver or what is like it, of kMost workers
template <class Scope, class Tested>
class HandOverRun {
 public:
  /// @shape packs: of elements, that each giver gives
  HandOverRun(std::uint32_t seed, std::uint32_t packs) : seed_(seed), packs_(packs) {
    if constexpr (requires { tested_.Reset(); }) tested_.Reset();
  }

  /// Gives packs of elements until all are given: one to each of those that its lanes have chosen.
  /// @scope the group
  template <class Group>
  void GiveAll(Group& group, std::uint32_t giver) {
    for (std::uint32_t pack = 0; pack < packs_;) {
      const std::uint32_t mine =
          tested_.Choose(group, exec::Least(packs_ - pack, exec::Least(group.Size(), kMostTakers)));
      if (group.Any(mine == Tested::kNoAnswer)) return Fail("a giver got no answer");
      const std::uint32_t takers = exec::CountBits(group.Ballot(mine != Tested::kNobody));
      if (takers == 0) Scope::Pause(0);
      for (std::uint32_t lane = 0; lane < takers; ++lane) {
        const std::uint32_t worker = group.BroadcastFrom(mine, lane);
        tested_.Write(group, worker, CountOf(giver, pack + lane),
                      [&](std::uint32_t i) { return ElementOf(giver, pack + lane, i); });
      }
      group.Barrier();
      if (group.Rank() < takers) tested_.Publish(mine, CountOf(giver, pack + group.Rank()));
      group.Barrier();
      pack += takers;
    }
    if (group.Rank() == 0) Scope::Word(givers_done_).FetchAddAcqRel(1);
  }

  /// Waits, and takes what it is given, until all is given. Some look at their inboxes seldom.
  /// @scope the group
  template <class Group>
  void TakeAll(Group& group, std::uint32_t worker, std::uint32_t givers) {
    bool waits = false;
    while (true) {
      const bool over = group.Broadcast(Scope::Word(givers_done_).LoadAcquire() == givers);
      if (!waits) {
        if (over) return;
        const bool waits_now = group.Rank() != 0 || tested_.Wait(worker);
        if (!waits_now) return Fail("a worker found no place in the ring");
        waits = true;
      }
      const std::uint32_t given = group.Broadcast(tested_.Given(worker));
      if (given == 0) {
        if (over) return;
        Scope::Pause(0);
        continue;
      }
      std::uint32_t taken = 0;
      tested_.Take(group, worker, [&](std::uint32_t count, auto&& at) {
        taken = count;
        for (std::uint32_t i = group.Rank(); i < count; i += group.Size()) Count(at(i));
      });
      if (group.Rank() == 0 && taken != given) wrong_ = "an inbox changed while it was full";
      waits = false;
    }
  }

  /// What is wrong afterwards; empty when nothing is.
  std::string FindFault(std::uint32_t givers) {
    if (!wrong_.empty()) return wrong_;
    times_.resize(givers * packs_ * kGivenElements);
    for (std::uint32_t giver = 0; giver < givers; ++giver) {
      for (std::uint32_t pack = 0; pack < packs_; ++pack) {
        for (std::uint32_t i = 0; i < kGivenElements; ++i) {
          const std::uint32_t times = times_[(giver * packs_ + pack) * kGivenElements + i];
          if (times == (i < CountOf(giver, pack) ? 1u : 0u)) continue;
          return "element " + std::to_string(i) + " of pack " + std::to_string(pack) + " arrived " +
                 std::to_string(times) + " times";
        }
      }
    }
    return "";
  }

 private:
  static constexpr std::uint32_t kMostTakers = 3;  // at once

  void Fail(const std::string& what) {
    wrong_ = what;
    Schedule::Fail(what);
  }

  std::uint32_t CountOf(std::uint32_t giver, std::uint32_t pack) const {
    return 1 + (seed_ + 7 * giver + 11 * pack) % kGivenElements;
  }
  Element ElementOf(std::uint32_t giver, std::uint32_t pack, std::uint32_t i) const {
    const std::uint32_t id = (giver * packs_ + pack) * kGivenElements + i;
    return {procedure::MakeHead(1, 2, 3), {id, ~id}};
  }
  void Count(const Element& element) {
    const std::uint32_t id = element.payload[0];
    if (element.head != procedure::MakeHead(1, 2, 3) || element.payload[1] != ~id) {
      wrong_ = "an element arrived that nobody gave";
      return;
    }
    if (times_.size() <= id) times_.resize(id + 1);
    ++times_[id];
  }

  const std::uint32_t seed_;
  const std::uint32_t packs_;
  Tested tested_{};
  std::uint32_t givers_done_ = 0;
  std::vector<std::uint32_t> times_;
  std::string wrong_;
};

/// Workers of one thread each.
template <class Scope, class Tested>
std::string Fault(std::uint32_t seeds, std::uint32_t givers, std::uint32_t waiters) {
  for (std::uint32_t seed = 0; seed < seeds; ++seed) {
    HandOverRun<Scope, Tested> run(seed, 6);
    Bodies bodies;
    for (std::uint32_t g = 0; g < givers; ++g) {
      bodies.emplace_back([&run, g] {
        Scope scope(nullptr);
        run.GiveAll(scope, g);
      });
    }
    for (std::uint32_t w = 0; w < waiters; ++w) {
      bodies.emplace_back([&run, w, givers] {
        Scope scope(nullptr);
        run.TakeAll(scope, w, givers);
      });
    }
    std::string fault = RunInSchedule(seed, bodies);
    if (fault.empty()) fault = run.FindFault(givers);
    if (!fault.empty()) return fault + ", seed " + std::to_string(seed);
  }
  return "";
}

/// Givers and waiters of several lanes.
struct LaneGroups {
  std::uint32_t lanes;
  std::uint32_t givers;
  std::uint32_t waiters;
  std::uint32_t packs;
};

std::string FaultOfLanes(std::uint32_t seed, const LaneGroups& groups) {
  HandOverRun<ScheduledLaneScope, model::HandOver<ScheduledLaneScope, 4>> run(seed, groups.packs);
  std::vector<LaneMailboxes> boxes(groups.givers + groups.waiters, LaneMailboxes(groups.lanes));
  Bodies bodies;
  for (std::uint32_t group = 0; group < boxes.size(); ++group) {
    for (std::uint32_t rank = 0; rank < groups.lanes; ++rank) {
      bodies.emplace_back([&run, &boxes, &groups, group, rank] {
        ScheduledLaneScope lane(boxes[group], rank);
        if (group < groups.givers) {
          run.GiveAll(lane, group);
        } else {
          run.TakeAll(lane, group - groups.givers, groups.givers);
        }
      });
    }
  }
  const std::string stopped = RunInSchedule(seed, bodies);
  return stopped.empty() ? run.FindFault(groups.givers) : stopped;
}

constexpr std::uint32_t kSeeds = 400;

template <class Scope, WorkerFault kFault = WorkerFault::kNone>
using Broken = BrokenHandOver<Scope, kFault, 4>;

std::uint32_t Seeds() { return SeedCount("WARPYARD_SCHEDULER_SEEDS", kSeeds); }

TEST(HandOverSchedules, BringEveryElementOnceToOneThatWaits) {
  EXPECT_EQ((Fault<ScheduledScope, model::HandOver<ScheduledScope, 4>>(Seeds(), 2, 2)), "");
  EXPECT_EQ((Fault<SchedulerScope, model::HandOver<SchedulerScope, 4>>(Seeds(), 3, 2)), "");
  EXPECT_EQ((Fault<SchedulerScope, model::HandOver<SchedulerScope, 4>>(Seeds(), 1, 4)), "");
}

TEST(HandOverSchedules, GoRoundARingThatIsFull) {
  EXPECT_EQ((Fault<ScheduledScope, model::HandOver<ScheduledScope, 2>>(Seeds(), 2, 2)), "");
  EXPECT_EQ((Fault<ScheduledScope, model::HandOver<ScheduledScope, 1>>(Seeds(), 2, 1)), "");
}

TEST(HandOverSchedules, BringElementsBetweenGroupsOfLanes) {
  for (std::uint32_t seed = 0; seed < Seeds() / 50 + 1; ++seed) {
    ASSERT_EQ(FaultOfLanes(seed, {4, 2, 2, 3}), "") << "seed " << seed;
    ASSERT_EQ(FaultOfLanes(seed, {4, 1, 4, 6}), "") << "seed " << seed;
    ASSERT_EQ(FaultOfLanes(seed, {32, 1, 1, 2}), "") << "seed " << seed;
  }
}

TEST(HandOverSchedules, CatchATicketThatIsTakenBeforeItsNumberIsRead) {
  EXPECT_EQ((Fault<ScheduledScope, Broken<ScheduledScope>>(Seeds(), 2, 2)), "")
      << "blame the fault, not the frame";
  constexpr WorkerFault kTicket = WorkerFault::kTicketBeforeNumber;
  EXPECT_NE((Fault<ScheduledScope, Broken<ScheduledScope, kTicket>>(kSeeds, 2, 2)), "");
}

TEST(HandOverSchedules, CatchAnInboxThatIsEmptiedWhenItsWorkerLooksAgain) {
  constexpr WorkerFault kLate = WorkerFault::kEmptiedLate;
  EXPECT_NE((Fault<ScheduledScope, Broken<ScheduledScope, kLate>>(kSeeds, 2, 2)), "");
}

TEST(HandOverSchedules, CatchAnInboxThatIsCountedBeforeItIsFilled) {
  constexpr WorkerFault kEarly = WorkerFault::kCountBeforeElements;
  EXPECT_NE((Fault<ScheduledScope, Broken<ScheduledScope, kEarly>>(kSeeds, 2, 2)), "");
}

}  // namespace
}  // namespace warpyard::test_support
