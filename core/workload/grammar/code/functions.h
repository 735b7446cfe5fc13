// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The functions of expressions as a table.
#ifndef WARPYARD_CORE_WORKLOAD_GRAMMAR_CODE_FUNCTIONS_H_
#define WARPYARD_CORE_WORKLOAD_GRAMMAR_CODE_FUNCTIONS_H_

#include <cstdint>
#include <string_view>

#include "core/workload/grammar/code/code.h"

namespace warpyard::grammar {

/// @shape label: the argument is the name of a volume
struct FunctionInfo {
  std::string_view name;
  std::uint8_t least_arguments;
  std::uint8_t most_arguments;
  Op op;
  bool takes_label = false;
};

inline constexpr FunctionInfo kFunctions[] = {
    {"floor", 1, 1, Op::kFloor},
    {"ceil", 1, 1, Op::kCeil},
    {"round", 1, 1, Op::kRound},
    {"abs", 1, 1, Op::kAbs},
    {"sqrt", 1, 1, Op::kSqrt},
    {"sin", 1, 1, Op::kSin},
    {"cos", 1, 1, Op::kCos},
    {"min", 2, 2, Op::kMin},
    {"max", 2, 2, Op::kMax},
    {"mod", 2, 2, Op::kMod},
    {"pow", 2, 2, Op::kPow},
    {"clamp", 3, 3, Op::kClamp},
    {"rand", 0, 2, Op::kChance},
    {"inside", 1, 1, Op::kInside, true},
    {"touches", 1, 1, Op::kTouches, true},
    {"overlaps", 1, 1, Op::kOverlaps, true},
    {"near", 1, 1, Op::kNear, true},
};

constexpr const FunctionInfo* FindFunction(std::string_view name) {
  for (const FunctionInfo& info : kFunctions) {
    if (info.name == name) return &info;
  }
  return nullptr;
}

}  // namespace warpyard::grammar

#endif  // WARPYARD_CORE_WORKLOAD_GRAMMAR_CODE_FUNCTIONS_H_
