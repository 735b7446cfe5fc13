// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A job of any workload as its type and its bytes, so that jobs pass an engine that knows no
// workload.
#ifndef WARPYARD_CORE_PROCEDURE_ANY_JOB_H_
#define WARPYARD_CORE_PROCEDURE_ANY_JOB_H_

#include <type_traits>

namespace warpyard::procedure {

/// Identifies a job type; comparing two types means comparing two pointers.
using JobType = const void*;

namespace internal {
template <class Job>
inline constexpr char kJobTag = 0;
}  // namespace internal

/// The JobType of Job. Each program of a combined program has a job type of its own.
template <class Job>
constexpr JobType JobTypeOf() {
  static_assert(std::is_trivially_copyable_v<Job>);
  return &internal::kJobTag<Job>;
}

/// Does not own the job.
struct AnyJob {
  JobType type;
  const void* bytes;

  template <class Job>
  static AnyJob Of(const Job& job) {
    return {JobTypeOf<Job>(), &job};
  }
};

}  // namespace warpyard::procedure

#endif  // WARPYARD_CORE_PROCEDURE_ANY_JOB_H_
