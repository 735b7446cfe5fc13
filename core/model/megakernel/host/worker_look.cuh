// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The host's look at the workers of a resident kernel that does not do what it should.
#ifndef WARPYARD_CORE_MODEL_MEGAKERNEL_HOST_WORKER_LOOK_CUH_
#define WARPYARD_CORE_MODEL_MEGAKERNEL_HOST_WORKER_LOOK_CUH_

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "core/base/macros.h"
#include "core/exec/packed_slot.h"
#include "core/model/megakernel/host/stream.cuh"
#include "core/model/worker/workspace.h"
#include "core/procedure/element.h"

namespace warpyard::model {

/// @scope any time, one thread at a time: the copies do not wait for the kernel
template <class Space>
class WorkerLook {
 public:
  /// @errors RESOURCE_EXHAUSTED, UNAVAILABLE
  absl::Status Allocate(const Space* space) {
    space_ = space;
    WY_RETURN_IF_ERROR(stream_.Create());
    return seen_.Create();
  }

  /// Makes the destructor free nothing: a lost device would not let go of the memory.
  void Abandon() {
    stream_.Abandon();
    seen_.Abandon();
  }

  /// The reason of the wait that ran out.
  absl::Status ReadStuck() {
    auto& wait = seen_.host()->stuck_wait;
    if (!Copy(wait, space_->stuck.reason, sizeof wait)) {
      return absl::UnavailableError("a worker waited too long");
    }
    return absl::UnavailableError(absl::StrCat("a worker waited too long (", wait, ")"));
  }

  /// What the workers of so many blocks do, in words.
  std::string DescribeWorkers(std::uint32_t blocks) {
    auto& activities = seen_.host()->activities;
    if (!Copy(activities, space_->activities, sizeof activities)) {
      return "its memory cannot be read";
    }
    std::map<std::string, int> counts;
    const std::uint32_t workers = blocks * Space::Shape::kBlockWorkers;
    for (std::uint32_t w = 0; w < workers; ++w) ++counts[Describe(activities[w])];
    return absl::StrJoin(counts, ", ", [](std::string* out, const auto& entry) {
      absl::StrAppend(out, entry.second, " warps ", entry.first);
    });
  }

 private:
  struct Seen {
    exec::PackedSlot activities[Space::Shape::kWorkers];
    char stuck_wait[sizeof(StuckWait::reason)];
  };

  static std::string Describe(const exec::PackedSlot& activity) {
    switch (static_cast<WorkerActivity>(activity.payload[0])) {
      case WorkerActivity::kAbsent:
        return "gone";
      case WorkerActivity::kIdle:
        return "idle";
      case WorkerActivity::kExecuting:
        break;
    }
    const std::uint32_t procedure = procedure::ProcedureOf(activity.payload[1]);
    if (procedure >= Space::Procedures::kCount) return "executing something unknown";
    return absl::StrCat("executing ", Space::Procedures::kNames[procedure]);
  }

  bool Copy(void* to, const void* from, std::size_t bytes) {
    const cudaStream_t own = stream_.handle();
    return cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, own) == cudaSuccess &&
           cudaStreamSynchronize(own) == cudaSuccess;
  }

  Stream stream_;
  Pinned<Seen> seen_;
  const Space* space_ = nullptr;
};

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_MEGAKERNEL_HOST_WORKER_LOOK_CUH_
