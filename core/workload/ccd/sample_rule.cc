// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/ccd/sample_rule.h"

namespace warpyard::ccd {

void SampleRule::TakeWhole(std::uint64_t candidates) {
  if (rest_ != 0) --rest_;
  samples_ = rest_ == 0 && candidates >= kLeastSpared;
}

void SampleRule::TakeSampled(std::uint64_t sampled, std::uint64_t candidates,
                             std::uint32_t stride) {
  samples_ = sampled * stride >= candidates + kLeastSpared;
  if (!samples_) rest_ = kRest;
}

}  // namespace warpyard::ccd
