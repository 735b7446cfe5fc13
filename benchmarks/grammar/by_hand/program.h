// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Programs that execute rules written in C++, in several groupings, on the jobs and the memory of
// the grammar workload: only the rules are in the kernel instead of in data.
#ifndef WARPYARD_BENCHMARKS_GRAMMAR_BY_HAND_PROGRAM_H_
#define WARPYARD_BENCHMARKS_GRAMMAR_BY_HAND_PROGRAM_H_

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "benchmarks/grammar/by_hand/rules.h"
#include "core/base/macros.h"
#include "core/procedure/procedure_concept.h"
#include "core/procedure/procedure_list.h"
#include "core/workload/grammar/derive/procedures.h"

namespace warpyard::grammar_by_hand {

/// Which symbols a procedure executes, and so, which ones share a warp.
enum class Grouping {
  kByLanes,   ///< any with as many threads, as the interpreter does
  kByBlock,   ///< those of one block of the grammar: its rules are code of their own
  kOneByOne,  ///< those of one block, a thread each
};

/// The type tells the program.
template <class Rules, Grouping kGrouping>
struct HandJob : grammar::DeriveJob {};

/// The procedures have these positions; those that derive come after them.
inline constexpr std::uint32_t kStartAt = 0, kStageAt = 1, kDeriveAt = 3;
inline constexpr std::uint32_t kAnyBlock = ~0u;

template <class Rules, Grouping kGrouping, class Context>
WY_HD void SpawnByHand(Context& context, std::uint32_t unit) {
  const Frame& frame = context.job.units[unit].template As<Frame>();
  std::uint32_t which = frame.block;
  if constexpr (kGrouping == Grouping::kByLanes) {
    const std::uint32_t lanes = grammar::LanesOf(context.job, frame);
    which = lanes == 1 ? 0 : lanes == 2 ? 1 : lanes == 4 ? 2 : lanes == 8 ? 3 : 4;
  }
  context.Spawn(ProcedureId(kDeriveAt + which), grammar::Chunk{unit, 0});
}

/// Rules of any block. Not inlined: all procedures of kByLanes share it.
template <class Rules, class ExecScope>
WY_HD WY_DEVICE_CALL void DeriveAny(Lane<ExecScope>& lane, const Frame& frame,
                                    std::uint32_t number) {
  Rules::Derive(lane, frame, frame.block, number);
}

/// Executes a chunk with a thread for each symbol, as grammar::DeriveSymbols.
template <class Rules, Grouping kGrouping, std::uint32_t kLanes, std::uint32_t kBlock>
struct DeriveByHand {
  using Item = grammar::Chunk;
  static constexpr std::size_t kSharedBytes = 0;
  static constexpr const char* kName = "DeriveByHand";
  static constexpr std::uint32_t kThreads = kLanes;
  static constexpr std::uint32_t kMaxSpawns = kLanes + 3;
  static constexpr bool kSpawned = true;

  template <class ExecScope, class Job>
  WY_HD static void Execute(procedure::Context<ExecScope, Job>& context, const Item& chunk) {
    if (grammar::IsFull<ExecScope>(context.job)) return;
    const Frame& frame = context.job.units[chunk.frame].template As<Frame>();
    const std::uint32_t rank = context.scope.Rank(), first = chunk.number * kLanes;
    if (rank == 0) {
      const std::uint32_t chunks = (frame.count + kLanes - 1) / kLanes;
      if (first == 0 && frame.next != grammar::kNone) {
        SpawnByHand<Rules, kGrouping>(context, frame.next);
      }
      for (const std::uint32_t child : {2 * chunk.number + 1, 2 * chunk.number + 2}) {
        if (child < chunks) context.Spawn(context.OwnProcedure(), Item{chunk.frame, child});
      }
    }
    Lane<ExecScope> lane(context.job);
    lane.part = grammar::PartOf(chunk.frame, first + rank);
    WY_ROLLED
    for (std::uint32_t i = rank; i < kLanes; i += context.scope.Size()) {
      if (first + i < frame.count) DeriveOne(lane, frame, first + i);
    }
    if constexpr (kBlock == kAnyBlock) TakeUpSmall(lane);
    if (lane.list != grammar::kNone) SpawnByHand<Rules, kGrouping>(context, lane.list);
  }

 private:
  template <class ExecScope>
  WY_HD static void DeriveOne(Lane<ExecScope>& lane, const Frame& frame, std::uint32_t number) {
    if constexpr (kBlock == kAnyBlock) {
      DeriveAny<Rules>(lane, frame, number);
    } else {
      Rules::Derive(lane, frame, kBlock, number);
    }
  }

