// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Jobs of an event loop that share events.

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "core/base/bell.h"
#include "core/device/cpu_backend.h"
#include "core/engine/event_loop.h"
#include "tests/unit/engine/fake_workers.h"

namespace warpyard {
namespace {

using procedure::StageTimes;

/// A loop that lets jobs with the same key share events.
class BatchingLoopTest : public ::testing::Test {
 protected:
  /// Ends the first event. Its carrier then starts what may start.
  void EndFirstEvent() {
    workers_.events[0]->end = StageTimes{{1, 2, 4}};
    EXPECT_TRUE(loop_.Poll());
    EXPECT_FALSE(loop_.Poll());
  }

  /// Starts a job; its end is written to `ends`.
  void Start(std::uint64_t key, policy::EventAttributes attributes = {},
             procedure::CancelToken* token = nullptr) {
    const std::size_t job = ends_.size();
    ends_.emplace_back();
    const std::uint64_t& kept = *keys_.emplace_back(std::make_unique<std::uint64_t>(key));
    EXPECT_TRUE(loop_
                    .Start(procedure::AnyJob::Of(kept), attributes,
                           token != nullptr ? *token : token_,
                           [this, job](absl::StatusOr<StageTimes> end) { ends_[job] = end; })
                    .ok());
  }
  /// A deadline. @units as of EventAttributes
  static std::uint64_t In(absl::Duration time) {
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    return static_cast<std::uint64_t>(absl::ToInt64Nanoseconds(absl::FromChrono(now) + time));
  }
  template <class Condition>
  bool PollUntil(Condition condition) {
    const absl::Time limit = absl::Now() + absl::Seconds(30);
    while (!condition()) {
      if (absl::Now() > limit) return false;
      static_cast<void>(loop_.Poll());
    }
    return true;
  }
  std::size_t Ended() const {
    return static_cast<std::size_t>(
        std::ranges::count_if(ends_, [](const auto& end) { return end.has_value(); }));
  }

