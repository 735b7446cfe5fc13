// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The part of the dispatcher that runs jobs on carriers.

#include <sys/prctl.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "core/base/lock_soon.h"
#include "core/dispatch/dispatcher.h"

namespace warpyard::dispatch {
namespace {

using Clock = std::chrono::steady_clock;

/// A carrier takes an equal part of the waiting jobs at once, but at least kFewAtOnce of them and
/// at most kMostAtOnce, the size of an event. The carrier prepares its jobs one after another. If
/// it took more jobs, the last of them would wait for this carrier while another one could start
/// them.
constexpr std::size_t kFewAtOnce = 16, kMostAtOnce = 64;

/// If more rejections are to be delivered than these, carriers help, between their jobs.
constexpr std::size_t kMostToDeliver = 64;

/// A carrier that polls spins for so long after the last event that ended, and then sleeps for so
/// long between two looks.
constexpr std::chrono::microseconds kSpin{200};
constexpr std::chrono::microseconds kPause{20};
/// A carrier that sleeps until its bell rings looks this often whether its jobs are cancelled.
constexpr std::chrono::milliseconds kLook{1};

/// Makes sleeps of this thread as short as they are asked for. Linux may make them 50 us longer.
void SleepExactly() {
  prctl(PR_SET_TIMERSLACK, 1ul);  // in ns; if it fails, sleeps are long
}

}  // namespace

/// Takes the first waiting job that is to be carried, if it may start and there is room for it.
/// @shape room: of jobs without and with a deadline; gets what is left
std::optional<Dispatcher::Started> Dispatcher::TakeCarried(RunnerPool& pool, absl::Time now,
                                                           absl::Span<std::size_t> room,
                                                           double begun_ns) {
  GiveUpHopelessJobs(pool, kOfCarriers, begun_ns);
  const JobRank* head = pool.waiting.Head(kOfCarriers);
  if (head == nullptr) return std::nullopt;
  const Urgency urgency = UrgencyOf(head->deadline, now);
  std::size_t& left = room[urgency != Urgency::kNone];
  if (left == 0 || !MayStart(pool, kOfCarriers, urgency)) return std::nullopt;
  --left;
  return TakeHead(pool, kOfCarriers, urgency);
}

/// Takes the first waiting jobs that a carrier may start and has room for, and begins them.
void Dispatcher::TakeJobs(RunnerPool& pool, Carrier& carrier, std::vector<Started>& begun) {
  const absl::Time now = absl::Now();
  const std::size_t part = pool.waiting.Size() / pool.carriers.size();
  const std::size_t most = std::clamp(part, kFewAtOnce, kMostAtOnce);
  std::size_t room[] = {carrier.loop->Room(false), carrier.loop->Room(true)};
  double begun_ns = 0;
  while (begun.size() < most) {
    auto started = TakeCarried(pool, now, absl::MakeSpan(room), begun_ns);
    if (!started) break;
    begun_ns += started->job->cost_ns;
    Begin(started->job);
    ++carrier.jobs;
    begun.push_back(*std::move(started));
  }
  for (std::size_t i = 0; i < 2; ++i) carrier.has_room[i] = room[i] != 0;
}

/// No exception may leave this function, because the job would count as running for ever.
void Dispatcher::Carry(Carrier& carrier, const Started& started) noexcept {
  const Job& job = *started.job;
  job.task.carry(*job.running, *carrier.loop, [&carrier, started](absl::Status status) {
    carrier.ended.push_back({started, std::move(status), carrier.loop->Ends()});
  });
}

/// Goes on with the carrier's jobs once, and then until one ends, or the carrier is called or has
/// room again, or for the given time.
void Dispatcher::WaitForJobs(Carrier& carrier, absl::Duration longest) {
  JobLoop& loop = *carrier.loop;
  Clock::time_point now = Clock::now();
  const Clock::time_point end = now + absl::ToChronoNanoseconds(longest);
  Clock::time_point awake_until = now + kSpin;
  bool goes_on = loop.Poll();  // starts what was just carried, also where the carrier is called
  while (carrier.ended.empty() && !carrier.has_submitted &&
         !carrier.called.load(std::memory_order_acquire) && now < end) {
    for (const bool deadline : {false, true}) {
      std::atomic<bool>& has_room = carrier.has_room[deadline];
      if (has_room.load(std::memory_order_relaxed) || loop.Room(deadline) == 0) continue;
      has_room.store(true, std::memory_order_relaxed);
      return;
    }
    if (goes_on) {
      awake_until = now + kSpin;
    } else if (loop.Waiting() == 0) {
      carrier.bell.WaitFor(end - now);
    } else if (loop.RingsBell()) {
      carrier.bell.WaitFor(kLook);
    } else if (now > awake_until) {
      carrier.bell.WaitFor(kPause);
    }
    goes_on = loop.Poll();
    now = Clock::now();
  }
}

/// The caller accepts what was offered.
void Dispatcher::LockForCarrier(std::unique_lock<std::mutex>& lock) {
  arrivals_.carriers_to_come.fetch_add(1, std::memory_order_relaxed);
  LockSoon(lock);
  arrivals_.carriers_to_come.fetch_sub(1, std::memory_order_relaxed);
}

void Dispatcher::CarrierMain(std::size_t device, Carrier& carrier) {
  RunnerPool& pool = *pools_[device];
  SleepExactly();
  this_carrier_ = &carrier;
  carrier.loop = options_.make_loop(device, carrier.bell);
  std::vector<Started> begun;
  std::vector<Ended> ended;
  std::unique_lock lock(mutex_);
  while (true) {
    Finish(pool, ended);
    carrier.jobs -= ended.size();
    AcceptOffered();
    AnnounceNew();
    TakeJobs(pool, carrier, begun);
    // What it leaves waiting is for a runner or another carrier; or for this one, if no other one
    // can be called.
    carrier.called = true;
    const std::optional<Urgency> first = FirstOf(pool, kOfCarriers);
    const bool has_changed = !ended.empty() || !begun.empty();
    const bool lacks_room = first.has_value() && !carrier.HasRoomFor(*first);
    const bool is_told = !(has_changed || lacks_room) || Announce(pool);
    carrier.called.store(has_changed && !is_told, std::memory_order_relaxed);
    if (stop_ && begun.empty() && carrier.loop->Waiting() == 0) return;
    const absl::Duration longest = UntilNear(pool, kOfCarriers, absl::Now());
    lock.unlock();
    ended.clear();  // frees what the tasks hold, outside the lock
    StartAll(pool, begun);
    for (const Started& started : begun) Carry(carrier, started);
    begun.clear();
    if (deliveries_.Size() > kMostToDeliver) deliveries_.DeliverSome();
    WaitForJobs(carrier, longest);
    std::swap(ended, carrier.ended);
    Leave(pool, ended);
    if (std::exchange(carrier.has_submitted, false)) OfferAll();
    LockForCarrier(lock);
  }
}

}  // namespace warpyard::dispatch
