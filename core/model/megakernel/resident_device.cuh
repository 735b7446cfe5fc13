// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Execution model of a CUDA device: the host's side of the versatile megakernel.
//
// Its parts, in host/: the kernel on the device (residency.cuh), orders to it
// (resident_kernel.cuh), events and their callers (event_calls.cuh), a thread that watches
// (watchdog.cuh), and what these share (host_side.cuh).
#ifndef WARPYARD_CORE_MODEL_MEGAKERNEL_RESIDENT_DEVICE_CUH_
#define WARPYARD_CORE_MODEL_MEGAKERNEL_RESIDENT_DEVICE_CUH_

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/base/macros.h"
#include "core/device/cuda_backend.h"
#include "core/model/execution_model.h"
#include "core/model/megakernel/host/event_calls.cuh"
#include "core/model/megakernel/host/host_side.cuh"
#include "core/model/megakernel/host/published_statistics.h"
#include "core/model/megakernel/host/resident_kernel.cuh"
#include "core/model/megakernel/host/watchdog.cuh"
#include "core/model/megakernel/resident_options.h"

namespace warpyard::model {

/// Thread-safe.
template <class Program>
class ResidentDevice final : public ExecutionModel<Program> {
 public:
  using Job = typename Program::Job;
  using Space = DeviceSpace<Program>;

  /// @errors RESOURCE_EXHAUSTED, UNAVAILABLE
  static absl::StatusOr<std::unique_ptr<ResidentDevice>> Create(device::CudaBackend& backend,
                                                                const ResidentOptions& options) {
    std::unique_ptr<ResidentDevice> model(new ResidentDevice(backend, options));
    HostSide<Space>& side = model->side_;
    WY_RETURN_IF_ERROR(side.memory.Allocate(backend));
    WY_RETURN_IF_ERROR(side.look.Allocate(side.memory.space()));
    WY_RETURN_IF_ERROR(model->kernel_.Create());
    WY_RETURN_IF_ERROR(side.memory.Reset());
    model->watchdog_.emplace(side, model->kernel_, model->calls_);
    return model;
  }

  absl::StatusOr<procedure::StageTimes> Run(const Job& job,
                                            const policy::EventAttributes& attributes,
                                            const procedure::CancelToken& token) override {
    return calls_.Run(job, attributes, token);
  }

  absl::StatusOr<std::unique_ptr<StartedEvent>> Start(const Job& job,
                                                      const policy::EventAttributes& attributes,
                                                      Bell&) override {
    return calls_.Start(job, attributes);
  }

  std::uint32_t Workers() const override { return Blocks() * Space::Shape::kBlockWorkers; }
  std::uint32_t Blocks() const override { return kernel_.Now().WorkerBlocks(); }

  ModelStatistics Statistics() const override {
    ModelStatistics statistics =
        ReadPublished(side_.memory.mailbox().published, Space::Queues::Capacity());
    std::lock_guard lock(side_.mutex);
    statistics.workers = Workers();
    statistics.launches = kernel_.Now().Begun();
    statistics.resident = kernel_.Now().resident;
    statistics.running_events = calls_.Slots().Running();
    return statistics;
  }

  /// Each job asks.
  absl::Status Health() const override {
    if (!side_.is_lost.load(std::memory_order_relaxed)) return absl::OkStatus();
    std::lock_guard lock(side_.mutex);
    return side_.lost;
  }

  absl::Status RunQuietly(const std::function<absl::Status()>& work) override {
    return kernel_.RunQuietly(work);
  }

 private:
  ResidentDevice(device::CudaBackend& backend, const ResidentOptions& options)
      : side_{backend, options}, kernel_(side_), calls_(side_, kernel_) {}

  // Each uses those above it.
  HostSide<Space> side_;
  ResidentKernel<Space> kernel_;
  EventCalls<Space> calls_;
  std::optional<Watchdog<Space>> watchdog_;
};

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_MEGAKERNEL_RESIDENT_DEVICE_CUH_
