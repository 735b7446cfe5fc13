// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Reads the text of a grammar.
#ifndef WARPYARD_CORE_WORKLOAD_GRAMMAR_LANGUAGE_PARSER_H_
#define WARPYARD_CORE_WORKLOAD_GRAMMAR_LANGUAGE_PARSER_H_

#include "absl/types/span.h"
#include "core/workload/grammar/language/diagnostics.h"
#include "core/workload/grammar/language/tree.h"

namespace warpyard::grammar {

/// Parses the first file, and the others where it imports them. Goes on after an error with the
/// next declaration, part or step. The tree is complete only if there are no errors.
/// @errors in `diagnostics`: E0xx; E3xx where the text is too large
Tree Parse(absl::Span<const SourceFile> files, Diagnostics& diagnostics);

}  // namespace warpyard::grammar

#endif  // WARPYARD_CORE_WORKLOAD_GRAMMAR_LANGUAGE_PARSER_H_
