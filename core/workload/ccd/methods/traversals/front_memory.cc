// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/ccd/methods/traversals/front_memory.h"

#include <algorithm>

namespace warpyard::ccd {

bool FrontHistory::KeepAfter(std::uint64_t size, bool from_root, const TraversalTuning& tuning) {
  if (from_root) sizes_.clear();
  sizes_.push_back(size);
  const auto now = static_cast<double>(size);
  if (now > tuning.front_factor * static_cast<double>(sizes_.front())) return false;
  if (sizes_.size() <= tuning.front_reference) return true;
  const auto then = static_cast<double>(sizes_[sizes_.size() - 1 - tuning.front_reference]);
  return now >= tuning.front_growth * then;
}

void FrontMemory::Begin(std::uint64_t order) {
  if (order != order_) last_size_ = 0;
  order_ = order;
}

absl::Status FrontMemory::Prepare(device::Backend& backend, std::uint32_t triangles,
                                  const TraversalTuning& tuning, StepView& step) {
  if (room_ == 0) room_ = tuning.front_pairs != 0 ? tuning.front_pairs : 96ull * triangles;
  memory::DeviceArray<NodePair>& next = fronts_[1 - last_];
  if (next.size() < room_ && room_ <= kMostPairsOfArray) {
    const absl::Status reserved = next.Reserve(backend, room_);
    if (!reserved.ok() && !absl::IsResourceExhausted(reserved)) return reserved;
  }
  keeps_ = true;
  is_start_ = last_size_ != 0;
  if (is_start_) {
    step.work.start = fronts_[last_].data();
    step.work.start_count = static_cast<std::uint32_t>(last_size_);
  }
  if (next.size() == 0) return absl::OkStatus();
  step.work.front = {next.data(), next.size(), &step.counters->traversal.front};
  return absl::OkStatus();
}

void FrontMemory::Finish(const TraversalCounters& counters, const TraversalTuning& tuning) {
  if (!keeps_) return;
  const std::uint64_t size = counters.front;
  const bool whole = size <= fronts_[1 - last_].size() && size != 0;
  if (!whole) room_ = std::max(room_, size + size / 4);
  const bool keep = history_.KeepAfter(size, !is_start_, tuning) && whole;
  last_ = 1 - last_;
  last_size_ = keep ? size : 0;
}

}  // namespace warpyard::ccd
