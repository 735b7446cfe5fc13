// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A program of jobs that may share an event, and of loads that may not.
#ifndef WARPYARD_TESTS_SUPPORT_WORKERS_MARK_AND_LOAD_H_
#define WARPYARD_TESTS_SUPPORT_WORKERS_MARK_AND_LOAD_H_

#include "core/model/combined_program.h"
#include "core/workload/synthetic/synthetic_program.h"
#include "tests/support/workers/mark_program.h"

namespace warpyard::test_support {

/// The load's procedures come first: those of the other program have other numbers than alone.
using MarkAndLoadProgram = model::CombinedProgram<synthetic::SyntheticProgram, MarkProgram>;

}  // namespace warpyard::test_support

#endif  // WARPYARD_TESTS_SUPPORT_WORKERS_MARK_AND_LOAD_H_
