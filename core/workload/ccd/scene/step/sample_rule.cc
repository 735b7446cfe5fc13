// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/ccd/scene/step/sample_rule.h"

namespace warpyard::ccd {

std::uint64_t SampleRule::LeastSpared(std::uint32_t workers, std::uint32_t triangles) {
  constexpr std::uint32_t kManyWorkers = 64;
  return workers < kManyWorkers ? 2 * std::uint64_t{triangles} : 1u << 20;
}

void SampleRule::TakeWhole(std::uint64_t candidates, std::uint64_t least_spared) {
  if (rest_ != 0) --rest_;
  samples_ = rest_ == 0 && candidates >= least_spared;
}

void SampleRule::TakeSampled(std::uint64_t expected, std::uint64_t candidates,
                             std::uint64_t least_spared) {
  samples_ = expected >= candidates + least_spared;
  if (!samples_) rest_ = kRest;
}

}  // namespace warpyard::ccd
