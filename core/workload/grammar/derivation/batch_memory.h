// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The device memory of a batch: what a job reads, and what it leaves.
#ifndef WARPYARD_CORE_WORKLOAD_GRAMMAR_DERIVATION_BATCH_MEMORY_H_
#define WARPYARD_CORE_WORKLOAD_GRAMMAR_DERIVATION_BATCH_MEMORY_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "core/device/backend.h"
#include "core/memory/device_array.h"
#include "core/memory/host_vector.h"
#include "core/workload/grammar/grammar_types.h"
#include "core/workload/grammar/job/derive_job.h"

namespace warpyard::grammar {

/// Buildings that are derived together. @shape attributes: [buildings][attributes], or one row
struct BatchInput {
  std::vector<DeviceParcel> parcels;
  std::vector<float> attributes;
};

/// What a batch left.
struct BatchOutput {
  DeriveCounters counters;
  std::vector<RuleCounts> rules;           ///< [kRuleCopies][rules]
  std::vector<ReportSum> reports;          ///< [buildings][reports]
  std::vector<float> slack;                ///< [buildings], or empty
  memory::HostVector<Instance> instances;  ///< in no order
};

DeviceView ToDeviceView(const View& view);

/// Memory that grows, and is kept for later batches. @scope one caller at a time
class BatchMemory {
 public:
  /// Half of the bytes is for frames, half for instances: so that all backends reach a limit with
  /// the same derivations. @errors RESOURCE_EXHAUSTED
  absl::Status ReservePools(device::Backend& backend, std::uint64_t bytes);
  std::uint64_t PoolBytes() const { return pool_bytes_; }
  /// Gives pools back that have more than `bytes`.
  void KeepPools(std::uint64_t bytes);

  /// Copies what the job reads, and completes the job. @errors RESOURCE_EXHAUSTED, UNAVAILABLE
  absl::Status CopyIn(device::Backend& backend, const BatchInput& input, DeriveJob& job);
  absl::Status SetView(device::Backend& backend, const View* view, DeriveJob& job);
  /// Lets the job measure slack. @errors RESOURCE_EXHAUSTED, UNAVAILABLE
  absl::Status CopyNoSlack(device::Backend& backend, DeriveJob& job);

  /// @errors UNAVAILABLE
  absl::Status CopyCounters(device::Backend& backend, const DeriveJob& job, BatchOutput& output);
  absl::Status CopyInstances(device::Backend& backend, const DeriveJob& job, BatchOutput& output);

  /// Of all arrays.
  std::uint64_t Bytes() const;

 private:
  memory::DeviceArray<Unit> units_;
  memory::DeviceArray<Instance> instances_;
  memory::DeviceArray<DeviceParcel> parcels_;
  memory::DeviceArray<float> attributes_;
  memory::DeviceArray<DeriveCounters> counters_;
  memory::DeviceArray<RuleCounts> rules_;
  memory::DeviceArray<ReportSum> reports_;
  memory::DeviceArray<DeviceView> view_;
  memory::DeviceArray<std::uint32_t> slack_;
  std::uint64_t pool_bytes_ = 0;
};

}  // namespace warpyard::grammar

#endif  // WARPYARD_CORE_WORKLOAD_GRAMMAR_DERIVATION_BATCH_MEMORY_H_