  /// Executes small frames in place, where there are many buildings, as the interpreter does.
  template <class ExecScope>
  WY_HD static void TakeUpSmall(Lane<ExecScope>& lane) {
    if (lane.job.span.count < 256) return;
    std::uint32_t others = grammar::kNone;
    WY_ROLLED
    for (std::uint32_t symbols = 0; lane.list != grammar::kNone;) {
      const std::uint32_t unit = lane.list;
      Frame& frame = lane.job.units[unit].template As<Frame>();
      lane.list = frame.next;
      if (frame.count > 4 || symbols >= 16) {
        frame.next = others;
        others = unit;
        continue;
      }
      symbols += frame.count;
      WY_ROLLED
      for (std::uint32_t n = 0; n < frame.count; ++n) DeriveAny<Rules>(lane, frame, n);
    }
    lane.list = others;
  }
};

template <class Rules, Grouping kGrouping>
struct StartByHand {
  using Item = procedure::Range;
  static constexpr std::size_t kSharedBytes = 0;
  static constexpr const char* kName = "StartByHand";
  static constexpr std::uint32_t kThreads = 32, kGrain = 32, kMaxSpawns = 32;

  template <class ExecScope, class Job>
  WY_HD static void Execute(procedure::Context<ExecScope, Job>& context, const Item& range) {
    Lane<ExecScope> lane(context.job);
    for (std::uint32_t b = range.begin + context.scope.Rank(); b < range.end;
         b += context.scope.Size()) {
      lane.part = grammar::PartOf(b, grammar::kNone);
      const grammar::DeviceParcel& parcel = context.job.parcels[b];
      Symbol symbol;
      symbol.scope = {{0, 0, 0}, {0, 0, 0, 1}, parcel.scope.size};
      symbol.key = parcel.key;
      symbol.building = b;
      symbol.context = grammar::MakeContext(lane);
      if (symbol.context != grammar::kNone) Rules::Start(lane, symbol);
    }
    if (lane.list != grammar::kNone) SpawnByHand<Rules, kGrouping>(context, lane.list);
  }
};

template <class Rules, Grouping kGrouping, std::uint32_t kStage>
struct StageByHand {
  using Item = procedure::Range;
  static constexpr std::size_t kSharedBytes = 0;
  static constexpr const char* kName = "StageByHand";
  static constexpr std::uint32_t kThreads = 32, kGrain = 32, kMaxSpawns = 32;

  template <class ExecScope, class Job>
  WY_HD static void Execute(procedure::Context<ExecScope, Job>& context, const Item& range) {
    const auto& heads = context.job.counters->deferred[kStage];
    for (std::uint32_t i = range.begin + context.scope.Rank(); i < range.end;
         i += context.scope.Size()) {
      if (heads[i] != grammar::kNone) SpawnByHand<Rules, kGrouping>(context, heads[i]);
    }
  }
};

template <class Rules, Grouping kGrouping>
class HandProgram {
 private:
  template <std::uint32_t kLanes, std::uint32_t kBlock>
  using Derive = DeriveByHand<Rules, kGrouping, kLanes, kBlock>;
  template <class... Derives>
  using List =
      procedure::ProcedureList<StartByHand<Rules, kGrouping>, StageByHand<Rules, kGrouping, 1>,
                               StageByHand<Rules, kGrouping, 2>, Derives...>;

  template <std::size_t... kBlocks>
  static auto ListOf(std::index_sequence<kBlocks...>) {
    if constexpr (kGrouping == Grouping::kByLanes) {
      return List<Derive<1, kAnyBlock>, Derive<2, kAnyBlock>, Derive<4, kAnyBlock>,
                  Derive<8, kAnyBlock>, Derive<32, kAnyBlock>>{};
    } else if constexpr (kGrouping == Grouping::kByBlock) {
      return List<Derive<Rules::LanesOf(kBlocks), kBlocks>...>{};
    } else {
      return List<Derive<1, kBlocks>...>{};
    }
  }

 public:
  using Job = HandJob<Rules, kGrouping>;
  using Procedures = decltype(ListOf(std::make_index_sequence<Rules::kBlocks>()));
  static constexpr std::uint32_t kMaxStages = 3;
  static_assert(Rules::kStages <= kMaxStages);

  WY_HD static std::uint32_t StageCount(const Job&) { return Rules::kStages; }

  template <class Scope>
  WY_HD static procedure::StagePlan Plan(const Job& job, std::uint32_t stage) {
    if (stage == 0) return {ProcedureId(kStartAt), job.span.count, 32};
    return {ProcedureId(kStageAt + stage - 1), grammar::kDeferredLists, 32};
  }
};

}  // namespace warpyard::grammar_by_hand

#endif  // WARPYARD_BENCHMARKS_GRAMMAR_BY_HAND_PROGRAM_H_
