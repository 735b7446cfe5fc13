// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/engine/device_engine.h"

#include <algorithm>
#include <chrono>
#include <new>
#include <utility>

#include "absl/hash/hash.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "core/base/macros.h"
#include "core/base/status_facts.h"
#include "core/engine/device_statistics.h"

namespace warpyard {
namespace {

using Running = dispatch::Task::Running;

int UrgencyOf(const JobOptions& options) {
  return options.deadline != absl::InfiniteFuture() ? dispatch::kDeadlineUrgency
                                                    : static_cast<int>(options.priority) + 1;
}

/// Models use the monotonic clock, so a deadline of the wall clock is converted when it is set.
std::uint64_t ToSteadyNs(absl::Time deadline) {
  if (deadline == absl::InfiniteFuture()) return policy::kNoDeadline;
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  const absl::Duration left = std::max(deadline - absl::Now(), absl::ZeroDuration());
  return static_cast<std::uint64_t>(
      absl::ToInt64Nanoseconds(absl::FromChrono(now) + std::min(left, absl::Hours(24 * 365))));
}

/// @shape seconds: expected time of the job on the device; 0: not known
policy::EventAttributes AttributesOf(const JobOptions& options, double seconds,
                                     std::uint32_t workers) {
  policy::EventAttributes attributes;
  attributes.deadline_ns = ToSteadyNs(options.deadline);
  attributes.priority = static_cast<std::uint32_t>(options.priority);
  attributes.tenant = options.tenant;
  // Policies compare this with the summed time of all workers, so it assumes that the event keeps
  // all workers busy for `seconds`.
  attributes.expected_ns = static_cast<std::uint64_t>(seconds * 1e9 * workers);
  return attributes;
}

std::vector<double> PowersOf(const std::vector<EngineDevice>& devices) {
  std::vector<double> powers;
  for (const EngineDevice& device : devices) {
    powers.push_back(std::max(1.0, static_cast<double>(device.workers->Workers())));
  }
  return powers;
}

/// @shape devices: outlives the dispatcher
dispatch::DispatcherOptions ToDispatcherOptions(const std::vector<EngineDevice>& devices,
                                                const EngineOptions& options) {
  dispatch::DispatcherOptions dispatcher;
  dispatcher.devices.clear();
  for (const EngineDevice& device : devices) dispatcher.devices.push_back(device.runners);
  // These policies share or order by events, so an event of several jobs would count as one of
  // them.
  const bool by_event = options.policy.kind == policy::PolicyKind::kFairShare ||
                        options.policy.kind == policy::PolicyKind::kShortestJob;
  const bool batches = options.batching && !by_event;
  dispatcher.make_loop = [&devices, batches](std::size_t device, Bell& bell) {
    const EngineDevice& of = devices[device];
    return std::make_unique<EventLoop>(*of.workers, bell, batches ? of.backend.get() : nullptr);
  };
  dispatcher.max_pending = static_cast<std::size_t>(options.max_pending_jobs);
  dispatcher.time_limit = options.job_time_limit;
  dispatcher.admission.on = options.admission;
  static_assert(kMaxTenants == dispatch::kAdmissionTenants);
  std::copy_n(options.policy.weights, kMaxTenants, dispatcher.admission.weights.begin());
  return dispatcher;
}

EngineStatistics::Jobs JobsOf(std::size_t running,
                              const dispatch::Dispatcher::AdmissionState& state) {
  const dispatch::AdmissionCounts& counts = state.counts;
  return {running,         counts.accepted, counts.refused, counts.unseen, counts.gave_way,
          counts.given_up, counts.missed,   counts.late,    state.backlog, state.safety};
}

/// Work that never waits, since it blocks.
Engine::CarriedWork Blocking(Engine::Work work) {
  return [work = std::move(work)](JobContext& context) -> Task<absl::Status> {
    co_return work(context);
  };
}

absl::Status NoSuchResident() { return absl::NotFoundError("no such resident"); }

}  // namespace

DeviceEngine::DeviceEngine(EngineDevices devices, const EngineOptions& options)
    : devices_(std::move(devices.devices)),
      note_(std::move(devices.note)),
      ledger_(PowersOf(devices_)),
      residents_(static_cast<std::size_t>(options.max_residents)),
      dispatcher_(ToDispatcherOptions(devices_, options)) {}

JobId DeviceEngine::OpenResident(const JobOptions& options, Open open, OpenDone done) {
  const absl::StatusOr<Placement> place = PlaceAnywhere(options);
  if (!place.ok()) return Reject(std::move(done), place.status());
  auto id = std::make_shared<ResidentId>();
  Work work = [this, device = place->device, open = std::move(open), id](JobContext& context) {
    WY_ASSIGN_OR_RETURN(*id, OpenOn(device, open, context));
    return absl::OkStatus();
  };
  return Submit(
      options, *place, Blocking(std::move(work)),
      [id, done = std::move(done)](const absl::Status& status) {
        if (!status.ok()) return done(status);
        done(*id);
      },
      Threads::kRunners);
}

absl::StatusOr<ResidentId> DeviceEngine::OpenOn(std::size_t device, const Open& open,
                                                JobContext& context) {
  WY_RETURN_IF_ERROR(residents_.CheckRoom());
  auto opened = std::make_shared<OpenedResident>(device, ledger_.AddResident(device));
  WY_ASSIGN_OR_RETURN(std::unique_ptr<Resident> resident, open(context));
  opened->Set(std::move(resident));
  return residents_.Add(std::move(opened));  // may find no room: others open residents, too
}

JobId DeviceEngine::RunOn(ResidentId resident, const JobOptions& options, CarriedWorkOn work,
                          Done done, Threads threads) {
  std::shared_ptr<OpenedResident> opened = residents_.Find(resident);
  if (opened == nullptr) return Reject(std::move(done), NoSuchResident());
  OpenedResident& found = *opened;
  const bool together = found.resident().jobs() == Resident::Jobs::kTogether;
  return Submit(
      options, {found.device(), together ? 0 : resident.value, std::move(opened)},
      [&found, work = std::move(work)](JobContext& context) -> Task<absl::Status> {
        absl::Status status = co_await work(context, found.resident());
        if (status.ok()) found.LearnSeconds(static_cast<double>(context.device_ns()) * 1e-9);
        co_return status;
      },
      std::move(done), threads);
}

JobId DeviceEngine::Run(ResidentId resident, const JobOptions& options, WorkOn work, Done done) {
  return RunOn(
      resident, options,
      [work = std::move(work)](JobContext& context, Resident& of) -> Task<absl::Status> {
        co_return work(context, of);
      },
      std::move(done), Threads::kRunners);
}

JobId DeviceEngine::RunCarried(ResidentId resident, const JobOptions& options, CarriedWorkOn work,
                               Done done) {
  return RunOn(resident, options, std::move(work), std::move(done), Threads::kCarriers);
}

JobId DeviceEngine::Run(const JobOptions& options, Work work, Done done) {
  const absl::StatusOr<Placement> place = PlaceAnywhere(options);
  if (!place.ok()) return Reject(std::move(done), place.status());
  return Submit(options, *place, Blocking(std::move(work)), std::move(done), Threads::kRunners);
}

JobId DeviceEngine::RunCarried(const JobOptions& options, CarriedWork work, Done done) {
  const absl::StatusOr<Placement> place = PlaceAnywhere(options);
  if (!place.ok()) return Reject(std::move(done), place.status());
  return Submit(options, *place, std::move(work), std::move(done), Threads::kCarriers);
}

absl::Status DeviceEngine::Close(ResidentId resident) {
  // The memory is freed here, or by the last job that uses the resident.
  return residents_.Remove(resident) != nullptr ? absl::OkStatus() : NoSuchResident();
}

JobId DeviceEngine::Reject(Done done, dispatch::Refusal why) {
  dispatch::Task task;
  task.reject = std::move(done);
  dispatcher_.Reject(std::move(task), std::move(why));
  return {};
}

absl::StatusOr<DeviceEngine::Placement> DeviceEngine::PlaceAnywhere(
    const JobOptions& options) const {
  const std::optional<std::size_t> device = ledger_.ChooseDevice(
      [this](std::size_t i) { return !devices_[i].workers->Health().ok(); }, UrgencyOf(options));
  if (device) return Placement{*device};
  return WithCause(Cause::kDeviceLost,
                   absl::UnavailableError(absl::StrCat("no device is left: ",
                                                       devices_[0].workers->Health().message())));
}

JobId DeviceEngine::Submit(const JobOptions& options, const Placement& place, CarriedWork work,
                           Done done, Threads threads) {
  if (options.tenant >= kMaxTenants) {
    return Reject(
        std::move(done),
        InvalidField("tenant", absl::StrCat(options.tenant, ", expected less than ", kMaxTenants)));
  }
  const dispatch::JobOrder order = OrderOf(options, place);
  if (auto why = dispatcher_.Refuse(order)) return Reject(std::move(done), *std::move(why));
  // The claim is part of the submission, so it ends with the job in every case.
  auto job = std::make_shared<Submission>(
      Submission{options, place, std::move(work), std::move(done),
                 ledger_.AddEvent(place.device, UrgencyOf(options), place.Seconds())});
  Submission* const own = job.get();
  dispatch::Task task;
  task.state = std::move(job);
  task.reject = [own](const absl::Status& status) { own->done(status); };
  task.run = [this, own](const Running& running) {
    absl::Status status = DoWork(*own, running, nullptr).RunNow();
    own->done(status);
    return status;
  };
  if (threads == Threads::kCarriers) {
    task.carry = [this, own](const Running& running, dispatch::JobLoop& loop,
                             dispatch::Task::Ended ended) {
      // The loops are those that this engine has made.
      Complete(DoWork(*own, running, &static_cast<EventLoop&>(loop)), *own, std::move(ended));
    };
  }
  return dispatcher_.Submit(order, std::move(task));
}

dispatch::JobOrder DeviceEngine::OrderOf(const JobOptions& options, const Placement& place) {
  dispatch::JobOrder order;
  order.deadline = options.deadline;
  order.priority = static_cast<int>(options.priority);
  order.chain = place.chain;
  order.device = place.device;
  order.on_submitting_thread = options.lend_thread;
  order.run_late = options.when_late == WhenLate::kRun;
  order.tenant = options.tenant;
  if (options.deadline == absl::InfiniteFuture() || options.kind == 0) return order;
  order.estimate = place.resident != nullptr
                       ? place.resident->EstimateOf(options.kind)
                       : kinds_.Find(absl::HashOf(options.kind, options.tenant, place.device));
  return order;
}

Task<absl::Status> DeviceEngine::DoWork(const Submission& job, const Running& running,
                                        EventLoop* loop) const {
  const JobOptions& options = job.options;
  const EngineDevice& device = devices_[job.place.device];
  if (options.observer != nullptr) options.observer->OnStart(running.waited);
  policy::EventAttributes attributes =
      AttributesOf(options, job.place.Seconds(), device.workers->Workers());
  if (running.is_late) attributes.deadline_ns = policy::kNoDeadline;
  JobContext context({*device.backend, *device.workers}, attributes, running.token, running.waited,
                     loop);
  // In containers the host's memory can run out. That must fail one job, not the process.
  try {
    absl::Status status = co_await job.work(context);
    // CANCELLED from below means that the token fired; only the dispatcher knows why.
    co_return absl::IsCancelled(status) ? running.error() : status;
  } catch (const std::bad_alloc&) {
  }
  co_return WithCause(Cause::kDeviceMemory,
                      absl::ResourceExhaustedError("the host has no memory left for this job"));
}

DetachedTask DeviceEngine::Complete(Task<absl::Status> work, const Submission& job,
                                    dispatch::Task::Ended ended) {
  absl::Status status = co_await work;
  job.done(status);
  ended(std::move(status));
}

EngineStatistics DeviceEngine::Statistics() const {
  EngineStatistics statistics;
  for (std::size_t i = 0; i < devices_.size(); ++i) {
    EngineStatistics::Device device = StatisticsOf(devices_[i]);
    device.jobs = JobsOf(dispatcher_.RunningOn(i), dispatcher_.AdmissionOn(i));
    device.residents = ledger_.Residents(i);
    statistics.memory_used_bytes += device.memory_used_bytes;
    statistics.memory_limit_bytes += device.memory_limit_bytes;
    statistics.devices.push_back(std::move(device));
  }
  const absl::Time now = absl::Now();
  for (const auto& [priority, waiting] : dispatcher_.PendingByPriority()) {
    statistics.waiting[static_cast<std::size_t>(priority)] = {
        waiting.jobs, std::max(now - waiting.oldest, absl::ZeroDuration())};
    statistics.jobs_pending += waiting.jobs;
  }
  statistics.max_jobs_pending = dispatcher_.MaxPending();
  statistics.jobs_running = dispatcher_.Running();
  statistics.residents = residents_.Size();
  return statistics;
}

std::vector<DeviceHealth> DeviceEngine::Health() const {
  std::vector<DeviceHealth> health;
  for (const EngineDevice& device : devices_) {
    health.push_back({device.name, device.workers->Health()});
  }
  return health;
}

std::string DeviceEngine::BackendDescription() const {
  std::string description;
  for (const EngineDevice& device : devices_) {
    absl::StrAppend(&description, description.empty() ? "" : "; ", device.backend->Description());
  }
  return description;
}

std::unique_ptr<Engine> MakeEngine(EngineDevices devices, const EngineOptions& options) {
  return std::make_unique<DeviceEngine>(std::move(devices), options);
}

}  // namespace warpyard
