// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The procedures of a derivation. [Steinberger §10.3]
//
// A symbol is an element of its own only where it is alone: a chunk of a frame's symbols is one
// element, and a group of as many threads executes it. Frames that a thread makes are a list, of
// which it spawns the first; whoever takes a frame up spawns the next one.
#ifndef WARPYARD_CORE_WORKLOAD_GRAMMAR_DERIVE_PROCEDURES_H_
#define WARPYARD_CORE_WORKLOAD_GRAMMAR_DERIVE_PROCEDURES_H_

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "core/base/macros.h"
#include "core/exec/bits.h"
#include "core/exec/scope.h"
#include "core/procedure/procedure_concept.h"
#include "core/procedure/procedure_list.h"
#include "core/workload/grammar/derive/interpreter.h"
#include "core/workload/grammar/derive/sight.h"

namespace warpyard::grammar {

/// Some symbols of a frame. @shape number: symbols [number * lanes, (number + 1) * lanes)
struct Chunk {
  std::uint32_t frame;
  std::uint32_t number;
};

/// Position of P in GrammarProcedures, which names them all and so comes last.
template <class P>
constexpr ProcedureId IndexInProgram();
/// The procedure of a frame's chunks.
WY_HD inline ProcedureId ProcedureOf(std::uint32_t lanes);

/// So many buildings keep all workers of a device busy with a thread for each symbol.
inline constexpr std::uint32_t kManyBuildings = 256;

/// Threads for the symbols of a frame: 1, 2, 4, 8 or 32. Few symbols leave some of their threads
/// idle, which is worth it only where there are not enough of them. [Steinberger §10.3.3]
WY_HD inline std::uint32_t LanesOf(const DeriveJob& job, const Frame& frame) {
  if (frame.count == 1 || job.span.count >= kManyBuildings) return 1;
  const std::uint32_t asked = job.rules[frame.symbol.rule].lanes;
  const std::uint32_t wanted = asked != 0 ? asked : frame.count;
  return wanted <= 1 ? 1 : wanted <= 2 ? 2 : wanted <= 4 ? 4 : wanted <= 16 ? 8 : 32;
}

template <class Context>
WY_HD void SpawnFrame(Context& context, std::uint32_t unit) {
  const DeriveJob& job = context.job;
  const std::uint32_t lanes = LanesOf(job, job.units[unit].template As<Frame>());
  context.Spawn(ProcedureOf(lanes), Chunk{unit, 0});
}

/// Executes a chunk with a thread for each symbol.
template <std::uint32_t kLanes>
struct DeriveSymbols {
  using Item = Chunk;
  static constexpr std::size_t kSharedBytes = 0;
  static constexpr const char* kName = kLanes == 1   ? "DeriveSymbols1"
                                       : kLanes == 2 ? "DeriveSymbols2"
                                       : kLanes == 4 ? "DeriveSymbols4"
                                       : kLanes == 8 ? "DeriveSymbols8"
                                                     : "DeriveSymbols32";
  static constexpr std::uint32_t kThreads = kLanes;
  /// The next frame, two chunks, and the frames of each thread.
  static constexpr std::uint32_t kMaxSpawns = kLanes + 3;
  static constexpr bool kSpawned = true;

  template <class ExecScope>
  WY_HD static void Execute(procedure::Context<ExecScope, DeriveJob>& context, const Chunk& chunk) {
    DeriveChunk(context, chunk);
  }

 private:
  /// Not inlined: code that were part of the workers' loop would take registers from all others.
  template <class ExecScope>
  WY_DEVICE_CALL WY_HD static void DeriveChunk(procedure::Context<ExecScope, DeriveJob>& context,
                                               const Chunk chunk) {
    const DeriveJob& job = context.job;
    if (IsFull<ExecScope>(job)) return;
    const Frame& frame = job.units[chunk.frame].template As<Frame>();
    const std::uint32_t rank = context.scope.Rank(), begin = chunk.number * kLanes;
    if (rank == 0) SpawnOthers(context, frame, chunk);
    const std::uint32_t end = exec::Least(frame.count, begin + kLanes);
    const std::uint32_t list = DeriveSome<exec::ThreadOf<ExecScope>>(
        job, {chunk.frame, begin + rank, end, context.scope.Size()},
        PartOf(chunk.frame, begin + rank));
    if (list != kNone) SpawnFrame(context, list);
  }

