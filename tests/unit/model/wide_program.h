// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A wide program: 60 spawned procedures, and many stages.
#ifndef WARPYARD_TESTS_UNIT_MODEL_WIDE_PROGRAM_H_
#define WARPYARD_TESTS_UNIT_MODEL_WIDE_PROGRAM_H_

#include <cstddef>
#include <cstdint>
#include <utility>

#include "core/procedure/procedure_concept.h"
#include "core/procedure/procedure_list.h"

namespace warpyard::test_support {

/// Index i of each stage spawns an element for Hop<i % kHops>; each hop spawns one for the next.
struct WideJob {
  static constexpr std::uint32_t kHops = 60;
  static constexpr std::uint32_t kStages = 40;

  std::uint32_t width;
  std::uint64_t* executed;   ///< [kHops], by procedure
  std::uint64_t* misplaced;  ///< elements that another procedure executed
};

/// An element of a chain. @shape to: the procedure that is to execute it
struct HopItem {
  std::uint32_t to;
  std::uint32_t left;  ///< hops after this one
};

constexpr ProcedureId HopOf(std::uint32_t hop) { return ProcedureId(1 + hop); }

struct SeedHops {
  using Item = procedure::Range;
  static constexpr std::uint32_t kThreads = 1;
  static constexpr std::uint32_t kMaxSpawns = 1;
  static constexpr std::size_t kSharedBytes = 0;
  static constexpr const char* kName = "SeedHops";

  template <class Scope>
  static void Execute(procedure::Context<Scope, WideJob>& context, const Item& range) {
    const std::uint32_t to = range.begin % WideJob::kHops;
    context.Spawn(HopOf(to), HopItem{to, WideJob::kHops});
  }
};

template <std::uint32_t kHop>
struct Hop {
  using Item = HopItem;
  static constexpr std::uint32_t kThreads = 1;
  static constexpr std::uint32_t kMaxSpawns = 1;
  static constexpr bool kSpawned = true;
  static constexpr std::size_t kSharedBytes = 0;
  static constexpr const char* kName = "Hop";

  template <class Scope>
  static void Execute(procedure::Context<Scope, WideJob>& context, const Item& item) {
    const WideJob& job = context.job;
    if (item.to != kHop) Scope::Word(*job.misplaced).FetchAddRelaxed(std::uint64_t{1});
    Scope::Word(job.executed[kHop]).FetchAddRelaxed(std::uint64_t{1});
    if (item.left == 0) return;
    const std::uint32_t next = (kHop + 1) % WideJob::kHops;
    // Some by levels, so that elements also pass through the queues of levels.
    const HopItem hop{next, item.left - 1};
    if (item.left % 4 == 0) return context.SpawnAt(Level(kHop), HopOf(next), hop);
    context.Spawn(HopOf(next), hop);
  }
};

struct WideProgram {
  template <std::size_t... kHop>
  static procedure::ProcedureList<SeedHops, Hop<kHop>...> ListOf(std::index_sequence<kHop...>);

  using Job = WideJob;
  using Procedures = decltype(ListOf(std::make_index_sequence<WideJob::kHops>()));
  static constexpr std::uint32_t kMaxStages = WideJob::kStages;

  static std::uint32_t StageCount(const Job&) { return kMaxStages; }
  template <class Scope>
  static procedure::StagePlan Plan(const Job& job, std::uint32_t) {
    return {ProcedureId(0), job.width, 1};
  }
};

}  // namespace warpyard::test_support

#endif  // WARPYARD_TESTS_UNIT_MODEL_WIDE_PROGRAM_H_
