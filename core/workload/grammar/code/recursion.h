// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Looks for rules that may call themselves without end.
#ifndef WARPYARD_CORE_WORKLOAD_GRAMMAR_CODE_RECURSION_H_
#define WARPYARD_CORE_WORKLOAD_GRAMMAR_CODE_RECURSION_H_

#include "core/workload/grammar/language/diagnostics.h"
#include "core/workload/grammar/language/tree.h"

namespace warpyard::grammar {

/// Warns of a cycle of rules none of which has a `when`: W301.
void WarnOfRecursion(const Tree& tree, Diagnostics& diagnostics);

}  // namespace warpyard::grammar

#endif  // WARPYARD_CORE_WORKLOAD_GRAMMAR_CODE_RECURSION_H_
