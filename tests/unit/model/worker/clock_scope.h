// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A thread whose clock a test sets.
#ifndef WARPYARD_TESTS_UNIT_MODEL_WORKER_CLOCK_SCOPE_H_
#define WARPYARD_TESTS_UNIT_MODEL_WORKER_CLOCK_SCOPE_H_

#include <cstdint>

#include "core/exec/thread_scope.h"

namespace warpyard::test_support {

/// A worker whose clock goes on by as much as the test says, each time it is read.
class ClockScope : public exec::ThreadScope {
 public:
  using ThreadScope::ThreadScope;
  inline static std::uint64_t now = 0;
  inline static std::uint64_t step = 0;
  static std::uint64_t Cycles() { return now += step; }
};

}  // namespace warpyard::test_support

#endif  // WARPYARD_TESTS_UNIT_MODEL_WORKER_CLOCK_SCOPE_H_
