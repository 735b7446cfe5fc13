// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Memory of jobs that a model keeps for its next jobs, so that short ones begin without copies.
#ifndef WARPYARD_CORE_WORKLOAD_SIMPLIFY_MODEL_JOB_MEMORY_H_
#define WARPYARD_CORE_WORKLOAD_SIMPLIFY_MODEL_JOB_MEMORY_H_

#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "core/workload/simplify/model/task_run.h"
#include "core/workload/simplify/result/mesh_arrays.h"

namespace warpyard::simplify {

struct JobMemory {
  TaskMemory tasks;
  ResultArrays result;

  /// On the device.
  std::uint64_t Bytes() const { return tasks.Bytes() + result.Bytes(); }
};

/// Thread-safe.
class JobMemories {
 public:
  /// @shape most_bytes: kept on the device while no job uses them
  explicit JobMemories(std::uint64_t most_bytes) : most_bytes_(most_bytes) {}

  /// Memory for one job: that of a job before, or new.
  std::unique_ptr<JobMemory> Take() {
    const std::lock_guard lock(mutex_);
    if (kept_.empty()) return std::make_unique<JobMemory>();
    std::unique_ptr<JobMemory> memory = std::move(kept_.back());
    kept_.pop_back();
    bytes_ -= memory->Bytes();
    return memory;
  }

  /// Keeps it if there is room for it, else frees it.
  void Give(std::unique_ptr<JobMemory> memory) {
    const std::uint64_t bytes = memory->Bytes();
    const std::lock_guard lock(mutex_);
    if (bytes_ + bytes > most_bytes_) return;
    bytes_ += bytes;
    kept_.push_back(std::move(memory));
  }

 private:
  const std::uint64_t most_bytes_;
  std::mutex mutex_;
  std::uint64_t bytes_ = 0;  // of kept_
  std::vector<std::unique_ptr<JobMemory>> kept_;
};

/// Memory of a job until its end.
class BorrowedMemory {
 public:
  explicit BorrowedMemory(JobMemories& all) : all_(all), memory_(all.Take()) {}
  BorrowedMemory(const BorrowedMemory&) = delete;
  BorrowedMemory& operator=(const BorrowedMemory&) = delete;
  ~BorrowedMemory() { all_.Give(std::move(memory_)); }

  JobMemory* operator->() const { return memory_.get(); }
  JobMemory& operator*() const { return *memory_; }

 private:
  JobMemories& all_;
  std::unique_ptr<JobMemory> memory_;
};

}  // namespace warpyard::simplify

#endif  // WARPYARD_CORE_WORKLOAD_SIMPLIFY_MODEL_JOB_MEMORY_H_
