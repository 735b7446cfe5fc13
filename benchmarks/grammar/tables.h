// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The scenes of [Steinberger Tables 10.2 and 10.3], with other numbers of threads for a rule.
#ifndef WARPYARD_BENCHMARKS_GRAMMAR_TABLES_H_
#define WARPYARD_BENCHMARKS_GRAMMAR_TABLES_H_

#include <cstdint>
#include <iostream>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "benchmarks/grammar/session.h"

namespace warpyard::grammar_bench {

struct TableOptions {
  std::string folder;  ///< of the grammars
  std::string backend;
  std::vector<int> threads;  ///< of the CPU backend, one session each
  std::uint64_t max_bytes = 0;
  Repeats repeats;
};

/// Writes the rows as an array. @errors those of the derivations, and INTERNAL:
/// threads change a result
absl::Status WriteRows(const TableOptions& options, std::ostream& out);

}  // namespace warpyard::grammar_bench

#endif  // WARPYARD_BENCHMARKS_GRAMMAR_TABLES_H_
