// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/ccd/methods/traversals/traversal_memory.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/base/macros.h"
#include "core/workload/ccd/methods/traversals/bvtt.h"
#include "core/workload/ccd/methods/traversals/compaction_traversal.h"
#include "core/workload/ccd/methods/traversals/stealing_traversal.h"
#include "core/workload/ccd/methods/traversals/traversal_traits.h"

namespace warpyard::ccd {
namespace {

constexpr NodePair kRoot = RootPair();

}  // namespace

void TraversalMemory::Begin(const CollisionOptions& options, std::uint64_t order) {
  tuning_ = options.tuning;
  volume_ = options.bounding_volume;
  front_.Begin(order);
}

absl::Status TraversalMemory::Prepare(std::uint32_t workers, std::uint32_t triangles,
                                      StepView& step, StepCounters& counters) {
  const TraversalTraits traits = TraitsOf(step.traversal);
  front_.Skip();
  step.work = {};
  step.work.queue_limit = tuning_.queue_limit;
  if (volume_ == BoundingVolume::kOrientedBoxes) {
    WY_RETURN_IF_ERROR(PrepareOriented(triangles, step));
  }
  if (triangles < 2 || !(traits.level || traits.stacks || traits.deques)) return absl::OkStatus();
  SetSizes(workers, step);
  WY_RETURN_IF_ERROR(PrepareRoot(step));
  if (traits.level) WY_RETURN_IF_ERROR(PrepareLevel(triangles, step, counters));
  if (traits.stacks) WY_RETURN_IF_ERROR(PrepareStacks(step, counters));
  if (traits.deques) WY_RETURN_IF_ERROR(PrepareDeques(step));
  return traits.front ? front_.Prepare(backend_, triangles, tuning_, step) : absl::OkStatus();
}

absl::Status TraversalMemory::PrepareOriented(std::uint32_t triangles, StepView& step) {
  WY_RETURN_IF_ERROR(oriented_.Reserve(backend_, 2 * std::size_t{triangles}));
  step.work.oriented = oriented_.data();
  return absl::OkStatus();
}

void TraversalMemory::SetSizes(std::uint32_t workers, StepView& step) const {
  const std::uint32_t asked = tuning_.workers != 0 ? tuning_.workers : workers;
  step.work.workers = std::clamp(asked, 1u, kMostStealers);
  step.work.shared_pairs =
      std::clamp(tuning_.shared_pairs, 1u, kMostSharedPairs - kDepthRoom) + kDepthRoom;
  step.work.batch = tuning_.batch;
  step.work.spill_from = tuning_.spill_from;
  step.work.capacity = std::clamp(tuning_.worker_pairs, 1u, 1u << 20) + kDepthRoom;
}

absl::Status TraversalMemory::PrepareRoot(StepView& step) {
  if (root_.size() == 0) {
    WY_RETURN_IF_ERROR(root_.Reserve(backend_, 1));
    WY_RETURN_IF_ERROR(backend_.CopyIn(root_.data(), &kRoot, sizeof kRoot));
  }
  step.work.start = root_.data();
  step.work.start_count = 1;
  return absl::OkStatus();
}

absl::Status TraversalMemory::PrepareLevel(std::uint32_t triangles, StepView& step,
                                           StepCounters& counters) {
  const std::uint64_t first = tuning_.level_pairs != 0 ? tuning_.level_pairs : 8ull * triangles;
  level_pairs_ = std::max(level_pairs_, first);
  const std::uint64_t pairs = std::min(level_pairs_, kMostPairsOfArray);
  if (const absl::Status status = ReserveLevel(pairs); !status.ok()) {
    // Later steps neither ask for what cannot be had, nor find its memory taken.
    level_pairs_ = 0;
    pairs_ = {};
    next_pairs_ = {};
    return status;
  }
  step.work.capacity = static_cast<std::uint32_t>(pairs);
  step.work.pairs = pairs_.data();
  step.work.next_pairs = next_pairs_.data();
  step.work.counts = counts_.data();
  counters.traversal.pending = 1;
  return backend_.CopyIn(pairs_.data(), &kRoot, sizeof kRoot);
}

absl::Status TraversalMemory::ReserveLevel(std::uint64_t pairs) {
  WY_RETURN_IF_ERROR(pairs_.Reserve(backend_, pairs));
  WY_RETURN_IF_ERROR(next_pairs_.Reserve(backend_, kMostChildPairs * pairs));
  return counts_.Reserve(backend_, PartsOf(static_cast<std::uint32_t>(pairs)));
}

absl::Status TraversalMemory::PrepareStacks(StepView& step, StepCounters& counters) {
  const std::size_t pairs = std::size_t{step.work.workers} * step.work.capacity;
  WY_RETURN_IF_ERROR(pairs_.Reserve(backend_, pairs));
  WY_RETURN_IF_ERROR(next_pairs_.Reserve(backend_, pairs));
  WY_RETURN_IF_ERROR(counts_.Reserve(backend_, 2 * std::size_t{step.work.workers}));
  step.work.pairs = pairs_.data();
  step.work.next_pairs = next_pairs_.data();
  step.work.counts = counts_.data();
  std::vector<std::uint32_t> counts(step.work.workers, 0);
  counts[0] = 1;
  WY_RETURN_IF_ERROR(
      backend_.CopyIn(counts_.data(), counts.data(), counts.size() * sizeof counts[0]));
  counters.traversal.pending = 1;
  return backend_.CopyIn(pairs_.data(), &kRoot, sizeof kRoot);
}

absl::Status TraversalMemory::PrepareDeques(StepView& step) {
  WY_RETURN_IF_ERROR(pairs_.Reserve(backend_, std::size_t{step.work.workers} * step.work.capacity));
  WY_RETURN_IF_ERROR(deques_.Reserve(backend_, step.work.workers));
  step.work.pairs = pairs_.data();
  step.work.deques = deques_.data();
  const std::vector<DequeWords> empty(step.work.workers, DequeWords{});
  return backend_.CopyIn(deques_.data(), empty.data(), empty.size() * sizeof empty[0]);
}

absl::StatusOr<bool> TraversalMemory::Fits(const StepCounters& counters) {
  const std::uint64_t needed = counters.traversal.needed;
  if (needed == 0) return true;
  if (needed > kMostPairsOfArray) {
    return absl::ResourceExhaustedError(absl::StrCat("a level of the traversal has ", needed,
                                                     " pairs of nodes; the limit is ",
                                                     kMostPairsOfArray));
  }
  level_pairs_ = 4 * needed;  // lower levels are larger still
  return false;
}

void TraversalMemory::Finish(const StepCounters& counters) {
  front_.Finish(counters.traversal, tuning_);
}

TraversalStatistics TraversalMemory::StatisticsOf(const StepCounters& counters) const {
  const TraversalCounters& traversal = counters.traversal;
  return {.visited_pairs = traversal.visited + (traversal.queued >> 32),
          .triangle_pairs = counters.meetings,
          .front_pairs = traversal.front,
          .steals = traversal.steals,
          .rounds = traversal.rounds,
          .from_front = front_.IsStart()};
}

}  // namespace warpyard::ccd
