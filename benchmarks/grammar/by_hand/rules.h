// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// What rules that are written in C++ share: the steps that bytecode makes of each rule and block.
//
// They leave out what their scenes do not need: limits of depth, @lod, and errors of sizes. Places
// are those of the compiled code, because keys, and with them all random choices, are made of them.
#ifndef WARPYARD_BENCHMARKS_GRAMMAR_BY_HAND_RULES_H_
#define WARPYARD_BENCHMARKS_GRAMMAR_BY_HAND_RULES_H_

#include <cstdint>
#include <string_view>

#include "core/base/macros.h"
#include "core/workload/grammar/derive/block.h"
#include "core/workload/grammar/derive/evaluate.h"
#include "core/workload/grammar/derive/place.h"
#include "core/workload/grammar/derive/result.h"

namespace warpyard::grammar_by_hand {

using grammar::Frame;
using grammar::Lane;
using grammar::Symbol;

/// As the compiler hashes names of rules.
constexpr std::uint32_t HashOf(std::string_view name) {
  std::uint32_t hash = 2166136261u;
  for (const char c : name) hash = 16777619u * (hash ^ static_cast<std::uint8_t>(c));
  return hash;
}

/// @shape number: the rule's position in the grammar
template <std::uint16_t number, std::uint32_t name>
struct Rule {
  static constexpr std::uint16_t kNumber = number;
  static constexpr std::uint32_t kName = name;
};

/// Makes the symbol one of a rule. Returns false where the rule is not to be executed.
template <class R, class ExecScope>
WY_HD bool Enter(Lane<ExecScope>& lane, Symbol& symbol, std::uint32_t place) {
  symbol.key = grammar::KeyOf(symbol.key, place, R::kName);
  symbol.rule = R::kNumber;
  if (!grammar::IsSolid(symbol.scope)) {
    lane.CountDropped(R::kNumber);
    return false;
  }
  ExecScope::Word(lane.CountsOf(R::kNumber).symbols).FetchAddRelaxed(1);
  return true;
}

/// The symbol `number` of a block at `place`, before its scope becomes a piece.
WY_HD inline Symbol PieceOf(const Symbol& whole, std::uint32_t place, std::uint32_t number,
                            std::uint32_t count) {
  Symbol piece = whole;
  piece.key = grammar::KeyOf(whole.key, place, number);
  piece.own = {static_cast<std::uint16_t>(number), static_cast<std::uint16_t>(count - 1)};
  return piece;
}

/// The cell `number` of a repeat.
WY_HD inline Symbol CellOf(const Symbol& whole, std::uint32_t axis, std::uint32_t place,
                           std::uint32_t number, std::uint32_t count) {
  Symbol cell = PieceOf(whole, place, number, count);
  const float size = grammar::At(whole.scope.size, axis), cells = static_cast<float>(count);
  grammar::Narrow(cell, axis, static_cast<float>(number) * size / cells,
                  static_cast<float>(number + 1) * size / cells);
  return cell;
}

/// A cell of split(axis) { first | ~1 }.
WY_HD inline Symbol HalfOf(const Symbol& whole, std::uint32_t axis, float first,
                           std::uint32_t place, std::uint32_t number) {
  Symbol half = PieceOf(whole, place, number, 2);
  const float size = grammar::At(whole.scope.size, axis);
  const float middle = first < size ? first : size;
  grammar::Narrow(half, axis, number == 0 ? 0 : middle,
                  number == 0 ? middle : middle + (size - middle));
  return half;
}

/// Leaves a symbol to a later stage.
template <class ExecScope>
WY_HD void MakeDeferred(Lane<ExecScope>& lane, const Symbol& symbol, std::uint32_t block,
                        std::uint32_t stage) {
  if (lane.MakeFrame(symbol, {block, 1, 0}) != grammar::kNone) lane.Defer(stage);
}

template <class ExecScope>
WY_HD void MakeMesh(Lane<ExecScope>& lane, const Symbol& symbol, std::uint16_t mesh,
                    std::uint16_t material, std::uint32_t place) {
  grammar::MakeInstance(lane, symbol, {mesh, material, 0, place});
}

inline constexpr std::uint16_t kBox = 0, kQuad = 1, kFirstOwnMesh = grammar::kBuiltInMeshes;

}  // namespace warpyard::grammar_by_hand

#endif  // WARPYARD_BENCHMARKS_GRAMMAR_BY_HAND_RULES_H_
