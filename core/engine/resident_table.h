// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Residents of an engine by their ids: the device of each, and the expected time of its jobs.
#ifndef WARPYARD_CORE_ENGINE_RESIDENT_TABLE_H_
#define WARPYARD_CORE_ENGINE_RESIDENT_TABLE_H_

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/base/ids.h"
#include "core/dispatch/admission/estimate_table.h"
#include "core/dispatch/load_ledger.h"
#include "core/engine/engine.h"

namespace warpyard {

/// A resident and its place. Its jobs share it. So a resident that was removed from the table lives
/// until its last job is done.
class OpenedResident {
 public:
  OpenedResident(std::size_t device, dispatch::LoadLedger::Claim claim)
      : device_(device), claim_(std::move(claim)) {}

  void Set(std::unique_ptr<Resident> resident) { resident_ = std::move(resident); }
  Resident& resident() { return *resident_; }
  std::size_t device() const { return device_; }

  /// Of the jobs of one kind.
  std::shared_ptr<dispatch::WorkEstimate> EstimateOf(std::uint64_t kind) {
    return estimates_.Find(kind);
  }

  /// Recent time of a job on the device; 0: not known.
  double expected_seconds() const { return seconds_.load(std::memory_order_relaxed); }

  /// Of jobs that end at the same time one may be forgotten. @scope the jobs of the resident
  void LearnSeconds(double seconds) {
    const double expected = expected_seconds();
    seconds_.store(expected == 0 ? seconds : expected + kSmoothing * (seconds - expected),
                   std::memory_order_relaxed);
  }

 private:
  /// The weight of the latest job in the expected time.
  static constexpr double kSmoothing = 0.25;
  /// Clients use few kinds of jobs on one resident.
  static constexpr std::size_t kKinds = 8;

  const std::size_t device_;
  const dispatch::LoadLedger::Claim claim_;
  std::unique_ptr<Resident> resident_;
  std::atomic<double> seconds_{0};
  dispatch::EstimateTable estimates_{kKinds};
};

/// Thread-safe.
class ResidentTable {
 public:
  explicit ResidentTable(std::size_t most) : most_(most) {}

  /// @errors RESOURCE_EXHAUSTED: the largest number of residents is open
  absl::Status CheckRoom() const;
  /// @errors as CheckRoom
  absl::StatusOr<ResidentId> Add(std::shared_ptr<OpenedResident> resident);
  /// Null: no such resident.
  std::shared_ptr<OpenedResident> Find(ResidentId id) const;
  /// Null: no such resident. The caller frees it, without a lock of the table.
  std::shared_ptr<OpenedResident> Remove(ResidentId id);
  std::size_t Size() const { return size_.load(std::memory_order_relaxed); }

 private:
  /// Every job looks up its resident. Each part of the table has its own lock, so threads seldom
  /// wait for each other.
  static constexpr std::size_t kParts = 32;
  struct alignas(64) Part {
    std::mutex mutex;
    absl::flat_hash_map<std::uint64_t, std::shared_ptr<OpenedResident>> residents;  // by id
  };

  Part& PartOf(ResidentId id) const { return parts_[id.value % kParts]; }
  absl::Status FullError() const;

  const std::size_t most_;
  mutable std::array<Part, kParts> parts_;
  std::atomic<std::size_t> size_ = 0;  // of all parts; counted before a resident is added
  std::atomic<std::uint64_t> last_id_ = 0;
};

}  // namespace warpyard

#endif  // WARPYARD_CORE_ENGINE_RESIDENT_TABLE_H_
