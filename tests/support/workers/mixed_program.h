// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A program whose procedures are groups of all sizes and spawn one another. It checks that each
// element is executed once, by the right procedure and by all threads of its group.
//
// Elements are nodes of trees. The place of a node in its tree determines whether it exists, its
// procedure and where it waits, so that the host knows all nodes.
#ifndef WARPYARD_TESTS_SUPPORT_WORKERS_MIXED_PROGRAM_H_
#define WARPYARD_TESTS_SUPPORT_WORKERS_MIXED_PROGRAM_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/macros.h"
#include "core/procedure/procedure_concept.h"
#include "core/procedure/procedure_list.h"
#include "core/workload/synthetic/synthetic_node.h"

namespace warpyard::test_support {

/// The queued data of a node.
struct MixedNode {
  std::uint32_t place;           ///< place in its tree; it gives its children's places
  std::uint32_t root_and_depth;  ///< root << 8 | depth

  WY_HD std::uint32_t Root() const { return root_and_depth >> 8; }
  WY_HD std::uint32_t Depth() const { return root_and_depth & 0xffu; }
};

/// Trees over `words`, memory that all workers reach.
struct MixedJob {
  static constexpr std::uint32_t kKinds = 5;  ///< procedures of nodes
  static constexpr std::uint32_t kMostArity = 3;

  std::uint32_t seed = 1;
  std::uint32_t roots = 1;
  std::uint32_t grain = 8;   ///< roots that an element of the stage spawns; at most 8
  std::uint32_t depths = 1;  ///< at most 255
  std::uint32_t arity = 2;
  std::uint32_t child_permille = 1000;
  std::uint32_t level_permille = 0;  ///< part of the nodes that wait in the bucket of a level
  std::uint32_t kinds = kKinds;      ///< nodes use the first `kinds` procedures
  std::uint32_t places = 0;          ///< places of a tree
  std::uint32_t* words = nullptr;    ///< @shape [Words()], zero before use

  WY_HD std::size_t Nodes() const { return std::size_t{roots} * places; }
  WY_HD std::size_t Words() const { return 2 * Nodes() + 1; }

  WY_HD std::size_t IndexOf(const MixedNode& node) const {
    return std::size_t{node.Root()} * places + node.place;
  }
  /// Counts threads that executed the node and, in higher bits, how often each procedure did: see
  /// MarkOf.
  WY_HD std::uint32_t& Mark(const MixedNode& node) const { return words[IndexOf(node)]; }
  /// A plain word: the spawning thread writes it, and the executing thread reads it.
  WY_HD std::uint32_t& Note(const MixedNode& node) const { return words[Nodes() + IndexOf(node)]; }
  /// Number of faults that threads found.
  WY_HD std::uint32_t& Faults() const { return words[2 * Nodes()]; }

  WY_HD std::uint32_t HashOf(const MixedNode& node) const {
    return synthetic::Combine(synthetic::Combine(seed, node.root_and_depth), node.place) | 1u;
  }
  WY_HD std::uint32_t KindOf(const MixedNode& node) const {
    return synthetic::Scaled(synthetic::Mix(HashOf(node)), kinds);
  }
  WY_HD bool HasChild(const MixedNode& node, std::uint32_t child) const {
    return node.Depth() + 1 < depths && child < arity &&
           synthetic::Scaled(synthetic::Combine(HashOf(node), child), 1000) < child_permille;
  }
  WY_HD MixedNode ChildOf(const MixedNode& node, std::uint32_t child) const {
    return {arity * node.place + 1 + child, node.root_and_depth + 1};
  }

  WY_HD static std::uint32_t MarkOf(std::uint32_t kind) { return 1u << (16 + 3 * kind); }
};

template <class Scope>
WY_HD void SpawnNode(procedure::Context<Scope, MixedJob>& context, const MixedNode& node) {
  const MixedJob& job = context.job;
  const auto procedure = ProcedureId(1 + job.KindOf(node));
  const std::uint32_t hash = synthetic::Combine(~job.seed, job.HashOf(node));
  if (synthetic::Scaled(hash, 1000) >= job.level_permille) return context.Spawn(procedure, node);
  context.SpawnAt(Level(hash % procedure::kLevels), procedure, node);
}

/// Stage over the roots: spawns them.
struct SeedNodes {
  using Item = procedure::Range;
  static constexpr std::size_t kSharedBytes = 0;
  static constexpr const char* kName = "SeedNodes";
  static constexpr std::uint32_t kMaxSpawns = 8;

