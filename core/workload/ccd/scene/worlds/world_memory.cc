// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/ccd/scene/worlds/world_memory.h"

#include <cstring>

#include "core/base/macros.h"

namespace warpyard::ccd {

absl::Status WorldMemory::Open(std::uint32_t worlds) {
  WY_RETURN_IF_ERROR(states_.Reserve(backend_, worlds));
  WY_RETURN_IF_ERROR(earliest_.Reserve(backend_, worlds));
  host_states_.resize(worlds);
  host_earliest_.resize(worlds);
  return absl::OkStatus();
}

void WorldMemory::Place(std::span<const std::uint32_t> moving, std::span<const std::uint32_t> turn,
                        StepView& step, StepUpload& upload) {
  host_earliest_.assign(host_earliest_.size(), kNoContactBits);
  step.worlds.earliest = earliest_.data();
  upload.Also(
      {earliest_.data(), host_earliest_.data(), host_earliest_.size() * sizeof host_earliest_[0]});
  step.worlds.states = nullptr;
  if (turn.size() == host_states_.size()) return;
  host_states_.assign(host_states_.size(), WorldState::kRests);
  for (const std::uint32_t world : moving) host_states_[world] = WorldState::kWaits;
  for (const std::uint32_t world : turn) host_states_[world] = WorldState::kMoves;
  step.worlds.states = states_.data();
  upload.Also({states_.data(), host_states_.data(), host_states_.size() * sizeof host_states_[0]});
}

absl::Status WorldMemory::ReadEarliest() {
  return backend_.CopyOut(host_earliest_.data(), earliest_.data(),
                          host_earliest_.size() * sizeof host_earliest_[0]);
}

std::optional<double> WorldMemory::EarliestOf(std::uint32_t world) const {
  if (host_earliest_[world] == kNoContactBits) return std::nullopt;
  double time;
  std::memcpy(&time, &host_earliest_[world], sizeof time);
  return time;
}

}  // namespace warpyard::ccd
