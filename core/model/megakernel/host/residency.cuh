// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Whether the kernel is on the device: launched, waiting behind a gate for the next order, or gone.
#ifndef WARPYARD_CORE_MODEL_MEGAKERNEL_HOST_RESIDENCY_CUH_
#define WARPYARD_CORE_MODEL_MEGAKERNEL_HOST_RESIDENCY_CUH_

#include <cstdint>
#include <optional>

#include "absl/status/status.h"
#include "core/base/macros.h"
#include "core/device/stream_gate.h"
#include "core/model/megakernel/host/host_side.cuh"
#include "core/model/megakernel/launch.cuh"

namespace warpyard::model {

struct Launches {
  unsigned blocks = 0;       ///< of each launch
  std::uint32_t number = 0;  ///< of the latest one, from 1
  bool resident = false;     ///< it runs, or the host has not seen that it left
  bool armed = false;        ///< it waits behind the gate

  /// Block 0 controls, the others work.
  unsigned WorkerBlocks() const { return blocks - 1; }
  /// Launches that have begun.
  std::uint32_t Begun() const { return armed ? number - 1 : number; }
};

/// An error of a launch makes the device lost. @scope the caller holds the lock of the host's side
template <class Space>
class Residency {
 public:
  explicit Residency(HostSide<Space>& side) : side_(side) {}

  /// @errors UNAVAILABLE
  absl::Status Create() {
    WY_ASSIGN_OR_RETURN(now_.blocks, MegakernelLaunch<Space>::ChooseGrid(
                                         side_.backend.Index(), side_.options.most_blocks));
    if (!gate_.emplace().Create().ok()) gate_.reset();
    return absl::OkStatus();
  }

  const Launches& Now() const { return now_; }

  /// Starts the kernel: the one that waits behind the gate, or a new one.
  absl::Status Launch() {
    if (!OpenGate()) WY_RETURN_IF_ERROR(Enqueue());
    now_.resident = true;
    return absl::OkStatus();
  }

  /// Lets the kernel go that waits behind the gate; false: none does.
  bool OpenGate() {
    if (!now_.armed) return false;
    gate_->Open(now_.number);
    now_.armed = false;
    now_.resident = true;
    return true;
  }

  /// Launches a kernel behind the gate for the next job, while there is time for that.
  absl::Status Arm() {
    if (now_.armed || now_.resident || !gate_.has_value() || side_.options.linger_ns == 0) {
      return absl::OkStatus();
    }
    // The first launch of a kernel allocates the local memory of its threads, which waits until the
    // device is idle: behind a gate it would wait for ever.
    if (now_.number == 0) return absl::OkStatus();
    WY_RETURN_IF_ERROR(side_.backend.Use());
    const absl::Status closed = gate_->Close(side_.memory.stream().handle(), now_.number + 1);
    if (!closed.ok()) return side_.Lose(closed);
    WY_RETURN_IF_ERROR(Enqueue());
    now_.armed = true;
    return absl::OkStatus();
  }

  /// What the kernel said when it left, once; nothing if it is resident or was not launched.
  /// @shape is_idle: the kernel's stream is, so the kernel is gone in any case
  std::optional<LeaveReport> TakeLeave(bool is_idle = false) {
    if (!now_.resident) return std::nullopt;
    LeaveReport left{};
    const bool told = side_.memory.mailbox().leave.ReadOnHost(left, now_.number);
    if (told || is_idle) now_.resident = false;
    return told ? std::optional(left) : std::nullopt;
  }

  /// Makes the destructor keep the gate, as Stream::Abandon.
  void Abandon() {
    if (gate_.has_value()) gate_->Abandon();
  }

 private:
  absl::Status Enqueue() {
    WY_RETURN_IF_ERROR(side_.backend.Use());
    auto& memory = side_.memory;
    const absl::Status launched = MegakernelLaunch<Space>::Enqueue(
        {memory.space(), memory.state(), memory.device_mailbox(), side_.options.policy,
         side_.options.linger_ns, ++now_.number},
        now_.blocks, memory.stream().handle());
    return launched.ok() ? launched : side_.Lose(launched);
  }

  HostSide<Space>& side_;
  std::optional<device::StreamGate> gate_;  ///< none: the driver has none
  Launches now_;
};

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_MEGAKERNEL_HOST_RESIDENCY_CUH_
