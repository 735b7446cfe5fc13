// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Looks for rules that may call themselves without end.
#ifndef WARPYARD_CORE_WORKLOAD_GRAMMAR_CODE_RECURSION_H_
#define WARPYARD_CORE_WORKLOAD_GRAMMAR_CODE_RECURSION_H_

#include "core/workload/grammar/language/diagnostics.h"
#include "core/workload/grammar/language/tree.h"

namespace warpyard::grammar {

/// Warns of a cycle of rules whose calls no `when` guards: W301. A `when` guards the calls in its
/// case and in those after it, but only if what it asks for can change from call to call: not if it
/// asks for attributes alone, or for parameters that the rule hands on to itself as they are.
///
/// What the warning misses: a condition that changes, but never comes true. What it warns of in
/// vain: chances, and scopes that become too thin.
void WarnOfRecursion(const Tree& tree, Diagnostics& diagnostics);

}  // namespace warpyard::grammar

#endif  // WARPYARD_CORE_WORKLOAD_GRAMMAR_CODE_RECURSION_H_
