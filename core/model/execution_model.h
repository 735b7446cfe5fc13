// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The interface of all execution models to the engine.
#ifndef WARPYARD_CORE_MODEL_EXECUTION_MODEL_H_
#define WARPYARD_CORE_MODEL_EXECUTION_MODEL_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/base/bell.h"
#include "core/policy/policy.h"
#include "core/procedure/any_job.h"
#include "core/procedure/element.h"
#include "core/procedure/event_runner.h"

namespace warpyard::model {

/// Counters of a procedure, summed over workers.
struct ProcedureCounters {
  std::uint64_t executed = 0;  ///< elements
  std::uint64_t spawned = 0;   ///< elements that it made
  std::uint64_t busy_ns = 0;   ///< time of workers
  std::uint64_t min_ns = 0;    ///< shortest round of elements; 0: none yet
  std::uint64_t max_ns = 0;    ///< longest
};

/// Elements of one procedure that wait at levels, and how many all procedures may have there.
struct QueueFill {
  std::uint64_t size = 0;
  std::uint64_t capacity = 0;
};

/// What workers did to get elements.
struct DrawCounters {
  std::uint64_t looks = 0;   ///< at what they could draw
  std::uint64_t claims = 0;  ///< of elements of a stage
  std::uint64_t misses = 0;  ///< claims that came too late
};

/// A look at the workers, not older than 10 ms while they run.
struct ModelStatistics {
  std::vector<ProcedureCounters> procedures;  ///< in the program's order
  std::vector<QueueFill> queues;              ///< in the program's order
  std::vector<std::uint64_t> tenant_ns;       ///< time of workers by tenant
  std::uint64_t workers = 0;                  ///< warps, or threads
  std::uint64_t busy_ns = 0;                  ///< time that workers executed, summed over them
  std::uint64_t spills = 0;                   ///< elements that workers gave to others
  std::uint64_t back_offs = 0;                ///< pauses of idle workers
  std::uint64_t held_ns = 0;                  ///< time in which events were held: policy::Hold
  DrawCounters draws;
  std::uint64_t launches = 0;  ///< times that the workers were started
  bool resident = false;       ///< whether they run now
  std::uint32_t running_events = 0;
};

/// An event that was started. @scope one thread
class StartedEvent {
 public:
  virtual ~StartedEvent() = default;

  /// The end of the event, once; nothing while it runs. The object goes no earlier than that.
  /// @errors as procedure::EventRunner::Run
  virtual std::optional<absl::StatusOr<procedure::StageTimes>> TakeEnd() = 0;

  /// Asks the event to end early.
  virtual void Cancel() = 0;
};

/// Runs the events of a program on one device. Thread-safe.
template <class Program>
class ExecutionModel {
 public:
  using Job = typename Program::Job;

  virtual ~ExecutionModel() = default;

  /// Runs all stages of `job` among other events, in the order of the policy; blocks until the
  /// event is done. The deadline of `attributes` only decides the order.
  /// @errors as procedure::EventRunner::Run
  virtual absl::StatusOr<procedure::StageTimes> Run(const Job& job,
                                                    const policy::EventAttributes& attributes,
                                                    const procedure::CancelToken& token) = 0;

  /// Starts an event and returns. Null: as many events run as may, so this one has to wait.
  /// @shape bell: outlives the event; rings at its end, if RingsBells
  /// @errors as procedure::EventRunner::Run; UNIMPLEMENTED: this model can only block
  virtual absl::StatusOr<std::unique_ptr<StartedEvent>> Start(
      const Job& job, const policy::EventAttributes& attributes, Bell& bell) {
    static_cast<void>(job), static_cast<void>(attributes), static_cast<void>(bell);
    return absl::UnimplementedError("this model can only block");
  }

  /// Whether the end of an event rings a bell. If not, the caller looks again and again.
  virtual bool RingsBells() const { return false; }

  /// Events that may run at the same time; more callers of Run wait.
  virtual std::uint32_t MaxEvents() const { return procedure::kEventBuckets; }

  /// Whether a program's Finish is called before an event is done; see EventTable.
  virtual bool CallsFinish() const { return true; }

  /// Warps, or threads: what executes elements.
  virtual std::uint32_t Workers() const = 0;
  /// Groups of workers with common fast memory.
  virtual std::uint32_t Blocks() const { return Workers(); }

  virtual ModelStatistics Statistics() const = 0;

  /// Not OK when the device is lost: every Run fails from then on.
  virtual absl::Status Health() const = 0;

  /// Calls `work` while no worker runs; running events go on afterwards. For work that cannot run
  /// beside resident workers: allocations, library calls. @errors those of `work`, and UNAVAILABLE
  /// when the device is lost
  virtual absl::Status RunQuietly(const std::function<absl::Status()>& work) = 0;
};

/// Runs events with fixed attributes, for host code that knows no attributes.
template <class Program, class SubProgram>
class BoundRunner final : public procedure::EventRunner<typename SubProgram::Job> {
 public:
  BoundRunner(ExecutionModel<Program>& model, const policy::EventAttributes& attributes)
      : model_(model), attributes_(attributes) {}

  absl::StatusOr<procedure::StageTimes> Run(const typename SubProgram::Job& job,
                                            const procedure::CancelToken& token) override {
    typename Program::Job wrapped;
    const absl::Status status = Program::Wrap(procedure::AnyJob::Of(job), wrapped);
    if (!status.ok()) return status;
    return model_.Run(wrapped, attributes_, token);
  }

  bool CallsFinish() const override { return model_.CallsFinish(); }

  std::uint32_t Workers() const override { return model_.Blocks(); }

 private:
  ExecutionModel<Program>& model_;
  const policy::EventAttributes attributes_;
};

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_EXECUTION_MODEL_H_
