// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Jobs that many threads submit, and that carriers submit while they go on with others: one thread
// accepts them for all.

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "core/base/bell.h"
#include "core/dispatch/dispatcher.h"

namespace warpyard::dispatch {
namespace {

/// A loop whose jobs end at the next look.
class EndingLoop final : public JobLoop {
 public:
  void Add(std::function<void()> end) { ends_.push_back(std::move(end)); }

  bool Poll() override {
    std::vector<std::function<void()>> ends;
    std::swap(ends, ends_);
    for (const auto& end : ends) end();
    return !ends.empty();
  }
  std::size_t Room(bool) const override { return 1000; }
  std::uint64_t Ends() const override { return 0; }
  std::size_t Waiting() const override { return ends_.size(); }
  bool RingsBell() const override { return false; }

 private:
  std::vector<std::function<void()>> ends_;
};

DispatcherOptions Carrying(int carriers, int carried = 0) {
  DispatcherOptions options;
  options.devices = {{4, 0, 0, carriers, carried}};
  options.max_pending = 100'000;
  options.make_loop = [](std::size_t, Bell&) { return std::make_unique<EndingLoop>(); };
  return options;
}

/// A task that is carried, and calls `at_end` before it ends.
Task CarriedTask(std::function<void()> at_end, std::function<void(absl::Status)> reject) {
  Task task;
  task.run = [at_end](const Task::Running&) {
    at_end();
    return absl::OkStatus();
  };
  task.carry = [at_end](const Task::Running&, JobLoop& loop, Task::Ended ended) {
    static_cast<EndingLoop&>(loop).Add([at_end, ended = std::move(ended)] {
      at_end();
      ended(absl::OkStatus());
    });
  };
  task.reject = std::move(reject);
  return task;
}

template <class Condition>
bool Soon(Condition condition) {
  const absl::Time limit = absl::Now() + absl::Seconds(30);
  while (!condition()) {
    if (absl::Now() > limit) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

TEST(DispatcherSubmit, NoJobOfManyThreadsIsLost) {
  constexpr int kThreads = 4, kJobs = 2000;
  std::atomic<int> ended = 0, rejected = 0;
  Dispatcher dispatcher(Carrying(2, 16));
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < kJobs; ++i) {
        JobOrder order;
        if (i % 3 == 1) order.deadline = absl::Now() + absl::Hours(1);
        if (i % 3 == 2) order.chain = static_cast<std::uint64_t>(1 + t);
        Task task = CarriedTask([&] { ++ended; }, [&](const absl::Status&) { ++rejected; });
        if (i % 5 == 0) task.carry = nullptr;
        order.on_submitting_thread = i % 7 == 0;
        dispatcher.Submit(order, std::move(task));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_TRUE(Soon([&] { return ended == kThreads * kJobs; })) << ended << " ended";
  EXPECT_EQ(rejected, 0);
  EXPECT_EQ(dispatcher.Pending(), 0u);
}

TEST(DispatcherSubmit, ACarrierGoesOnWithWhatItsJobsSubmit) {
  std::atomic<int> ended = 0;
  Dispatcher dispatcher(Carrying(1));
  std::function<void()> next = [&] {
    if (++ended < 1000) dispatcher.Submit({}, CarriedTask(next, [](const absl::Status&) {}));
  };
  dispatcher.Submit({}, CarriedTask(next, [](const absl::Status&) {}));
  EXPECT_TRUE(Soon([&] { return ended == 1000; })) << ended << " ended";
}

/// How many of 10,000 jobs are refused because the thread that offers jobs does not come to them:
/// what a job of a carrier submits waits until that job has ended.
std::uint64_t UnseenOf(const DispatcherOptions& options, JobOrder order) {
  Dispatcher dispatcher(options);
  constexpr int kJobs = 10'000;
  std::atomic<int> ended = 0;
  std::atomic<std::uint64_t> unseen = 0;
  const auto submit_many = [&] {
    for (int i = 0; i < kJobs; ++i) {
      order.deadline = absl::Now() + absl::Milliseconds(10);
      auto refusal = dispatcher.Refuse(order);
      Task task = CarriedTask([&] { ++ended; },
                              [&](const absl::Status& why) {
                                unseen += absl::StrContains(why.message(), "decide");
                                ++ended;
                              });
      if (refusal) {
        dispatcher.Reject(std::move(task), *std::move(refusal));
      } else {
        dispatcher.Submit(order, std::move(task));
      }
    }
  };
  dispatcher.Submit({}, CarriedTask(submit_many, [](const absl::Status&) {}));
  EXPECT_TRUE(Soon([&] { return ended == kJobs; })) << ended << " ended";
  EXPECT_EQ(dispatcher.AdmissionOn(0).counts.unseen, unseen);
  return unseen;
}

TEST(DispatcherSubmit, RefusesJobsThatWouldWaitTooLongForADecision) {
  JobOrder order;
  order.estimate = std::make_shared<WorkEstimate>();
  EXPECT_EQ(UnseenOf(Carrying(1), order), 0u) << "of a kind that is not known";
  for (int i = 0; i < 3; ++i) order.estimate->Learn({1000, 1000, true});
  EXPECT_GT(UnseenOf(Carrying(1), order), 5000u);
  order.run_late = true;
  EXPECT_EQ(UnseenOf(Carrying(1), order), 0u);
  order.run_late = false;
  DispatcherOptions off = Carrying(1);
  off.admission.on = false;
  EXPECT_EQ(UnseenOf(off, order), 0u);
}

TEST(DispatcherSubmit, AJobOfACarrierCanBeCancelledAtOnce) {
  std::atomic<int> rejected = 0, ended = 0;
  Dispatcher dispatcher(Carrying(1));
  dispatcher.Submit({}, CarriedTask(
                            [&] {
                              const JobId id = dispatcher.Submit(
                                  {}, CarriedTask([&] { ++ended; },
                                                  [&](const absl::Status& why) {
                                                    EXPECT_TRUE(absl::IsCancelled(why)) << why;
                                                    ++rejected;
                                                  }));
                              EXPECT_EQ(dispatcher.Pending(), 1u);
                              dispatcher.Cancel(id);
                            },
                            [](const absl::Status&) {}));
  EXPECT_TRUE(Soon([&] { return rejected == 1; }));
  EXPECT_EQ(ended, 0);
}

TEST(DispatcherSubmit, ACarrierMaySubmitToAnotherDispatcher) {
  std::atomic<int> ended = 0;
  Dispatcher other(Carrying(1));
  Dispatcher dispatcher(Carrying(1));
  dispatcher.Submit(
      {}, CarriedTask(
              [&] { other.Submit({}, CarriedTask([&] { ++ended; }, [](const absl::Status&) {})); },
              [](const absl::Status&) {}));
  EXPECT_TRUE(Soon([&] { return ended == 1; }));
}

TEST(DispatcherSubmit, CarriedJobsAndRunnersDoNotTakeEachOthersPlaces) {
  DispatcherOptions options = Carrying(1, 8);
  options.devices[0].runners = 2;
  options.devices[0].kept_for_near_deadlines = 1;
  std::atomic<bool> stops = false;
  std::atomic<int> blocked = 0, carried = 0, urgent = 0;
  Dispatcher dispatcher(options);
  for (int i = 0; i < 3; ++i) {  // one of them runs, since the other runner is kept
    Task task = CarriedTask(
        [&] {
          ++blocked;
          EXPECT_TRUE(Soon([&] { return stops.load(); }));
        },
        [](const absl::Status&) {});
    task.carry = nullptr;
    dispatcher.Submit({}, std::move(task));
  }
  EXPECT_TRUE(Soon([&] { return blocked == 1; }));
  for (int i = 0; i < 100; ++i) {
    dispatcher.Submit({}, CarriedTask([&] { ++carried; }, [](const absl::Status&) {}));
  }
  EXPECT_TRUE(Soon([&] { return carried == 100; })) << "they do not wait for a runner";
  Task task = CarriedTask([&] { ++urgent; }, [](const absl::Status&) {});
  task.carry = nullptr;
  JobOrder order;
  order.deadline = absl::Now() + absl::Milliseconds(900);
  dispatcher.Submit(order, std::move(task));
  EXPECT_TRUE(Soon([&] { return urgent == 1; })) << "its runner was kept";
  EXPECT_EQ(blocked, 1);
  stops = true;
  EXPECT_TRUE(Soon([&] { return blocked == 3; }));
}

TEST(DispatcherSubmit, EachJobOfTwoDevicesStartsAlone) {
  DispatcherOptions options = Carrying(1);
  options.devices.push_back(options.devices[0]);
  Dispatcher dispatcher(options);
  for (int i = 0; i < 400; ++i) {
    std::atomic<int> ended = 0;
    std::vector<std::thread> threads;
    for (std::size_t device = 0; device < 2; ++device) {
      threads.emplace_back([&, device] {
        JobOrder order;
        order.device = device;
        order.on_submitting_thread = (static_cast<std::size_t>(i) + device) % 3 == 0;
        Task task = CarriedTask([&] { ++ended; }, [](const absl::Status&) {});
        if (i % 2 == 0) task.carry = nullptr;
        dispatcher.Submit(order, std::move(task));
      });
    }
    for (std::thread& thread : threads) thread.join();
    ASSERT_TRUE(Soon([&] { return ended == 2; })) << "nothing comes after them that wakes a thread";
  }
}

TEST(DispatcherSubmit, CarriersHelpToDeliverManyRejections) {
  std::atomic<bool> goes_on = false;
  std::atomic<int> kept = 0, rejected = 0;
  std::atomic<bool> stops = false;
  std::function<void()> again;
  Dispatcher dispatcher(Carrying(1));
  for (int i = 0; i < 2; ++i) {
    dispatcher.Reject(CarriedTask([] {},
                                  [&](const absl::Status&) {
                                    ++kept;
                                    EXPECT_TRUE(Soon([&] { return goes_on.load(); }));
                                  }),
                      absl::InternalError("keeps a thread of deliveries"));
    ASSERT_TRUE(Soon([&] { return kept == i + 1; })) << "another one is free";
  }
  again = [&] {
    if (!stops) dispatcher.Submit({}, CarriedTask(again, [](const absl::Status&) {}));
  };
  dispatcher.Submit({}, CarriedTask(again, [](const absl::Status&) {}));
  for (int i = 0; i < 200; ++i) {
    dispatcher.Reject(CarriedTask([] {}, [&](const absl::Status&) { ++rejected; }),
                      absl::InternalError("for a carrier"));
  }
  EXPECT_TRUE(Soon([&] { return rejected >= 100; })) << rejected << " rejected";
  goes_on = true;
  EXPECT_TRUE(Soon([&] { return rejected == 200; })) << rejected << " rejected";
  stops = true;
}

}  // namespace
}  // namespace warpyard::dispatch
