// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The engine on devices: placement, claims, limits and expected times of jobs, for all workloads.
#ifndef WARPYARD_CORE_ENGINE_DEVICE_ENGINE_H_
#define WARPYARD_CORE_ENGINE_DEVICE_ENGINE_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "core/base/task.h"
#include "core/dispatch/admission/estimate_table.h"
#include "core/dispatch/dispatcher.h"
#include "core/dispatch/load_ledger.h"
#include "core/engine/engine.h"
#include "core/engine/engine_device.h"
#include "core/engine/resident_table.h"

namespace warpyard {

class DeviceEngine final : public Engine {
 public:
  DeviceEngine(EngineDevices devices, const EngineOptions& options);

  JobId OpenResident(const JobOptions& options, Open open, OpenDone done) override;
  JobId Run(ResidentId resident, const JobOptions& options, WorkOn work, Done done) override;
  JobId Run(const JobOptions& options, Work work, Done done) override;
  JobId RunCarried(ResidentId resident, const JobOptions& options, CarriedWorkOn work,
                   Done done) override;
  JobId RunCarried(const JobOptions& options, CarriedWork work, Done done) override;
  void Cancel(JobId job) override { dispatcher_.Cancel(job); }
  absl::Status Close(ResidentId resident) override;
  EngineStatistics Statistics() const override;
  std::vector<DeviceHealth> Health() const override;
  std::string BackendDescription() const override;
  std::string StartNote() const override { return note_; }

 private:
  /// The device, chain and resident of a job.
  struct Placement {
    std::size_t device = 0;
    std::uint64_t chain = 0;
    std::shared_ptr<OpenedResident> resident = nullptr;  ///< null: the job has no resident

    /// Expected time of the job; 0: not known.
    double Seconds() const { return resident == nullptr ? 0 : resident->expected_seconds(); }
  };

  JobId Reject(Done done, dispatch::Refusal why);
  /// The device for a job that could run on any device. @errors UNAVAILABLE: all are lost
  absl::StatusOr<Placement> PlaceAnywhere(const JobOptions& options) const;
  /// Which threads a job may have.
  enum class Threads { kRunners, kCarriers };
  /// What the functions of a job's dispatch::Task share.
  struct Submission {
    JobOptions options;
    Placement place;
    CarriedWork work;  ///< that of a runner blocks
    Done done;
    dispatch::LoadLedger::Claim claim;
  };

  JobId RunOn(ResidentId resident, const JobOptions& options, CarriedWorkOn work, Done done,
              Threads threads);
  JobId Submit(const JobOptions& options, const Placement& place, CarriedWork work, Done done,
               Threads threads);
  /// Does the work of a job. @shape loop: of the carrier, or null: on a runner, where the task
  /// never waits
  Task<absl::Status> DoWork(const Submission& job, const dispatch::Task::Running& running,
                            EventLoop* loop) const;
  static DetachedTask Complete(Task<absl::Status> work, const Submission& job,
                               dispatch::Task::Ended ended);
  dispatch::JobOrder OrderOf(const JobOptions& options, const Placement& place);
  absl::StatusOr<ResidentId> OpenOn(std::size_t device, const Open& open, JobContext& context);

  /// Kinds of jobs without a resident.
  static constexpr std::size_t kKinds = 1024;

  // The order matters for destruction: residents free their memory on the devices.
  const std::vector<EngineDevice> devices_;
  const std::string note_;
  dispatch::LoadLedger ledger_;
  ResidentTable residents_;
  dispatch::EstimateTable kinds_{kKinds};
  dispatch::Dispatcher dispatcher_;  // last, because its threads use all other members
};

}  // namespace warpyard

#endif  // WARPYARD_CORE_ENGINE_DEVICE_ENGINE_H_
