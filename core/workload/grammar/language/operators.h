// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The operators of the language as a table: the parser reads what blocks they take, the compiler
// how many arguments.
#ifndef WARPYARD_CORE_WORKLOAD_GRAMMAR_LANGUAGE_OPERATORS_H_
#define WARPYARD_CORE_WORKLOAD_GRAMMAR_LANGUAGE_OPERATORS_H_

#include <cstdint>
#include <span>
#include <string_view>

namespace warpyard::grammar {

/// What stands between the braces of an operator.
enum class BlockKind : std::uint8_t {
  kNone,
  kPlain,  ///< steps
  kNamed,  ///< name : steps | ...
  kSplit,  ///< size : steps | ( ... )* | ...
};

struct OperatorInfo {
  std::string_view name;
  std::uint8_t least_arguments;
  std::uint8_t most_arguments;
  BlockKind block;
};

inline constexpr OperatorInfo kOperators[] = {
    // Subdivision.
    {"repeat", 2, 3, BlockKind::kPlain},
    {"split", 1, 1, BlockKind::kSplit},
    {"comp", 0, 0, BlockKind::kNamed},
    {"border", 1, 1, BlockKind::kNamed},
    {"offset", 1, 1, BlockKind::kNamed},
    {"roof", 2, 3, BlockKind::kNamed},
    {"copies", 1, 1, BlockKind::kPlain},
    {"scatter", 2, 2, BlockKind::kPlain},
    // Transforms.
    {"translate", 3, 3, BlockKind::kNone},
    {"yaw", 1, 1, BlockKind::kNone},
    {"pitch", 1, 1, BlockKind::kNone},
    {"roll", 1, 1, BlockKind::kNone},
    {"rotate", 3, 3, BlockKind::kNone},
    {"scale", 3, 3, BlockKind::kNone},
    {"size", 3, 3, BlockKind::kNone},
    {"center", 0, 3, BlockKind::kNone},
    {"pivot", 3, 3, BlockKind::kNone},
    {"align", 0, 0, BlockKind::kNone},
    {"mirror", 1, 1, BlockKind::kNone},
    {"extrude", 1, 1, BlockKind::kNone},
    // Terminals, and what they inherit.
    {"box", 0, 1, BlockKind::kNone},
    {"quad", 0, 1, BlockKind::kNone},
    {"cyl", 0, 1, BlockKind::kNone},
    {"prism", 0, 1, BlockKind::kNone},
    {"tri", 0, 1, BlockKind::kNone},
    {"inst", 1, 2, BlockKind::kNone},
    {"nil", 0, 0, BlockKind::kNone},
    {"color", 3, 4, BlockKind::kNone},
    // Context.
    {"volume", 1, 2, BlockKind::kNone},
    {"snap", 2, 3, BlockKind::kNone},
    {"report", 2, 2, BlockKind::kNone},
};

/// The operator of a name, or null.
constexpr const OperatorInfo* FindOperator(std::string_view name) {
  for (const OperatorInfo& info : kOperators) {
    if (info.name == name) return &info;
  }
  return nullptr;
}

}  // namespace warpyard::grammar

#endif  // WARPYARD_CORE_WORKLOAD_GRAMMAR_LANGUAGE_OPERATORS_H_
