// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The rules of scenes/tree.wyg in C++.
#ifndef WARPYARD_BENCHMARKS_GRAMMAR_BY_HAND_TREE_H_
#define WARPYARD_BENCHMARKS_GRAMMAR_BY_HAND_TREE_H_

#include <cstdint>

#include "benchmarks/grammar/by_hand/rules.h"
#include "core/base/macros.h"

namespace warpyard::grammar_by_hand {

struct Tree {
  /// Blocks whose symbols other threads may execute.
  enum Block : std::uint32_t { kFan, kBlocks };
  static constexpr std::uint32_t kStages = 1;

  static constexpr const char* kFile = "tree.wyg";

  /// Threads for a block, as the grammar's @threads.
  static constexpr std::uint32_t LanesOf(std::uint32_t) { return 4; }

  template <class ExecScope>
  WY_HD static void Start(Lane<ExecScope>& lane, Symbol& symbol) {
    symbol.slots[0] = grammar::AttributeOf(lane.job, symbol, kLevels);
    DeriveBranch(lane, symbol, kStartPlace);
  }

  template <class ExecScope>
  WY_HD WY_INLINED static void Derive(Lane<ExecScope>& lane, const Frame& frame, std::uint32_t,
                                      std::uint32_t number) {
    Symbol symbol = PieceOf(frame.symbol, 10, number, frame.count);
    const float chance = grammar::ChanceOf(symbol.key, 1);
    const float turn = static_cast<float>(number) * 120 + (-9 * (1 - chance) + chance * 9);
    grammar::Turn(symbol, grammar::TurnOf(1, turn));
    grammar::Turn(symbol, grammar::TurnOf(0, 37));
    symbol.scope.size = grammar::Product(symbol.scope.size, {0.577f, 0.8f, 0.577f});
    symbol.slots[0] -= 1;
    DeriveBranch(lane, symbol, 39);
  }

 private:
  using Branch = Rule<0, HashOf("Branch")>;
  static constexpr std::uint32_t kLevels = 0, kFanSize = 1;  // attributes
  static constexpr std::uint16_t kTrunk = kFirstOwnMesh, kLeaf = kTrunk + 1;
  static constexpr std::uint32_t kStartPlace = ~0u - 1;

  template <class ExecScope>
  WY_HD static void DeriveBranch(Lane<ExecScope>& lane, Symbol& symbol, std::uint32_t place) {
    if (!Enter<Branch>(lane, symbol, place)) return;
    MakeMesh(lane, symbol, kTrunk, 0, 0);
    grammar::Translate(symbol, {0, symbol.scope.size.y, 0});
    if (symbol.slots[0] > 0) {
      const float fan = grammar::AttributeOf(lane.job, symbol, kFanSize);
      lane.MakeFrame(symbol, {kFan, static_cast<std::uint32_t>(fan), 0});
      return;
    }
    for (std::uint32_t number = 0; number < 2; ++number) {
      Symbol leaf = PieceOf(symbol, 13, number, 2);
      grammar::Turn(leaf, grammar::TurnOf(1, 45 + static_cast<float>(number) * 45));
      MakeMesh(lane, leaf, kLeaf, 0, 47);
    }
  }
};

}  // namespace warpyard::grammar_by_hand

#endif  // WARPYARD_BENCHMARKS_GRAMMAR_BY_HAND_TREE_H_
