// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/ccd/scene/step/pose_keeper.h"

#include <algorithm>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "core/base/no_index.h"

namespace warpyard::ccd {
namespace {

using geometry::RigidTransform;

constexpr RigidTransform kAtRest = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};

}  // namespace

void PoseKeeper::Open(std::span<const geometry::Vector3d> rest,
                      std::span<const std::uint32_t> body_of, std::uint32_t worlds) {
  const std::uint32_t bodies = CountBodies(body_of);
  if (bodies == 0) return;
  balls_ = BallsOf(rest, body_of, bodies);
  committed_.assign(std::size_t{bodies} * worlds, kAtRest);
  known_.assign(worlds, true);
}

absl::Status PoseKeeper::CheckNumber(const PoseView& given, std::size_t rows) const {
  if (given.bodies == balls_.size() * rows && given.bodies != 0) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("a pose of ", given.bodies, " bodies; the scene has ", balls_.size() * rows));
}

absl::Status PoseKeeper::CheckRow(const PoseView& given, std::size_t row) const {
  Poses pose(balls_.size());
  const std::size_t bytes = pose.size() * sizeof(RigidTransform);
  std::memcpy(pose.data(), static_cast<const char*>(given.matrices) + row * bytes, bytes);
  return CheckReach(balls_, pose);
}

const RigidTransform* PoseKeeper::TakePose(End end, const PoseView& given,
                                           std::span<const std::uint32_t> rows) {
  Poses& poses = incoming_[end];
  poses.resize(committed_.size());
  const auto* const from = static_cast<const char*>(given.matrices);
  const std::size_t row_bytes = balls_.size() * sizeof(RigidTransform);
  if (rows.empty()) std::memcpy(poses.data(), from, known_.size() * row_bytes);
  for (std::size_t row = 0; row < rows.size(); ++row) {
    if (rows[row] == kNoIndex) continue;
    std::memcpy(poses.data() + rows[row] * balls_.size(), from + row * row_bytes, row_bytes);
  }
  return poses.data();
}

void PoseKeeper::Commit(std::uint32_t world) {
  if (balls_.empty()) return;
  const bool is_posed = !incoming_[kEnd].empty();
  known_[world] = is_posed;
  if (!is_posed) return;
  const auto pose = Of(incoming_[kEnd], world);
  std::copy(pose.begin(), pose.end(), committed_.data() + world * balls_.size());
}

std::optional<double> PoseKeeper::Deviation(std::uint32_t world, bool has_start) const {
  if (incoming_[kEnd].empty()) return std::nullopt;
  if (has_start ? incoming_[kStart].empty() : !known_[world]) return std::nullopt;
  return PathDeviation(balls_, Of(has_start ? incoming_[kStart] : committed_, world),
                       Of(incoming_[kEnd], world));
}

}  // namespace warpyard::ccd
