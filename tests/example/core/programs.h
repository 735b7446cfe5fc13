// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The program of a service that has the example beside its usual workloads.
#ifndef WARPYARD_TESTS_EXAMPLE_CORE_PROGRAMS_H_
#define WARPYARD_TESTS_EXAMPLE_CORE_PROGRAMS_H_

#include "core/programs.h"
#include "tests/example/core/workload/areas/areas_program.h"

namespace warpyard::example {

using Program = ProgramWith<areas::AreasProgram>;

}  // namespace warpyard::example

#endif  // WARPYARD_TESTS_EXAMPLE_CORE_PROGRAMS_H_
