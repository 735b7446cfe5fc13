// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/engine/event_loop.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <new>
#include <utility>

#include "core/base/macros.h"
#include "core/exec/thread_scope.h"

namespace warpyard {
namespace {

/// The stages of a job, of those of an event that several jobs share: without the first and the
/// last one (model/batched_jobs.h).
procedure::StageTimes OwnStages(const procedure::StageTimes& all, std::size_t jobs) {
  procedure::StageTimes own;
  own.begin_ns.assign(all.begin_ns.begin() + 1, all.begin_ns.end() - 1);
  own.jobs = static_cast<std::uint32_t>(jobs);
  return own;
}

}  // namespace

EventLoop::EventLoop(DeviceWorkers& workers, Bell& bell, device::Backend* backend)
    : workers_(workers), bell_(bell) {
  const std::size_t bytes = workers.BatchedBytes();
  if (backend != nullptr && bytes != 0) memories_.emplace(*backend, kMostJobs * bytes);
}

absl::Status EventLoop::Start(const procedure::AnyJob& job,
                              const policy::EventAttributes& attributes,
                              const procedure::CancelToken& token, procedure::EventEnded ended) {
  Job started{job, attributes, &token, std::move(ended), GroupOf(job, attributes)};
  if (!started.group && !is_full_[started.HasDeadline()]) {
    WY_ASSIGN_OR_RETURN(const bool starts, StartAlone(started));
    if (starts) return absl::OkStatus();
  }
  AddWaiting(std::move(started));
  return absl::OkStatus();
}

/// The attributes of an event that several jobs share. It is as urgent as the most urgent of those
/// that are not late already: an event whose deadline is over is not urgent any more.
policy::EventAttributes EventLoop::Common(const std::vector<Job>& jobs) {
  policy::EventAttributes common = jobs.front().attributes;
  const std::uint64_t now_ns = exec::ThreadScope::NowNs();
  for (const Job& job : jobs) {
    const std::uint64_t deadline_ns = job.attributes.deadline_ns;
    if (deadline_ns <= now_ns) continue;
    common.deadline_ns =
        common.deadline_ns <= now_ns ? deadline_ns : std::min(common.deadline_ns, deadline_ns);
  }
  return common;
}

std::optional<EventLoop::Group> EventLoop::GroupOf(
    const procedure::AnyJob& job, const policy::EventAttributes& attributes) const {
  if (!memories_) return std::nullopt;
  const std::uint64_t key = workers_.BatchKey(job);
  if (key == 0) return std::nullopt;
  int time_left = kNoDeadline;
  if (attributes.deadline_ns != policy::kNoDeadline) {
    const std::uint64_t now_ns = exec::ThreadScope::NowNs();
    const std::uint64_t left_ns = std::max(attributes.deadline_ns, now_ns) - now_ns;
    time_left = static_cast<int>(std::bit_width(left_ns)) / 4;
  }
  return Group{job.type, key, attributes.priority, attributes.tenant, time_left};
}

void EventLoop::AddWaiting(Job job) {
  const auto place =
      std::upper_bound(waiting_.begin(), waiting_.end(), job, [](const Job& a, const Job& b) {
        return a.attributes.deadline_ns < b.attributes.deadline_ns;
      });
  waiting_.insert(place, std::move(job));
}

std::size_t EventLoop::Room(bool has_deadline) const {
  const std::size_t most = std::ranges::any_of(events_, &Event::IsShared) ? kAhead : kMostJobs;
  const auto waiting = static_cast<std::size_t>(std::ranges::count_if(
      waiting_, [&](const Job& job) { return job.HasDeadline() == has_deadline; }));
  return most - std::min(waiting, most);
}

std::size_t EventLoop::EventsOf(const Group& group) const {
  return static_cast<std::size_t>(
      std::ranges::count_if(events_, [&](const Event& event) { return event.IsOf(group); }));
}

std::size_t EventLoop::WaitingOf(const Group& group) const {
  return static_cast<std::size_t>(
      std::ranges::count_if(waiting_, [&](const Job& job) { return job.group == group; }));
}

/// Whether there are enough events of the job's group, or no event like its own may start.
bool EventLoop::HasToWait(const Job& job) const {
  if (is_full_[job.HasDeadline()]) return true;
  if (!job.group) return false;
  const bool shared = std::ranges::any_of(
      events_, [&](const Event& event) { return event.IsShared() && event.IsOf(*job.group); });
  const bool few = !shared && WaitingOf(*job.group) <= kFewJobs;
  return EventsOf(*job.group) >= (few ? kFewJobs : 1);
}

/// Ends jobs that wait and are cancelled. Returns whether there was one.
bool EventLoop::EndCancelled() {
  const auto rest = std::stable_partition(waiting_.begin(), waiting_.end(),
                                          [](const Job& job) { return !job.token->Cancelled(); });
  if (rest == waiting_.end()) return false;
  EndAll(Take(rest), absl::CancelledError("cancelled before it started"));
  return true;
}

/// Starts events for waiting jobs. Returns whether a job has ended, since its event cannot start.
bool EventLoop::StartWaiting() {
  if ((is_full_[0] || is_full_[1]) && Clock::now() - full_since_ > kPause) {
    is_full_[0] = is_full_[1] = false;
  }
  bool any = false;
  std::optional<Group> waits;  // its jobs are many, and often follow one another
  for (std::size_t i = 0; i < waiting_.size();) {
    const Job& job = waiting_[i];
    if ((waits && job.group == waits) || HasToWait(job)) {
      waits = job.group;
      ++i;
    } else if (StartFrom(i)) {
      any = true;
      i = 0;  // the jobs that have ended may have started others
      waits.reset();
    }
  }
  return any;
}

/// Starts an event for a waiting job and those that may share it. Returns whether they have ended,
/// since their event cannot start. If the event does not start now, HasToWait or the group of the
/// jobs changes, so that the caller does not try the same again.
bool EventLoop::StartFrom(std::size_t first) {
  std::vector<Job> jobs = TakeTogether(first);
  absl::StatusOr<bool> starts;
  try {
    starts = StartTogether(jobs);
  } catch (const std::bad_alloc&) {  // must fail some jobs, not the process
    starts = absl::ResourceExhaustedError("the host has no memory left to start an event");
  }
  if (!starts.ok()) {
    EndAll(jobs, starts.status());
    return true;
  }
  if (!*starts) {
    for (Job& job : jobs) AddWaiting(std::move(job));
  }
  return false;
}

/// Takes a waiting job, and those that may share its event.
std::vector<EventLoop::Job> EventLoop::TakeTogether(std::size_t first) {
  const std::optional<Group> group = waiting_[first].group;
  const bool share = group && (WaitingOf(*group) > kFewJobs || EventsOf(*group) != 0);
  std::size_t left = share ? kMostJobs : 1;
  const auto rest = std::stable_partition(waiting_.begin() + static_cast<std::ptrdiff_t>(first),
                                          waiting_.end(), [&](const Job& job) {
                                            const bool takes = left != 0 && job.group == group;
                                            left -= takes;
                                            return !takes;
                                          });
  return Take(rest);
}

/// Takes the waiting jobs from a place on.
std::vector<EventLoop::Job> EventLoop::Take(std::vector<Job>::iterator from) {
  std::vector<Job> taken(std::make_move_iterator(from), std::make_move_iterator(waiting_.end()));
  waiting_.erase(from, waiting_.end());
  return taken;
}

/// Starts an event for jobs that may share it. Returns false, and leaves the jobs, if it does not
/// start now.
absl::StatusOr<bool> EventLoop::StartTogether(std::vector<Job>& jobs) {
  if (jobs.size() == 1) return StartAlone(jobs.front());
  std::unique_ptr<BatchMemory> memory = memories_->Take();
  if (memory == nullptr) {  // there may be some later: these jobs have events of their own
    for (Job& job : jobs) job.group.reset();
    return false;
  }
  std::vector<procedure::AnyJob> any;
  for (const Job& job : jobs) any.push_back(job.job);
  events_.reserve(events_.size() + 1);  // an event that runs must not be lost for want of memory
  auto event = workers_.StartBatch(any, *memory, Common(jobs), bell_);
  if (!event.ok() || *event == nullptr) {
    memories_->Give(std::move(memory));
    if (!event.ok()) return event.status();
    is_full_[jobs.front().HasDeadline()] = true;
    full_since_ = Clock::now();
    return false;
  }
  running_jobs_ += jobs.size();
  events_.push_back({*std::move(event), std::move(jobs), std::move(memory)});
  return true;
}

absl::StatusOr<bool> EventLoop::StartAlone(Job& job) {
  events_.reserve(events_.size() + 1);
  std::vector<Job> jobs(1);
  WY_ASSIGN_OR_RETURN(auto event, workers_.Start(job.job, job.attributes, bell_));
  if (event == nullptr) {
    is_full_[job.HasDeadline()] = true;
    full_since_ = Clock::now();
    return false;
  }
  jobs.front() = std::move(job);
  ++running_jobs_;
  events_.push_back({std::move(event), std::move(jobs), nullptr});
  return true;
}

bool EventLoop::Poll() {
  bool any = EndCancelled();
  any |= StartWaiting();
  for (std::size_t i = 0; i < events_.size();) {
    Event& event = events_[i];
    const bool none_left =
        std::ranges::all_of(event.jobs, [](const Job& job) { return job.token->Cancelled(); });
    if (none_left) event.event->Cancel();
    auto end = event.event->TakeEnd();
    if (!end.has_value()) {
      ++i;
      continue;
    }
    any = true;
    is_full_[0] = is_full_[1] = false;
    Event ended = std::move(event);
    if (i + 1 < events_.size()) std::swap(event, events_.back());
    events_.pop_back();
    running_jobs_ -= ended.jobs.size();
    End(ended, *std::move(end));
  }
  return any;
}

/// Tells the jobs of an event that it is over. They may start their next events.
void EventLoop::End(Event& event, absl::StatusOr<procedure::StageTimes> end) {
  if (event.memory != nullptr) {
    memories_->Give(std::move(event.memory));
    if (end.ok()) *end = OwnStages(*end, event.jobs.size());
  }
  EndAll(event.jobs, end);
}

void EventLoop::EndAll(const std::vector<Job>& jobs,
                       const absl::StatusOr<procedure::StageTimes>& end) {
  ++ends_;
  for (const Job& job : jobs) job.ended(end);
}

}  // namespace warpyard