  template <class Scope>
  WY_HD static void Execute(procedure::Context<Scope, MixedJob>& context,
                            const procedure::Range& range) {
    const std::uint32_t rank = context.scope.Rank(), size = context.scope.Size();
    for (std::uint32_t root = range.begin + rank; root < range.end; root += size) {
      const MixedNode node{0, root << 8};
      context.job.Note(node) = context.job.HashOf(node);
    }
    context.scope.Barrier();
    for (std::uint32_t root = range.begin + rank; root < range.end; root += size) {
      SpawnNode(context, {0, root << 8});
    }
  }
};

/// A node of kind kKind. @shape kGroup: as Procedure's kThreads; kSpawns: children at most
template <std::uint32_t kKind, std::uint32_t kGroup, std::uint32_t kSpawns>
struct VisitNode {
  using Item = MixedNode;
  static constexpr std::size_t kSharedBytes = kGroup == 1 ? 0 : (kGroup == 0 ? 256 : kGroup) * 4;
  static constexpr const char* kName = kKind == 0   ? "VisitFirstItem"
                                       : kKind == 1 ? "VisitSecondItem"
                                       : kKind == 2 ? "VisitSet"
                                       : kKind == 3 ? "VisitPackage64"
                                                    : "VisitPackage";
  static constexpr std::uint32_t kThreads = kGroup;
  static constexpr std::uint32_t kMaxSpawns = kSpawns;
  static constexpr bool kSpawned = true;

  template <class Scope>
  WY_HD static void Execute(procedure::Context<Scope, MixedJob>& context, const MixedNode& node) {
    const MixedJob& job = context.job;
    const std::uint32_t rank = context.scope.Rank(), size = context.scope.Size();
    const std::uint32_t mark = rank == 0 ? MixedJob::MarkOf(kKind) + 1 : 1;
    Scope::Word(job.Mark(node)).FetchAddRelaxed(mark);
    const bool told = job.Note(node) == job.HashOf(node);
    if (!OwnsItsMemory(context, job.HashOf(node)) || !told) {
      Scope::Word(job.Faults()).FetchAddRelaxed(1);
    }
    for (std::uint32_t c = 0; c < kSpawns; ++c) {
      if (rank + 1 != size || !job.HasChild(node, c)) continue;
      job.Note(job.ChildOf(node, c)) = job.HashOf(job.ChildOf(node, c));
    }
    context.scope.Barrier();
    for (std::uint32_t c = 0; c < kSpawns; ++c) {
      if (rank == c % size && job.HasChild(node, c)) SpawnNode(context, job.ChildOf(node, c));
    }
  }

 private:
  /// Whether the memory of this group is written only by this group.
  template <class Scope>
  WY_HD static bool OwnsItsMemory(procedure::Context<Scope, MixedJob>& context,
                                  std::uint32_t hash) {
    if constexpr (kGroup == 1) return true;
    std::uint32_t* const own = &context.template Shared<std::uint32_t>();
    const std::uint32_t rank = context.scope.Rank();
    const std::uint32_t next = (rank + 1) % context.scope.Size();
    own[rank] = hash + rank;
    context.scope.Barrier();
    const bool same = own[next] == hash + next;
    context.scope.Barrier();
    return same;
  }
};

struct MixedProgram {
  using Job = MixedJob;
  using Procedures = procedure::ProcedureList<SeedNodes, VisitNode<0, 1, 2>, VisitNode<1, 1, 3>,
                                              VisitNode<2, 8, 2>, VisitNode<3, 64, 1>,
                                              VisitNode<4, procedure::kWholeBlock, 3>>;
  static constexpr std::uint32_t kMaxStages = 1;

