// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The resident kernel of the interpreter alone.
#include "benchmarks/grammar/by_hand/cuda_machine.cuh"

namespace warpyard::grammar_by_hand {

template <>
absl::StatusOr<std::unique_ptr<Machine<Interpreter>>> CreateCudaMachine() {
  return CreateMachineOf<Interpreter>();
}

}  // namespace warpyard::grammar_by_hand
