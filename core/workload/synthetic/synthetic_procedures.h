// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The procedures of synthetic events: packages that spawn nothing, recursion, trees, priorities.
#ifndef WARPYARD_CORE_WORKLOAD_SYNTHETIC_SYNTHETIC_PROCEDURES_H_
#define WARPYARD_CORE_WORKLOAD_SYNTHETIC_SYNTHETIC_PROCEDURES_H_

#include <cstddef>
#include <cstdint>

#include "core/base/macros.h"
#include "core/procedure/procedure_concept.h"
#include "core/procedure/procedure_list.h"
#include "core/workload/synthetic/synthetic_element.h"
#include "core/workload/synthetic/synthetic_job.h"
#include "core/workload/synthetic/synthetic_node.h"

namespace warpyard::synthetic {

using procedure::Range;

/// Position of P in SyntheticProcedures, which names them all and so comes last.
template <class P>
constexpr ProcedureId IndexInProgram();

/// The common part of the stages whose elements spawn nothing: a group does the work of each index.
struct RunIndices {
  using Item = Range;
  static constexpr std::size_t kSharedBytes = 0;
  static constexpr std::uint32_t kGrain = 1;

  template <class Scope>
  WY_HD static void Execute(Context<Scope, SyntheticJob>& context, const Range& range) {
    for (std::uint32_t id = range.begin; id < range.end; ++id) {
      RunElement(context, {{id, 0}, NodeHash(context.job, {id, 0}), 0, 0}, [] {});
    }
  }
};

/// Stage over packages: a whole block does the work of each index.
struct RunPackages : RunIndices {
  static constexpr const char* kName = "RunPackages";
};
/// Stage whose indices are elements of a warp.
struct RunWarps : RunIndices {
  static constexpr const char* kName = "RunWarps";
  static constexpr std::uint32_t kThreads = 32;
};

/// The common part of the recursive procedures. [Steinberger §6.5.2]
/// Deviates from [Steinberger §6.5.2]: an element is 8 bytes in all variants; only the memory of
/// the work is larger.
template <class P>
struct Recursive {
  using Item = Node;
  static constexpr std::size_t kSharedBytes = 0;
  static constexpr std::uint32_t kMaxSpawns = 2;
  static constexpr bool kSpawned = true;

  template <class Scope>
  WY_HD static void Execute(Context<Scope, SyntheticJob>& context, const Node& node) {
    const std::uint32_t hash = NodeHash(context.job, node);
    RunElement(context, {node, hash, 0, node.depth}, [&] {
      if (context.scope.Rank() != 0) return;
      for (std::uint32_t child = 0; child < 2; ++child) {
        if (!HasChild(context.job.growth, hash, node.depth, child)) continue;
        context.Spawn(IndexInProgram<P>(), ChildOf(hash, node.depth, child));
      }
    });
  }
};

struct RecursiveItem : Recursive<RecursiveItem> {
  static constexpr const char* kName = "RecursiveItem";
  static constexpr std::uint32_t kThreads = 1;
};
struct RecursiveSet : Recursive<RecursiveSet> {
  static constexpr const char* kName = "RecursiveSet";
  static constexpr std::uint32_t kThreads = 8;
};
struct RecursivePackage64 : Recursive<RecursivePackage64> {
  static constexpr const char* kName = "RecursivePackage64";
  static constexpr std::uint32_t kThreads = 64;
};
struct RecursivePackage : Recursive<RecursivePackage> {
  static constexpr const char* kName = "RecursivePackage";
};

/// Executes a node of a tree. Nodes of all types share this function. With a function for each
/// type, workers would evict each other's instructions from the caches. The function is not
/// inlined, so it gets its context by value (see model/worker/worker_handle.h).
/// @scope one thread @shape first: id of the procedure of type 0
template <class Scope>
WY_DEVICE_CALL WY_HD void RunTreeNode(const Context<Scope, SyntheticJob> far, const Node node,
                                      std::uint32_t type, ProcedureId first) {
  Context<Scope, SyntheticJob> context = far;
  context.spawns = &Scope::Near(*far.spawns);
  const std::uint32_t hash = NodeHash(context.job, node);
  RunElement(context, {node, hash, type, node.depth}, [&] {
    WY_ROLLED
    for (std::uint32_t child = 0; child < 2; ++child) {
      if (!HasChild(context.job.growth, hash, node.depth, child)) continue;
      const Node spawned = ChildOf(hash, node.depth, child);
      context.Spawn(first + ChildType(context.job, spawned, type), spawned);
    }
  });
}

/// A node of a tree whose nodes are of several types. [Steinberger §6.5.3]
template <std::uint32_t kType>
struct TreeItem {
  using Item = Node;
  static constexpr std::size_t kSharedBytes = 0;
  static constexpr const char* kName = kType == 0   ? "TreeItem0"
                                       : kType == 1 ? "TreeItem1"
                                       : kType == 2 ? "TreeItem2"
                                                    : "TreeItem3";
  static constexpr std::uint32_t kThreads = 1;
  static constexpr std::uint32_t kMaxSpawns = 2;
  static constexpr bool kSpawned = true;

