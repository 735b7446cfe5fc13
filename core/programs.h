// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Lists the workloads that are compiled into the workers' program, one line each.
#ifndef WARPYARD_CORE_PROGRAMS_H_
#define WARPYARD_CORE_PROGRAMS_H_

#include "core/model/combined_program.h"
#include "core/workload/ccd/collision_program.h"
#include "core/workload/synthetic/synthetic_program.h"

namespace warpyard {

/// Two instantiations of a list of the same workloads: one more kernel for each set.
template <class... More>
using ProgramWith = model::CombinedProgram<  //
    ccd::CollisionProgram,                   //
    More...>;

/// The program of a service.
using ServiceProgram = ProgramWith<>;

/// The same and the synthetic load, for load tests (EngineOptions::synthetic_jobs). A service that
/// runs no load tests does not pay for it: all procedures of a kernel share its registers, and its
/// instructions a cache.
///
/// A further program of this kind is a function that makes its CUDA devices (engine_device.h,
/// no_cuda_devices.cc), a kernel that takes minutes to compile (as cuda_synthetic.cu; a line in
/// core/CMakeLists.txt), a bool of EngineOptions that ParseCommandLine of the server sets, and a
/// choice in engine.cc and cpu_device.cc. Two such workloads that one server may want together are
/// four programs.
using ProgramWithSynthetic = ProgramWith<synthetic::SyntheticProgram>;

}  // namespace warpyard

#endif  // WARPYARD_CORE_PROGRAMS_H_
