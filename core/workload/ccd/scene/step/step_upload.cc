// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/ccd/scene/step/step_upload.h"

#include <cstring>
#include <variant>

#include "absl/strings/str_cat.h"
#include "core/base/macros.h"
#include "core/base/no_index.h"

namespace warpyard::ccd {
namespace {

/// Converts coordinates to doubles by widen(coordinate, axis); `from` need not be aligned.
template <class Scalar, class Widen>
void ConvertAll(const void* from, Widen widen, std::vector<Vector3d>& to) {
  const char* bytes = static_cast<const char*>(from);
  for (Vector3d& position : to) {
    Scalar xyz[3];
    std::memcpy(xyz, bytes, sizeof xyz);
    position = {widen(xyz[0], 0), widen(xyz[1], 1), widen(xyz[2], 2)};
    bytes += sizeof xyz;
  }
}

constexpr geometry::RigidTransform kAtRest = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};

}  // namespace

std::vector<Vector3d> ToDoubles(const PositionsView& positions) {
  std::vector<Vector3d> doubles(positions.vertices);
  const auto widen = [](auto coordinate, int) { return static_cast<double>(coordinate); };
  switch (positions.scalar_type) {
    case ScalarType::kFloat32:
      ConvertAll<float>(positions.data, widen, doubles);
      break;
    case ScalarType::kFloat64:
      ConvertAll<double>(positions.data, widen, doubles);
      break;
    case ScalarType::kQuantized16:
      ConvertAll<std::uint16_t>(
          positions.data,
          [&box = positions.box](std::uint16_t q, int axis) {
            return Dequantized(box.low[axis], SpacingOf(box, axis), q);
          },
          doubles);
      break;
  }
  return doubles;
}

absl::Status StepUpload::Open(std::span<const Vector3d> rest,
                              std::span<const std::uint32_t> vertex_groups, std::uint32_t worlds) {
  vertices_ = rest.size();
  worlds_ = worlds;
  for (Array<Vector3d>& positions : positions_) {
    WY_RETURN_IF_ERROR(positions.Reserve(backend_, vertices_));
  }
  WY_RETURN_IF_ERROR(
      backend_.CopyIn(positions_[committed_].data(), rest.data(), rest.size_bytes()));
  const std::uint32_t bodies = CountBodies(vertex_groups);
  if (bodies == 0) return absl::OkStatus();
  balls_ = BallsOf(rest, vertex_groups, bodies);
  committed_pose_.assign(bodies, kAtRest);
  return absl::OkStatus();
}

absl::Status StepUpload::Place(std::span<const Vector3d> positions) const {
  return backend_.CopyIn(positions_[committed_].data(), positions.data(), positions.size_bytes());
}

absl::Status StepUpload::Check(const StepInput& input) const {
  const std::size_t vertices =
      input.rows.empty() ? vertices_ : vertices_ / worlds_ * input.rows.size();
  WY_RETURN_IF_ERROR(CheckOne(input.end, vertices));
  return input.start ? CheckOne(*input.start, vertices) : absl::OkStatus();
}

absl::Status StepUpload::CheckOne(const StepPositions& given, std::size_t vertices) const {
  if (const auto* positions = std::get_if<PositionsView>(&given)) {
    if (positions->vertices == vertices) return absl::OkStatus();
    return absl::InvalidArgumentError(
        absl::StrCat(positions->vertices, " vertices; the scene has ", vertices));
  }
  const std::size_t bodies = std::get<PoseView>(given).bodies;
  if (bodies == balls_.size() && bodies != 0) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("a pose of ", bodies, " bodies; the scene has ", balls_.size()));
}

absl::Status StepUpload::Take(const StepInput& input, StepView& step) {
  const std::size_t end = (committed_ + 1) % 3;
  const std::size_t start = input.start ? (committed_ + 2) % 3 : committed_;
  step.start = positions_[start].data();
  step.end = positions_[end].data();
  step.sources[0].to = &positions_[start].data()->x;
  step.sources[1].to = &positions_[end].data()->x;
  step.worlds.committed = positions_[committed_].data();
  has_start_ = input.start.has_value();
  rows_ = input.rows;
  copies_.clear();
  WY_RETURN_IF_ERROR(TakeOne(input.end, incoming_[1], step.sources[1]));
  return has_start_ ? TakeOne(*input.start, incoming_[0], step.sources[0]) : absl::OkStatus();
}