  template <class Scope>
  WY_HD static void Execute(Context<Scope, SyntheticJob>& context, const Node& node) {
    RunTreeNode(context, node, kType, IndexInProgram<TreeItem<0>>());
  }
};

/// A package of random priority. It spawns another package, until `total` packages are started.
/// [Steinberger §5.2.4]
///
/// The package with turn n spawns the package with id `elements + n`. So the trace, which has the
/// ids in the order of turns, shows which elements were queued at any turn.
struct PrioritisedPackage {
  using Item = Node;
  static constexpr std::size_t kSharedBytes = 0;
  static constexpr const char* kName = "PrioritisedPackage";
  static constexpr std::uint32_t kMaxSpawns = 1;
  static constexpr bool kSpawned = true;

  template <class Scope>
  WY_HD static void Execute(Context<Scope, SyntheticJob>& context, const Node& node) {
    const SyntheticJob& job = context.job;
    Beginning begin;
    if (context.scope.Rank() == 0) {
      begin = {TakeTurn<Scope>(job), Scope::NowNs()};
      const std::uint64_t next = begin.turn + job.elements;
      if (next < job.total) SpawnOne(context, static_cast<std::uint32_t>(next));
    }
    const std::uint32_t level = job.levels == 0 ? 0 : LevelOf(job, node.id);
    RunElement(context, {node, NodeHash(job, node), 0, level}, begin, [] {});
  }

  /// @scope one thread of the group
  template <class Scope>
  WY_HD static void SpawnOne(Context<Scope, SyntheticJob>& context, std::uint32_t id) {
    const ProcedureId procedure = IndexInProgram<PrioritisedPackage>();
    if (context.job.levels == 0) return context.Spawn(procedure, Node{id, 0});
    context.SpawnAt(Level(LevelOf(context.job, id)), procedure, Node{id, 0});
  }
};

/// Stage over the elements of the start: spawns one for each index.
struct SeedElements {
  using Item = Range;
  static constexpr std::size_t kSharedBytes = 0;
  static constexpr const char* kName = "SeedElements";
  static constexpr std::uint32_t kMaxSpawns = 32;
  static constexpr std::uint32_t kGrain = kMaxSpawns;

  template <class Scope>
  WY_HD static void Execute(Context<Scope, SyntheticJob>& context, const Range& range) {
    for (std::uint32_t id = range.begin + context.scope.Rank(); id < range.end;
         id += context.scope.Size()) {
      if (context.job.kind == SyntheticKind::kPrioritised) {
        PrioritisedPackage::SpawnOne(context, id);
      } else {
        context.Spawn(ProcedureOf(context.job, id), Node{id, 0});
      }
    }
  }

 private:
  WY_HD static ProcedureId ProcedureOf(const SyntheticJob& job, std::uint32_t id) {
    switch (job.kind) {
      case SyntheticKind::kRecursiveSets:
        return IndexInProgram<RecursiveSet>();
      case SyntheticKind::kRecursivePackages64:
        return IndexInProgram<RecursivePackage64>();
      case SyntheticKind::kRecursivePackages:
        return IndexInProgram<RecursivePackage>();
      case SyntheticKind::kTree:
        return IndexInProgram<TreeItem<0>>() + RootType(job, id);
      default:
        return IndexInProgram<RecursiveItem>();
    }
  }
};

using SyntheticProcedures =
    procedure::ProcedureList<RunPackages, SeedElements, RecursiveItem, RecursiveSet,
                             RecursivePackage64, RecursivePackage, TreeItem<0>, TreeItem<1>,
                             TreeItem<2>, TreeItem<3>, PrioritisedPackage, RunWarps>;

/// Types of trees are counted from the first TreeItem on.
static_assert(SyntheticProcedures::IndexOf<TreeItem<3>>() ==
              SyntheticProcedures::IndexOf<TreeItem<0>>() + kTypes - 1);

template <class P>
constexpr ProcedureId IndexInProgram() {
  constexpr ProcedureId kIndex = SyntheticProcedures::IndexOf<P>();
  static_assert(kIndex < SyntheticProcedures::kCount);
  return kIndex;
}

}  // namespace warpyard::synthetic

#endif  // WARPYARD_CORE_WORKLOAD_SYNTHETIC_SYNTHETIC_PROCEDURES_H_
