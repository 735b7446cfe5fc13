// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Finds blocks whose symbols end at once, so that no other worker needs to take them up, and among
// them those that need no interpreter.
#ifndef WARPYARD_CORE_WORKLOAD_GRAMMAR_CODE_LEAVES_H_
#define WARPYARD_CORE_WORKLOAD_GRAMMAR_CODE_LEAVES_H_

#include <cstdint>
#include <vector>

#include "core/workload/grammar/code/code.h"

namespace warpyard::grammar {

/// The code of a rule or of the body of a block: positions [begin, end).
struct Region {
  std::uint32_t begin;
  std::uint32_t end;
};

/// Sets kLeaf in the instructions of all blocks whose bodies make no frames and ask no queries, and
/// execute only rules that do neither, and kPlain where the bodies are terminals alone. Blocks that
/// snap have neither. @shape regions: of all code, in order
void MarkLeaves(const std::vector<Region>& regions, Code& code);

}  // namespace warpyard::grammar

#endif  // WARPYARD_CORE_WORKLOAD_GRAMMAR_CODE_LEAVES_H_
