// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Compiles the tree of a grammar to code.
#ifndef WARPYARD_CORE_WORKLOAD_GRAMMAR_CODE_COMPILER_H_
#define WARPYARD_CORE_WORKLOAD_GRAMMAR_CODE_COMPILER_H_

#include "core/procedure/event_runner.h"
#include "core/workload/grammar/code/code.h"
#include "core/workload/grammar/grammar_types.h"
#include "core/workload/grammar/language/diagnostics.h"
#include "core/workload/grammar/language/tree.h"

namespace warpyard::grammar {

struct CompiledCode {
  GrammarInfo info;
  Code code;
  Code volumes;  ///< VolumeCodeOf the rules
};

/// Checks names, types and stages, and writes the code of all rules. What it returns is of use only
/// without errors, and if nobody cancelled: the token is looked at before each rule.
/// @errors in `diagnostics`: E1xx names and types, E2xx stages, E3xx limits, W3xx warnings
CompiledCode CompileTree(const Tree& tree, Diagnostics& diagnostics,
                         const procedure::CancelToken& token);

/// Parses and compiles, as CompileTree. The first file is the main one.
CompiledCode CompileFiles(absl::Span<const SourceFile> files, Diagnostics& diagnostics,
                          const procedure::CancelToken& token);

}  // namespace warpyard::grammar

#endif  // WARPYARD_CORE_WORKLOAD_GRAMMAR_CODE_COMPILER_H_
