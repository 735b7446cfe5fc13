// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Lists the workloads that are compiled into the workers' program, one line each.
#ifndef WARPYARD_CORE_PROGRAMS_H_
#define WARPYARD_CORE_PROGRAMS_H_

#include "core/model/combined_program.h"
#include "core/workload/ccd/collision_program.h"
#include "core/workload/grammar/grammar_program.h"
#include "core/workload/simplify/simplify_program.h"
#include "core/workload/synthetic/synthetic_program.h"

namespace warpyard {

/// Each instantiation is one more kernel.
template <class... More>
using ProgramWith = model::CombinedProgram<  //
    ccd::CollisionProgram,                   //
    grammar::GrammarProgram,                 //
    simplify::SimplifyProgram,               //
    More...>;

/// The program of a service.
using ServiceProgram = ProgramWith<>;

/// The service's program with the synthetic load, for load tests (EngineOptions::synthetic_jobs).
/// It is a kernel of its own, so that a service without load tests does not pay for it: all
/// procedures of a kernel share its registers, and its instructions share a cache.
///
/// A further program of this kind needs a function that makes its CUDA devices (engine_device.h,
/// no_cuda_devices.cc), and a kernel that takes minutes to compile (like cuda/synthetic_kernel.cu,
/// with a line in core/CMakeLists.txt). It also needs a bool in EngineOptions that ParseCommandLine
/// of the server sets, and a choice in engine.cc and cpu_device.cc. If one server may need both of
/// two such workloads, they make four programs.
using ProgramWithSynthetic = ProgramWith<synthetic::SyntheticProgram>;

}  // namespace warpyard

#endif  // WARPYARD_CORE_PROGRAMS_H_
