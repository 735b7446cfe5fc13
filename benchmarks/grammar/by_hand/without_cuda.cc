// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "benchmarks/grammar/by_hand/machine.h"

namespace warpyard::grammar_by_hand {

template <>
absl::StatusOr<std::unique_ptr<Machine<Interpreter>>> CreateCudaMachine() {
  return absl::UnavailableError("built without CUDA");
}

template <>
absl::StatusOr<std::unique_ptr<Machine<AllByHand>>> CreateCudaMachine() {
  return absl::UnavailableError("built without CUDA");
}

}  // namespace warpyard::grammar_by_hand