  WY_HD static std::uint32_t StageCount(const Job&) { return 1; }
  template <class Scope>
  WY_HD static procedure::StagePlan Plan(const Job& job, std::uint32_t) {
    return {ProcedureId(0), job.roots, job.grain};
  }

  /// Threads of a group of a kind. @shape block: threads of a block, 1 on a CPU
  static std::uint32_t ThreadsOf(std::uint32_t kind, std::uint32_t block) {
    constexpr std::uint32_t kThreads[MixedJob::kKinds] = {1, 1, 8, 64, procedure::kWholeBlock};
    return block == 1 || kThreads[kind] == procedure::kWholeBlock ? block : kThreads[kind];
  }
};

/// The expected counts of a job, computed on the host.
struct MixedCounts {
  std::vector<std::uint32_t> marks;
  std::vector<std::uint64_t> executed;  ///< by procedures
  std::uint64_t spawned = 0;

  /// @shape block: threads of a block, 1 on a CPU
  MixedCounts(const MixedJob& job, std::uint32_t block)
      : marks(job.Nodes()), executed(MixedProgram::Procedures::kCount) {
    executed[0] = (job.roots + job.grain - 1) / job.grain;
    std::vector<MixedNode> open;
    for (std::uint32_t root = 0; root < job.roots; ++root) open.push_back({0, root << 8});
    while (!open.empty()) {
      const MixedNode node = open.back();
      open.pop_back();
      const std::uint32_t kind = job.KindOf(node);
      marks[job.IndexOf(node)] = MixedJob::MarkOf(kind) + MixedProgram::ThreadsOf(kind, block);
      ++executed[1 + kind];
      ++spawned;
      for (std::uint32_t c = 0; c < MixedProgram::Procedures::MaxSpawns(1 + kind); ++c) {
        if (job.HasChild(node, c)) open.push_back(job.ChildOf(node, c));
      }
    }
  }
};

/// A job whose memory is on the host.
class HostMixed {
 public:
  explicit HostMixed(const MixedJob& wish) : job(wish) {
    std::uint32_t wide = 1;
    for (std::uint32_t depth = 0; depth < job.depths; ++depth, wide *= job.arity) {
      job.places += wide;
    }
    words_.assign(job.Words(), 0);
    job.words = words_.data();
  }
  HostMixed(const HostMixed&) = delete;
  HostMixed& operator=(const HostMixed&) = delete;

  /// Nodes that were executed, once or more often.
  std::uint64_t Executed() const {
    std::uint64_t executed = 0;
    for (std::size_t i = 0; i < job.Nodes(); ++i) executed += words_[i] != 0 ? 1 : 0;
    return executed;
  }

  /// What is wrong after an event; empty when nothing is. @shape block: as in MixedCounts
  std::string FindFault(std::uint32_t block) const {
    const MixedCounts expected(job, block);
    for (std::size_t i = 0; i < job.Nodes(); ++i) {
      if (words_[i] == expected.marks[i]) continue;
      return "node " + std::to_string(i % job.places) + " of root " +
             std::to_string(i / job.places) + ": mark " + std::to_string(words_[i]) + ", not " +
             std::to_string(expected.marks[i]);
    }
    return job.Faults() == 0 ? "" : std::to_string(job.Faults()) + " faults seen by threads";
  }

  MixedJob job;

 private:
  std::vector<std::uint32_t> words_;
};

/// One of many different jobs.
inline MixedJob MixedJobOf(std::uint32_t number) {
  MixedJob job;
  job.seed = number;
  job.arity = 1 + number % 3;
  job.depths = job.arity == 1 ? 150 : job.arity == 2 ? 11 : 8;
  job.roots = 1 + number * 37 % 60;
  job.grain = 1 + number * 5 % 8;
  job.child_permille = job.arity == 1 ? 990 : number % 2 == 0 ? 1000 : 700;
  job.level_permille = number / 3 % 3 == 1 ? 100 : 0;
  job.kinds = number / 9 % 3 == 0 ? MixedJob::kKinds : 1 + number % MixedJob::kKinds;
  return job;
}

}  // namespace warpyard::test_support

#endif  // WARPYARD_TESTS_SUPPORT_WORKERS_MIXED_PROGRAM_H_