  FakeWorkers workers_;
  device::CpuBackend backend_{1, 0};
  Bell bell_;
  EventLoop loop_{workers_, bell_, &backend_};
  procedure::CancelToken token_;
  std::vector<std::unique_ptr<std::uint64_t>> keys_;
  std::vector<std::optional<absl::StatusOr<StageTimes>>> ends_;
};

TEST_F(BatchingLoopTest, JobsThatWaitTogetherShareAnEvent) {
  for (int i = 0; i < 3; ++i) Start(7);
  EXPECT_TRUE(workers_.events.empty());
  EXPECT_EQ(loop_.Waiting(), 3u);
  EXPECT_FALSE(loop_.Poll());
  ASSERT_EQ(workers_.events.size(), 1u);
  EXPECT_EQ(workers_.events[0]->jobs, 3u);
  EXPECT_EQ(loop_.Waiting(), 3u);
  workers_.events[0]->end = StageTimes{{10, 12, 15, 19, 24}};
  EXPECT_TRUE(loop_.Poll());
  for (const auto& end : ends_) {
    ASSERT_TRUE(end.has_value() && end->ok());
    // Without the first and the last stage, which are not those of the job.
    EXPECT_EQ((*end)->begin_ns, (absl::InlinedVector<std::uint64_t, 24>{12, 15, 19}));
  }
  EXPECT_EQ(loop_.Waiting(), 0u);
}

TEST_F(BatchingLoopTest, AJobAloneHasItsOwnEvent) {
  Start(7);
  EXPECT_FALSE(loop_.Poll());
  ASSERT_EQ(workers_.events.size(), 1u);
  workers_.events[0]->end = StageTimes{{1, 2, 4}};
  EXPECT_TRUE(loop_.Poll());
  EXPECT_EQ((*ends_[0])->begin_ns.size(), 3u);
}

TEST_F(BatchingLoopTest, FewJobsHaveTheirOwnEvents) {
  for (std::size_t i = 0; i < EventLoop::kFewJobs; ++i) Start(7);
  EXPECT_FALSE(loop_.Poll());
  ASSERT_EQ(workers_.events.size(), EventLoop::kFewJobs);
  for (const auto& event : workers_.events) EXPECT_EQ(event->jobs, 1u);
  // As many more share one, since an event runs.
  for (std::size_t i = 0; i < EventLoop::kFewJobs; ++i) Start(7);
  EndFirstEvent();
  ASSERT_EQ(workers_.events.size(), EventLoop::kFewJobs + 1);
  EXPECT_EQ(workers_.events.back()->jobs, EventLoop::kFewJobs);
}

TEST_F(BatchingLoopTest, OnlyLikeJobsShareAnEvent) {
  for (int i = 0; i < 3; ++i) Start(7);
  for (int i = 0; i < 3; ++i) Start(8);
  Start(7, {.priority = 2});
  Start(7, {.tenant = 1});
  Start(7, {.deadline_ns = In(absl::Seconds(1))});
  Start(7, {.deadline_ns = In(absl::Seconds(100))});
  Start(0);
  Start(0);
  EXPECT_FALSE(loop_.Poll());
  EXPECT_EQ(workers_.events.size(), 8u);
}

TEST_F(BatchingLoopTest, AnEventIsAsUrgentAsItsMostUrgentJob) {
  // Their times have the same number of bits, divided by four: 69 s to 1,100 s.
  const std::uint64_t first = In(absl::Seconds(90));
  Start(7, {.deadline_ns = In(absl::Seconds(110))});
  Start(7, {.deadline_ns = first});
  Start(7, {.deadline_ns = In(absl::Seconds(100))});
  EXPECT_FALSE(loop_.Poll());
  ASSERT_EQ(workers_.events.size(), 1u);
  EXPECT_EQ(workers_.events[0]->attributes.deadline_ns, first);
}

TEST_F(BatchingLoopTest, TheEarliestDeadlinesStartFirst) {
  workers_.is_full_for_deadlines = true;
  const std::uint64_t first = In(absl::Seconds(10)), second = In(absl::Seconds(20));
  Start(0, {.deadline_ns = second});
  Start(0, {.deadline_ns = first});
  workers_.is_full_for_deadlines = false;
  ASSERT_TRUE(PollUntil([&] { return workers_.events.size() == 2; }));
  EXPECT_EQ(workers_.events[0]->attributes.deadline_ns, first);
  EXPECT_EQ(workers_.events[1]->attributes.deadline_ns, second);
}

TEST_F(BatchingLoopTest, JobsWaitWhileTheDeviceIsFull) {
  workers_.is_full = true;
  for (int i = 0; i < 3; ++i) Start(7);
  Start(0);
  EXPECT_FALSE(loop_.Poll());
  EXPECT_TRUE(workers_.events.empty());
  EXPECT_EQ(loop_.Waiting(), 4u);
  const int asked = workers_.asked;
  Start(0);  // does not go before the one that waits
  EXPECT_EQ(workers_.asked, asked);
  // There are places for events with a deadline all the same.
  Start(0, {.deadline_ns = In(absl::Seconds(1))});
  EXPECT_EQ(workers_.events.size(), 1u);
  workers_.is_full = false;
  ASSERT_TRUE(PollUntil([&] { return workers_.events.size() == 4; }));
  EXPECT_EQ(loop_.Waiting(), 6u);
  EXPECT_EQ(std::ranges::count_if(workers_.events, [](const auto& e) { return e->jobs == 3; }), 1);
}

TEST_F(BatchingLoopTest, AnEndMakesRoom) {
  Start(0);
  workers_.is_full = true;
  Start(7);
  EXPECT_FALSE(loop_.Poll());
  workers_.is_full = false;
  workers_.events[0]->end = StageTimes{{1, 2}};
  EXPECT_TRUE(loop_.Poll());
  EXPECT_FALSE(loop_.Poll());
  EXPECT_EQ(workers_.events.size(), 2u);
}

TEST_F(BatchingLoopTest, WithoutMemoryJobsHaveTheirOwnEvents) {
  device::CpuBackend small(1, 16);  // bytes
  EventLoop loop(workers_, bell_, &small);
  static constexpr std::uint64_t kKey = 7;
  int ended = 0;
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(loop.Start(procedure::AnyJob::Of(kKey), {}, token_,
                           [&](const auto& end) {
                             EXPECT_TRUE(end.ok());
                             ++ended;
                           })
                    .ok());
  }
  EXPECT_FALSE(loop.Poll());
  ASSERT_EQ(workers_.events.size(), 3u);
  for (const auto& event : workers_.events) {
    EXPECT_EQ(event->jobs, 1u);
    event->end = StageTimes{{1, 2}};
  }
  EXPECT_TRUE(loop.Poll());
  EXPECT_EQ(ended, 3);
}

TEST_F(BatchingLoopTest, EachJobIsChargedItsPart) {
  for (int i = 0; i < 3; ++i) Start(7);
  EXPECT_FALSE(loop_.Poll());
  workers_.events[0]->end = StageTimes{{10, 12, 15, 24}};
  EXPECT_TRUE(loop_.Poll());
  EXPECT_EQ((*ends_[0])->jobs, 3u);
}

TEST_F(BatchingLoopTest, JobsWaitWhileOthersOfTheirGroupShareAnEvent) {
  for (int i = 0; i < 3; ++i) Start(7);
  EXPECT_FALSE(loop_.Poll());
  Start(7);  // also if there is one
  EXPECT_FALSE(loop_.Poll());
  for (int i = 0; i < 3; ++i) Start(7);
  Start(9);  // of another group
  EXPECT_FALSE(loop_.Poll());
  EXPECT_EQ(workers_.events.size(), 2u);
  EndFirstEvent();
  ASSERT_EQ(workers_.events.size(), 3u);
  EXPECT_EQ(workers_.events.back()->jobs, 4u);
}

TEST_F(BatchingLoopTest, JobsWaitWhileFewOfTheirGroupHaveTheirOwnEvents) {
  Start(7);
  EXPECT_FALSE(loop_.Poll());
  for (int i = 0; i < 3; ++i) Start(7);
  EXPECT_FALSE(loop_.Poll());
  EXPECT_EQ(workers_.events.size(), 1u);
  EndFirstEvent();
  ASSERT_EQ(workers_.events.size(), 2u);
  EXPECT_EQ(workers_.events.back()->jobs, 3u);
}

TEST_F(BatchingLoopTest, HasRoomForAnEventOrForSomeJobsAhead) {
  EXPECT_EQ(loop_.Room(false), EventLoop::kMostJobs);
  for (int i = 0; i < 3; ++i) Start(7);
  EXPECT_EQ(loop_.Room(false), EventLoop::kMostJobs - 3);
  EXPECT_FALSE(loop_.Poll());
  EXPECT_EQ(loop_.Room(false), EventLoop::kAhead);
  for (std::size_t i = 0; i < EventLoop::kAhead + 1; ++i) Start(7);
  EXPECT_EQ(loop_.Room(false), 0u);
  EXPECT_FALSE(loop_.Poll());
  EXPECT_EQ(loop_.Room(false), 0u);
  EndFirstEvent();
  EXPECT_EQ(loop_.Room(false), EventLoop::kAhead);
  Start(0);  // an event of its own takes no room
  EXPECT_EQ(loop_.Room(false), EventLoop::kAhead);
  Start(7);
  EXPECT_EQ(loop_.Room(false), EventLoop::kAhead - 1);
  EXPECT_EQ(loop_.Room(true), EventLoop::kAhead) << "jobs with a deadline do not wait for others";
}

TEST_F(BatchingLoopTest, AnEventHasALimitOfJobs) {
  for (std::size_t i = 0; i < EventLoop::kMostJobs + 3; ++i) Start(7);
  EXPECT_FALSE(loop_.Poll());
  ASSERT_EQ(workers_.events.size(), 1u);
  EXPECT_EQ(workers_.events[0]->jobs, EventLoop::kMostJobs);
  EndFirstEvent();
  ASSERT_EQ(workers_.events.size(), 2u);
  EXPECT_EQ(workers_.events[1]->jobs, 3u);
}

TEST_F(BatchingLoopTest, AnEventIsCancelledWhenNobodyWaitsForIt) {
  procedure::CancelToken first, second;
  Start(7, {}, &first);
  Start(7, {}, &first);
  Start(7, {}, &second);
  EXPECT_FALSE(loop_.Poll());
  first.Cancel();
  EXPECT_FALSE(loop_.Poll());
  EXPECT_EQ(workers_.events[0]->cancels, 0);
  second.Cancel();
  EXPECT_FALSE(loop_.Poll());
  EXPECT_GE(workers_.events[0]->cancels, 1);
}

TEST_F(BatchingLoopTest, AWaitingJobThatIsCancelledDoesNotStart) {
  procedure::CancelToken cancelled;
  cancelled.Cancel();
  Start(7, {}, &cancelled);
  Start(7);
  EXPECT_TRUE(loop_.Poll());
  ASSERT_TRUE(ends_[0].has_value());
  EXPECT_TRUE(absl::IsCancelled(ends_[0]->status()));
  ASSERT_EQ(workers_.events.size(), 1u);
  EXPECT_EQ(workers_.events[0]->jobs, 1u);
}

TEST_F(BatchingLoopTest, AllJobsLearnThatTheirEventDoesNotStart) {
  workers_.refusal = absl::UnavailableError("lost");
  for (int i = 0; i < 3; ++i) Start(7);
  Start(8);
  EXPECT_TRUE(loop_.Poll());
  EXPECT_EQ(Ended(), 4u);
  for (const auto& end : ends_) EXPECT_EQ(end->status(), workers_.refusal);
  EXPECT_EQ(loop_.Waiting(), 0u);
}

TEST_F(BatchingLoopTest, AJobMayStartAnotherWhenItEnds) {
  static constexpr std::uint64_t kKey = 7;
  int ends = 0;
  std::function<void(absl::StatusOr<StageTimes>)> next = [&](const auto&) {
    if (++ends <= 6) {
      EXPECT_TRUE(loop_.Start(procedure::AnyJob::Of(kKey), {}, token_, next).ok());
    }
  };
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(loop_.Start(procedure::AnyJob::Of(kKey), {}, token_, next).ok());
  }
  for (std::size_t event = 0; ends < 9; ++event) {
    static_cast<void>(loop_.Poll());
    ASSERT_EQ(workers_.events.size(), event + 1);
    workers_.events[event]->end = StageTimes{{1, 2, 4, 5}};
    EXPECT_TRUE(loop_.Poll());
  }
  EXPECT_EQ(loop_.Waiting(), 0u);
}

}  // namespace
}  // namespace warpyard