  /// The first chunk spawns the next frame. Chunks are a binary tree, so that many groups soon have
  /// some.
  template <class Context>
  WY_HD static void SpawnOthers(Context& context, const Frame& frame, const Chunk& chunk) {
    if (chunk.number == 0 && frame.next != kNone) SpawnFrame(context, frame.next);
    const std::uint32_t chunks = (frame.count + kLanes - 1) / kLanes;
    for (std::uint32_t child = 2 * chunk.number + 1; child <= 2 * chunk.number + 2; ++child) {
      if (child < chunks) context.Spawn(context.OwnProcedure(), Chunk{chunk.frame, child});
    }
  }
};

/// Stage over the parcels of the batch: executes the start of each one that the view can see. Its
/// elements are so small that each worker of a device gets some of them.
struct StartBuildings {
  using Item = procedure::Range;
  static constexpr std::size_t kSharedBytes = 0;
  static constexpr const char* kName = "StartBuildings";
  static constexpr std::uint32_t kThreads = 32;
  static constexpr std::uint32_t kMaxSpawns = 32;

  /// Parcels of an element. @shape parcels: of the batch, at least 1
  WY_HD static constexpr std::uint32_t Grain(std::uint32_t parcels) {
    constexpr std::uint32_t kElements = 2048;
    return parcels >= kThreads * kElements ? kThreads : (parcels + kElements - 1) / kElements;
  }

  template <class ExecScope>
  WY_HD static void Execute(procedure::Context<ExecScope, DeriveJob>& context,
                            const procedure::Range& range) {
    StartSome(context, range);
  }

 private:
  /// Not inlined, as DeriveChunk.
  template <class ExecScope>
  WY_DEVICE_CALL WY_HD static void StartSome(procedure::Context<ExecScope, DeriveJob>& context,
                                             const procedure::Range range) {
    const DeriveJob& job = context.job;
    Lane<exec::ThreadOf<ExecScope>> lane(job);
    for (std::uint32_t b = range.begin + context.scope.Rank(); b < range.end;
         b += context.scope.Size()) {
      if (job.sight.view != nullptr && !IsSeen(*job.sight.view, job.parcels[b].scope)) {
        ExecScope::Word(job.counters->culled).FetchAddRelaxed(1);
        continue;
      }
      lane.part = PartOf(b, kNone);
      Start(lane, b);
    }
    if (lane.list != kNone) SpawnFrame(context, lane.list);
  }
  template <class Thread>
  WY_HD static void Start(Lane<Thread>& lane, std::uint32_t building) {
    const DeviceParcel& parcel = lane.job.parcels[building];
    Symbol symbol;
    symbol.scope = {{0, 0, 0}, {0, 0, 0, 1}, parcel.scope.size};
    symbol.key = parcel.key;
    symbol.building = building;
    symbol.context = MakeContext(lane);
    if (symbol.context == kNone) return;
    grammar::Execute(lane, symbol, 0);
  }
};

/// Stage over the lists of symbols that earlier stages left to this one.
template <std::uint32_t kStage>
struct StartStage {
  using Item = procedure::Range;
  static constexpr std::size_t kSharedBytes = 0;
  static constexpr const char* kNames[8] = {"",
                                            "StartStage1",
                                            "StartStage2",
                                            "StartStage3",
                                            "StartStage4",
                                            "StartStage5",
                                            "StartStage6",
                                            "StartStage7"};
  static constexpr const char* kName = kNames[kStage];
  static constexpr std::uint32_t kThreads = 32;
  static constexpr std::uint32_t kGrain = 32;
  static constexpr std::uint32_t kMaxSpawns = kGrain;

  template <class ExecScope>
  WY_HD static void Execute(procedure::Context<ExecScope, DeriveJob>& context,
                            const procedure::Range& range) {
    for (std::uint32_t list = range.begin + context.scope.Rank(); list < range.end;
         list += context.scope.Size()) {
      const std::uint32_t head = context.job.counters->deferred[kStage][list];
      if (head != kNone) SpawnFrame(context, head);
    }
  }
};

using GrammarProcedures =
    procedure::ProcedureList<DeriveSymbols<1>, DeriveSymbols<2>, DeriveSymbols<4>, DeriveSymbols<8>,
                             DeriveSymbols<32>, StartBuildings, StartStage<1>, StartStage<2>,
                             StartStage<3>, StartStage<4>, StartStage<5>, StartStage<6>,
                             StartStage<7>>;
static_assert(kMostStages == 8);

template <class P>
constexpr ProcedureId IndexInProgram() {
  constexpr ProcedureId kIndex = GrammarProcedures::IndexOf<P>();
  static_assert(kIndex < GrammarProcedures::kCount);
  return kIndex;
}

WY_HD inline ProcedureId ProcedureOf(std::uint32_t lanes) {
  return lanes == 1   ? IndexInProgram<DeriveSymbols<1>>()
         : lanes == 2 ? IndexInProgram<DeriveSymbols<2>>()
         : lanes == 4 ? IndexInProgram<DeriveSymbols<4>>()
         : lanes == 8 ? IndexInProgram<DeriveSymbols<8>>()
                      : IndexInProgram<DeriveSymbols<32>>();
}

}  // namespace warpyard::grammar

#endif  // WARPYARD_CORE_WORKLOAD_GRAMMAR_DERIVE_PROCEDURES_H_
