// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/metrics/progress_watch.h"

namespace warpyard::server {
namespace {

/// A number that grows with everything that workers do.
std::uint64_t WorkOf(const EngineStatistics::Device& device) {
  const EngineStatistics::Draws& draws = device.draws;
  std::uint64_t work =
      device.launches + device.spills + draws.looks + draws.claims + draws.misses + draws.back_offs;
  for (const auto& procedure : device.procedures) work += procedure.executed_items;
  return work;
}

}  // namespace

absl::Duration ProgressWatch::AgeOf(const EngineStatistics::Device& device, absl::Time now) {
  const std::uint64_t work = WorkOf(device);
  const auto [found, is_new] = devices_.try_emplace(device.name, Seen{work, now});
  Seen& seen = found->second;
  if (work != seen.work || device.running_events == 0) seen = {work, now};
  return now - seen.changed;
}

}  // namespace warpyard::server
