// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/ccd/methods/traversal_memory.h"

#include <algorithm>
#include <cstddef>
#include <limits>

#include "absl/strings/str_cat.h"
#include "core/base/macros.h"
#include "core/workload/ccd/broad/cluster_traversal.h"
#include "core/workload/ccd/methods/balancing_traversal.h"
#include "core/workload/ccd/methods/bvtt.h"
#include "core/workload/ccd/methods/compaction_traversal.h"
#include "core/workload/ccd/methods/independent_traversal.h"
#include "core/workload/ccd/methods/stealing_traversal.h"
#include "core/workload/ccd/methods/work_queue_traversal.h"

namespace warpyard::ccd {
namespace {

template <TraversalMethod... Ts>
TraversalNeeds NeedsAmong(Traversal traversal) {
  TraversalNeeds needs;
  ((needs = traversal == Ts::kTraversal ? Ts::kNeeds : needs), ...);
  return needs;
}

TraversalNeeds NeedsOf(Traversal traversal) {
  return NeedsAmong<ClusterTraversal, IndependentTraversal, WorkQueueTraversal, CompactionTraversal,
                    BalancingTraversal, StealingTraversal, FrontTraversal>(traversal);
}

constexpr NodePair kRoot = RootPair();
constexpr std::uint64_t kMostPairsOfArray = std::numeric_limits<std::uint32_t>::max() / 4;

}  // namespace

bool FrontHistory::KeepAfter(std::uint64_t size, bool from_root, const TraversalTuning& tuning) {
  if (from_root) sizes_.clear();
  sizes_.push_back(size);
  const auto now = static_cast<double>(size);
  if (now > tuning.front_factor * static_cast<double>(sizes_.front())) return false;
  if (sizes_.size() <= tuning.front_reference) return true;
  const auto then = static_cast<double>(sizes_[sizes_.size() - 1 - tuning.front_reference]);
  return now >= tuning.front_growth * then;
}

absl::Status TraversalMemory::Prepare(const CollisionRunner& runner, std::uint32_t triangles,
                                      StepView& step, StepCounters& counters) {
  const TraversalTuning& tuning = tuning_;
  const TraversalNeeds needs = NeedsOf(step.traversal);
  step.work = {};
  keeps_front_ = from_front_ = false;
  step.work.queue_limit = tuning.queue_limit;
  step.interval_items = tuning.interval_items;
  if (tuning.interval_items != 0) WY_RETURN_IF_ERROR(PrepareWalks(step));
  if (step.bounding_volume == BoundingVolume::kOrientedBoxes) {
    WY_RETURN_IF_ERROR(PrepareOriented(triangles, step));
  }
  if (triangles < 2 || !(needs.level || needs.stacks || needs.deques)) return absl::OkStatus();
  const std::uint32_t workers = tuning.workers != 0 ? tuning.workers : runner.Workers();
  step.work.workers = std::clamp(workers, 1u, kMostStealers);
  step.work.shared_pairs = std::clamp(tuning.shared_pairs, 1u, kMostSharedPairs - kDepthRoom);
  step.work.batch = tuning.batch;
  step.work.spill_from = tuning.spill_from;
  step.work.shared_pairs += kDepthRoom;
  step.work.capacity = std::clamp(tuning.worker_pairs, 1u, 1u << 20) + kDepthRoom;
  if (root_.size() == 0) {
    WY_RETURN_IF_ERROR(root_.Reserve(backend_, 1));
    WY_RETURN_IF_ERROR(backend_.CopyIn(root_.data(), &kRoot, sizeof kRoot));
  }
  step.work.start = root_.data();
  step.work.start_count = 1;
  if (needs.level) {
    const std::uint64_t first = tuning.level_pairs != 0 ? tuning.level_pairs : 8ull * triangles;
    level_pairs_ = std::max(level_pairs_, first);
    WY_RETURN_IF_ERROR(PrepareLevel(step, counters));
  }
  if (needs.stacks) WY_RETURN_IF_ERROR(PrepareStacks(step, counters));
  if (needs.deques) WY_RETURN_IF_ERROR(PrepareDeques(step));
  if (needs.front) WY_RETURN_IF_ERROR(PrepareFront(triangles, step));
  return absl::OkStatus();
}

absl::Status TraversalMemory::PrepareWalks(StepView& step) {
  const std::uint64_t pairs = step.survivors[0].capacity + step.survivors[1].capacity;
  WY_RETURN_IF_ERROR(walk_times_.Reserve(backend_, pairs));
  step.walk_times = walk_times_.data();
  return absl::OkStatus();
}

absl::Status TraversalMemory::PrepareOriented(std::uint32_t triangles, StepView& step) {
  // Rounds of compaction and balancing take the stage in which these boxes are fitted.
  if (step.traversal != Traversal::kWorkQueue && step.traversal != Traversal::kStealing &&
      step.traversal != Traversal::kFront) {
    return absl::InvalidArgumentError(absl::StrCat(
        "oriented boxes are for work_queue, stealing and front, not ", NameOf(step.traversal)));
  }
  WY_RETURN_IF_ERROR(oriented_.Reserve(backend_, 2 * std::size_t{triangles}));
  step.work.oriented = oriented_.data();
  return absl::OkStatus();
}

absl::Status TraversalMemory::PrepareLevel(StepView& step, StepCounters& counters) {
  const std::uint64_t pairs = std::min(level_pairs_, kMostPairsOfArray);
  WY_RETURN_IF_ERROR(pairs_.Reserve(backend_, pairs));
  WY_RETURN_IF_ERROR(next_pairs_.Reserve(backend_, kMostChildPairs * pairs));
  WY_RETURN_IF_ERROR(counts_.Reserve(backend_, PartsOf(static_cast<std::uint32_t>(pairs))));
  step.work.capacity = static_cast<std::uint32_t>(pairs);
  step.work.pairs = pairs_.data();
  step.work.next_pairs = next_pairs_.data();
  step.work.counts = counts_.data();
  counters.traversal.pending = 1;
  return backend_.CopyIn(pairs_.data(), &kRoot, sizeof kRoot);
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

absl::Status TraversalMemory::PrepareFront(std::uint32_t triangles, StepView& step) {
  if (front_pairs_ == 0) {
    front_pairs_ = tuning_.front_pairs != 0 ? tuning_.front_pairs : 96ull * triangles;
  }
  Array<NodePair>& next = fronts_[1 - front_];
  if (next.size() < front_pairs_ && front_pairs_ <= kMostPairsOfArray) {
    // Without room every step starts from the root, which is right, too.
    const absl::Status reserved = next.Reserve(backend_, front_pairs_);
    if (!reserved.ok() && !absl::IsResourceExhausted(reserved)) return reserved;
  }
  keeps_front_ = true;
  from_front_ = front_size_ != 0;
  if (from_front_) {
    step.work.start = fronts_[front_].data();
    step.work.start_count = static_cast<std::uint32_t>(front_size_);
  }
  if (next.size() == 0) return absl::OkStatus();
  step.work.front.items = next.data();
  step.work.front.capacity = next.size();
  step.work.front.count = &step.counters->traversal.front;
  return absl::OkStatus();
}

absl::StatusOr<bool> TraversalMemory::Fits(const StepCounters& counters) {
  const std::uint64_t needed = counters.traversal.needed;
  if (needed == 0) return true;
  if (needed > kMostPairsOfArray) {
    return absl::ResourceExhaustedError(absl::StrCat("a level of the traversal has ", needed,
                                                     " pairs of nodes; the limit is ",
                                                     kMostPairsOfArray));
  }
  level_pairs_ = 4 * needed;  // the levels below it are larger still
  return false;
}

void TraversalMemory::Finish(const StepCounters& counters) {
  if (!keeps_front_) return;
  const std::uint64_t size = counters.traversal.front;
  const bool whole = size <= fronts_[1 - front_].size() && size != 0;
  if (!whole) front_pairs_ = std::max(front_pairs_, size + size / 4);
  const bool keep = history_.KeepAfter(size, !from_front_, tuning_) && whole;
  front_ = 1 - front_;
  front_size_ = keep ? size : 0;
}

}  // namespace warpyard::ccd