void StepUpload::TakeCommitted(StepView& step) const {
  step.start = step.end = positions_[committed_].data();
  for (PositionSource& source : step.sources) source.to = &positions_[committed_].data()->x;
}

absl::Status StepUpload::TakeOne(const StepPositions& given, Incoming& incoming,
                                 PositionSource& source) {
  incoming.pose.clear();
  const auto* positions = std::get_if<PositionsView>(&given);
  if (positions == nullptr) return TakePose(std::get<PoseView>(given), incoming, source);
  if (positions->scalar_type == ScalarType::kFloat64) {
    source.format = PositionFormat::kConverted;
    Record(source.to, positions->data, sizeof(Vector3d));
    return absl::OkStatus();
  }
  const bool is_float = positions->scalar_type == ScalarType::kFloat32;
  const std::size_t vertex_bytes = 3 * (is_float ? sizeof(float) : sizeof(std::uint16_t));
  WY_RETURN_IF_ERROR(incoming.bytes.Reserve(backend_, vertices_ * vertex_bytes));
  source.format = is_float ? PositionFormat::kFloat32 : PositionFormat::kQuantized16;
  source.data = incoming.bytes.data();
  for (int axis = 0; axis < 3; ++axis) {
    source.low[axis] = positions->box.low[axis];
    source.spacing[axis] = SpacingOf(positions->box, axis);
  }
  Record(incoming.bytes.data(), positions->data, vertex_bytes);
  return absl::OkStatus();
}

/// Records the copies of positions to their worlds. Neighbours among rows and worlds are one copy.
void StepUpload::Record(void* to, const void* from, std::size_t vertex_bytes) {
  if (rows_.empty()) return copies_.push_back({to, from, vertices_ * vertex_bytes});
  const std::size_t row_bytes = vertices_ / worlds_ * vertex_bytes;
  for (std::size_t row = 0; row < rows_.size();) {
    std::size_t end = row + 1;
    if (rows_[row] != kNoIndex) {
      while (end < rows_.size() && rows_[end] == rows_[end - 1] + 1) ++end;
      copies_.push_back({static_cast<std::byte*>(to) + rows_[row] * row_bytes,
                         static_cast<const std::byte*>(from) + row * row_bytes,
                         (end - row) * row_bytes});
    }
    row = end;
  }
}

absl::Status StepUpload::TakePose(const PoseView& given, Incoming& incoming,
                                  PositionSource& source) {
  const std::size_t size = given.bodies * sizeof(geometry::RigidTransform);
  incoming.pose.resize(given.bodies);
  std::memcpy(incoming.pose.data(), given.matrices, size);
  WY_RETURN_IF_ERROR(CheckReach(balls_, incoming.pose));
  WY_RETURN_IF_ERROR(incoming.bytes.Reserve(backend_, size));
  source.format = PositionFormat::kPose;
  source.data = incoming.bytes.data();
  copies_.push_back({incoming.bytes.data(), incoming.pose.data(), size});
  return absl::OkStatus();
}

absl::Status StepUpload::CopyIn(const device::HostCopy& last) {
  copies_.push_back(last);
  WY_RETURN_IF_ERROR(backend_.CopyAllIn(copies_));
  copies_.clear();
  return absl::OkStatus();
}

absl::Status StepUpload::Withdraw(std::span<const std::uint32_t> worlds) const {
  const std::size_t vertices = vertices_ / worlds_;
  std::vector<Vector3d> kept(vertices);
  const std::size_t bytes = vertices * sizeof(Vector3d);
  for (const std::uint32_t world : worlds) {
    const Vector3d* const from = positions_[committed_].data() + world * vertices;
    WY_RETURN_IF_ERROR(backend_.CopyOut(kept.data(), from, bytes));
    Vector3d* const to = positions_[(committed_ + 1) % 3].data() + world * vertices;
    WY_RETURN_IF_ERROR(backend_.CopyIn(to, kept.data(), bytes));
  }
  return absl::OkStatus();
}

void StepUpload::Commit() {
  committed_ = (committed_ + 1) % 3;
  committed_pose_.swap(incoming_[1].pose);
}

std::optional<double> StepUpload::Deviation() const {
  const auto& start = has_start_ ? incoming_[0].pose : committed_pose_;
  const auto& end = incoming_[1].pose;
  if (start.empty() || end.empty()) return std::nullopt;
  return PathDeviation(balls_, start, end);
}

}  // namespace warpyard::ccd
