// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "benchmarks/scheduler/machine.h"

namespace warpyard::bench {

absl::StatusOr<std::unique_ptr<Machine>> CreateCudaMachine() {
  return absl::UnavailableError("built without CUDA");
}

}  // namespace warpyard::bench
