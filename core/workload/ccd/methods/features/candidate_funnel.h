// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Turns pairs of triangles whose boxes overlap into the pairs of features that root finding needs.
//
// A block works in rounds. It expands pairs of triangles to pairs of features until their buffer is
// full. Then all of its threads filter the pairs. So the threads do not diverge in either phase.
// For a block of one thread (a CPU worker) the same rounds are batches that stay in its cache.
#ifndef WARPYARD_CORE_WORKLOAD_CCD_METHODS_FEATURES_CANDIDATE_FUNNEL_H_
#define WARPYARD_CORE_WORKLOAD_CCD_METHODS_FEATURES_CANDIDATE_FUNNEL_H_

#include <cstdint>

#include "core/base/macros.h"
#include "core/exec/bits.h"
#include "core/procedure/block_buffer.h"
#include "core/procedure/procedure_concept.h"
#include "core/workload/ccd/job/collision_job.h"
#include "core/workload/ccd/methods/features/feature_expansion.h"
#include "core/workload/ccd/methods/traversals/bvtt.h"
#include "core/workload/ccd/narrow/pair_filter.h"

namespace warpyard::ccd {

using procedure::BlockBuffer;
using procedure::Context;

/// @scope all members: the block
class CandidateFunnel {
 public:
  static constexpr std::uint32_t kCandidates = 2560;
  /// Threads that expand a pair at the same time: whole warps, for which an empty buffer has room
  /// whatever they find. A block may have more threads.
  static constexpr std::uint32_t kAtOnce = kCandidates / kMostCandidatesOfTrianglePair / 32 * 32;

  struct Scratch {
    BlockBuffer<TaggedPair, kCandidates> candidates;
    BlockBuffer<PairIds, 512> survivors[2];
  };

  WY_HD explicit CandidateFunnel(std::uint64_t cycles) : begin_(cycles) {}

  /// Empties the buffers; a barrier must follow.
  template <class Scope>
  WY_HD static void Clear(const Scope& scope, Scratch& scratch) {
    if (scope.Rank() != 0) return;
    scratch.candidates.count = 0;
    scratch.survivors[0].count = 0;
    scratch.survivors[1].count = 0;
  }

  /// Turns `count` pairs of triangles into candidates. @shape pair_at(i): a LeafPair
  template <class Scope, class PairAt>
  WY_HD void Expand(Context<Scope, CollisionJob>& context, Scratch& scratch, std::uint32_t count,
                    PairAt&& pair_at) {
    const SceneView& scene = context.job.scene;
    Scope& scope = context.scope;
    TriangleBoxes a, b;
    std::uint32_t loaded = kLeafBit;  // a leaf is loaded once for all its pairs
    const std::uint32_t threads = exec::Least(scope.Size(), kAtOnce);
    for (std::uint32_t first = 0; first < count; first += threads) {
      if (!scratch.candidates.HasRoom(scope, kMostCandidatesOfTrianglePair * threads)) {
        Filter(context, scratch);
      }
      const std::uint32_t i = first + scope.Rank();
      if (scope.Rank() >= threads || i >= count) continue;
      const LeafPair pair = pair_at(i);
      if (pair.a != loaded) a.Load(scene, scene.order.leaves[pair.a]);
      loaded = pair.a;
      b.Load(scene, scene.order.leaves[pair.b]);
      if (!MayCollide(scene.mesh, a.triangle, b.triangle)) continue;
      ExpandTrianglePair(a, b, [&](const TaggedPair& candidate) {
        ++candidates_[static_cast<int>(candidate.Kind())];
        scratch.candidates.template Push<Scope>(candidate);
      });
    }
  }

  /// Filters and lists all remaining pairs, and adds to the counters.
  template <class Scope>
  WY_HD void Finish(Context<Scope, CollisionJob>& context, Scratch& scratch) {
    Filter(context, scratch);
    for (int kind = 0; kind < 2; ++kind) {
      scratch.survivors[kind].FlushTo(context.scope, context.job.step.lists.survivors[kind]);
    }
    AddCounters(context);
  }

 private:
  /// The whole block filters all collected candidates.
  template <class Scope>
  WY_HD void Filter(Context<Scope, CollisionJob>& context, Scratch& scratch) {
    Scope& scope = context.scope;
    const CollisionJob& job = context.job;
    const std::uint64_t begin = Scope::Cycles();
    scope.Barrier();
    const std::uint32_t count = scratch.candidates.count;
    for (std::uint32_t first = 0; first < count; first += scope.Size()) {
      for (int kind = 0; kind < 2; ++kind) {
        if (!scratch.survivors[kind].HasRoom(scope, scope.Size())) {
          scratch.survivors[kind].FlushTo(scope, job.step.lists.survivors[kind]);
        }
      }
      const std::uint32_t i = first + scope.Rank();
      if (i >= count) continue;
      const TaggedPair candidate = scratch.candidates.items[i];
      const PairKind kind = candidate.Kind();
      if (job.step.asked.report == Report::kCandidates ||
          SurvivesFilters(LoadPair(job.scene, job.step, kind, candidate.Ids()),
                          job.step.asked.min_separation)) {
        scratch.survivors[static_cast<int>(kind)].template Push<Scope>(candidate.Ids());
      }
    }
    scope.Barrier();
    if (scope.Rank() == 0) scratch.candidates.count = 0;
    scope.Barrier();
    filter_cycles_ += Scope::Cycles() - begin;
  }

  template <class Scope>
  WY_HD void AddCounters(Context<Scope, CollisionJob>& context) {
    StepCounters& counters = *context.job.step.counters;
    for (int kind = 0; kind < 2; ++kind) {
      if (candidates_[kind] == 0) continue;
      Scope::Word(counters.candidates[kind]).FetchAddRelaxed(candidates_[kind]);
    }
    if (context.scope.Rank() != 0) return;
    Scope::Word(counters.filter_cycles).FetchAddRelaxed(filter_cycles_);
    Scope::Word(counters.traverse_cycles).FetchAddRelaxed(Scope::Cycles() - begin_);
  }

  std::uint64_t begin_;
  std::uint64_t filter_cycles_ = 0;
  std::uint64_t candidates_[2] = {0, 0};
};

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_METHODS_FEATURES_CANDIDATE_FUNNEL_H_
