// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Runs jobs of any workload on devices. It also keeps residents, the data on which the jobs work.
// No network types.
//
// The engine knows no workload. The typed face of each workload is in core/api: it wraps the
// workload's host code into the functions that this interface takes.
#ifndef WARPYARD_CORE_ENGINE_ENGINE_H_
#define WARPYARD_CORE_ENGINE_ENGINE_H_

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/base/ids.h"
#include "core/base/task.h"
#include "core/engine/engine_options.h"
#include "core/engine/job_context.h"
#include "core/engine/statistics.h"

namespace warpyard {

/// Data that a client opens once for many jobs: a scene, a model, a compiled grammar. A resident
/// lives on one device, and all of its jobs run there.
class Resident {
 public:
  /// How its jobs run: one at a time, in the order of submission; or several at the same time,
  /// which is for jobs that only read it.
  enum class Jobs { kOneAtATime, kTogether };

  explicit Resident(Jobs jobs = Jobs::kOneAtATime) : jobs_(jobs) {}
  virtual ~Resident() = default;

  Jobs jobs() const { return jobs_; }

 private:
  const Jobs jobs_;
};

/// Runs jobs on its devices. Thread-safe.
///
/// Jobs of all clients share the workers of a device, in the order of the policy.
///
/// Work and completions run exactly once, on an engine thread. They never run within the call that
/// takes them (except with JobOptions::lend_thread). Work may block; a completion must not. Both
/// may call the engine. The destructor cancels the remaining jobs, waits for their completions and
/// then returns.
///
/// Every job may end with RESOURCE_EXHAUSTED (memory, pending jobs, the time limit),
/// DEADLINE_EXCEEDED, CANCELLED, UNAVAILABLE (device lost) or INVALID_ARGUMENT (tenant), and with
/// the errors of its work.
class Engine {
 public:
  /// Makes a resident on the device of the job context.
  using Open = std::function<absl::StatusOr<std::unique_ptr<Resident>>(JobContext&)>;
  using OpenDone = std::function<void(absl::StatusOr<ResidentId>)>;
  /// The work of a job on a resident.
  using WorkOn = std::function<absl::Status(JobContext&, Resident&)>;
  using Work = std::function<absl::Status(JobContext&)>;
  /// The same for work that neither blocks nor computes for long on the host. It shares its thread
  /// with other jobs, and awaits its events (procedure::EventRunner::Await).
  using CarriedWorkOn = std::function<Task<absl::Status>(JobContext&, Resident&)>;
  using CarriedWork = std::function<Task<absl::Status>(JobContext&)>;
  using Done = std::function<void(const absl::Status&)>;

  /// @errors INVALID_ARGUMENT: EngineOptions::most_blocks. UNAVAILABLE: the options ask for kCuda
  /// or name devices, but no device answers, or a named device does not, or this build has no CUDA.
  static absl::StatusOr<std::unique_ptr<Engine>> Create(const EngineOptions& options);

  virtual ~Engine() = default;

  // Jobs that are refused at once get the id 0, of which no job is known.

  /// Opens a resident on the device that placement chooses.
  /// @errors RESOURCE_EXHAUSTED: EngineOptions::max_residents are open
  virtual JobId OpenResident(const JobOptions& options, Open open, OpenDone done) = 0;

  /// Runs a job of a resident on the resident's device. Jobs of one resident run as Resident::Jobs
  /// says.
  /// @errors NOT_FOUND: no such resident
  virtual JobId Run(ResidentId resident, const JobOptions& options, WorkOn work, Done done) = 0;

  /// Runs a job on the device that placement chooses.
  virtual JobId Run(const JobOptions& options, Work work, Done done) = 0;

  /// As Run. The engine runs many such jobs on one thread. An engine without such threads runs the
  /// job as any other.
  virtual JobId RunCarried(ResidentId resident, const JobOptions& options, CarriedWorkOn work,
                           Done done) {
    return Run(
        resident, options,
        [work = std::move(work)](JobContext& context, Resident& of) {
          return work(context, of).RunNow();
        },
        std::move(done));
  }
  virtual JobId RunCarried(const JobOptions& options, CarriedWork work, Done done) {
    return Run(
        options, [work = std::move(work)](JobContext& context) { return work(context).RunNow(); },
        std::move(done));
  }

  /// Asks a job to end early: its completion gets CANCELLED unless the job was already done.
  /// Unknown or finished jobs are ignored.
  virtual void Cancel(JobId job) = 0;

  /// Frees a resident after the jobs that were submitted before this call.
  /// @errors NOT_FOUND
  virtual absl::Status Close(ResidentId resident) = 0;

  virtual EngineStatistics Statistics() const = 0;

  /// One entry for each device. Jobs end with UNAVAILABLE once all devices are lost.
  virtual std::vector<DeviceHealth> Health() const = 0;

  /// For example "cpu, 2 threads" or "cuda, NVIDIA H200"; several devices are listed one after
  /// another.
  virtual std::string BackendDescription() const = 0;

  /// For an operator: the devices that the engine could not use when it was made, and why; or
  /// empty.
  virtual std::string StartNote() const { return ""; }
};

}  // namespace warpyard

#endif  // WARPYARD_CORE_ENGINE_ENGINE_H_
