// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Devices whose workers have only the interpreter, or only rules by hand: neither takes registers
// from the other.
#ifndef WARPYARD_BENCHMARKS_GRAMMAR_BY_HAND_MACHINE_H_
#define WARPYARD_BENCHMARKS_GRAMMAR_BY_HAND_MACHINE_H_

#include <functional>
#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "benchmarks/grammar/by_hand/program.h"
#include "benchmarks/grammar/by_hand/skyscraper.h"
#include "benchmarks/grammar/by_hand/tree.h"
#include "core/device/backend.h"
#include "core/model/combined_program.h"
#include "core/model/execution_model.h"
#include "core/workload/grammar/grammar_program.h"

namespace warpyard::grammar_by_hand {

using Interpreter = model::CombinedProgram<grammar::GrammarProgram>;
using AllByHand = model::CombinedProgram<         //
    HandProgram<Tree, Grouping::kByLanes>,        //
    HandProgram<Tree, Grouping::kByBlock>,        //
    HandProgram<Tree, Grouping::kOneByOne>,       //
    HandProgram<Skyscraper, Grouping::kByLanes>,  //
    HandProgram<Skyscraper, Grouping::kByBlock>,  //
    HandProgram<Skyscraper, Grouping::kOneByOne>>;

template <class Program>
class Machine {
 public:
  Machine(std::unique_ptr<device::Backend> its_backend,
          std::unique_ptr<model::ExecutionModel<Program>> its_model)
      : backend_(std::move(its_backend)), model_(std::move(its_model)) {
    backend_->SetQuietRunner(
        [this](const std::function<absl::Status()>& work) { return model_->RunQuietly(work); });
  }
  ~Machine() { backend_->SetQuietRunner(nullptr); }

  device::Backend& backend() { return *backend_; }
  model::ExecutionModel<Program>& model() { return *model_; }

 private:
  const std::unique_ptr<device::Backend> backend_;
  const std::unique_ptr<model::ExecutionModel<Program>> model_;
};

/// @errors UNAVAILABLE: no device, or built without CUDA
template <class Program>
absl::StatusOr<std::unique_ptr<Machine<Program>>> CreateCudaMachine();
template <>
absl::StatusOr<std::unique_ptr<Machine<Interpreter>>> CreateCudaMachine();
template <>
absl::StatusOr<std::unique_ptr<Machine<AllByHand>>> CreateCudaMachine();

}  // namespace warpyard::grammar_by_hand

#endif  // WARPYARD_BENCHMARKS_GRAMMAR_BY_HAND_MACHINE_H_
