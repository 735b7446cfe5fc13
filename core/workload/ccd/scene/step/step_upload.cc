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

/// How procedures read positions of the caller, and the bytes of a vertex.
std::pair<PositionFormat, std::size_t> FormOf(ScalarType type) {
  switch (type) {
    case ScalarType::kFloat32:
      return {PositionFormat::kFloat32, 3 * sizeof(float)};
    case ScalarType::kQuantized16:
      return {PositionFormat::kQuantized16, 3 * sizeof(std::uint16_t)};
    default:
      return {PositionFormat::kFloat64, sizeof(Vector3d)};
  }
}

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
                              std::span<const std::uint32_t> moving_groups, std::uint32_t worlds,
                              std::uint32_t static_vertices) {
  vertices_ = rest.size();
  moving_ = vertices_ / worlds - static_vertices;
  worlds_ = worlds;
  for (Array<Vector3d>& positions : positions_) {
    WY_RETURN_IF_ERROR(positions.Reserve(backend_, vertices_));
    // Nobody writes static vertices again, wherever the ends of steps are.
    if (&positions != &positions_[committed_] && static_vertices == 0) continue;
    WY_RETURN_IF_ERROR(backend_.CopyIn(positions.data(), rest.data(), rest.size_bytes()));
  }
  poses_.Open(rest.first(moving_), moving_groups, worlds);
  return absl::OkStatus();
}

absl::Status StepUpload::Place(std::span<const Vector3d> positions) {
  poses_.Forget();
  Vector3d* const to = positions_[committed_].data();
  if (moving_ * worlds_ == vertices_) {
    return backend_.CopyIn(to, positions.data(), positions.size_bytes());
  }
  std::vector<device::HostCopy> copies;
  for (std::size_t world = 0; world < worlds_; ++world) {
    copies.push_back({to + world * (vertices_ / worlds_), positions.data() + world * moving_,
                      moving_ * sizeof(Vector3d)});
  }
  return backend_.CopyAllIn(copies);
}

absl::Status StepUpload::Check(const StepInput& input) const {
  WY_RETURN_IF_ERROR(CheckOne(input.end, RowsOf(input)));
  return input.start ? CheckOne(*input.start, RowsOf(input)) : absl::OkStatus();
}

absl::Status StepUpload::CheckOne(const StepPositions& given, std::size_t rows) const {
  const auto* const positions = std::get_if<PositionsView>(&given);
  if (positions == nullptr) return poses_.CheckNumber(std::get<PoseView>(given), rows);
  const std::size_t vertices = moving_ * rows;
  if (positions->vertices == vertices) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat(positions->vertices, " vertices; the scene has ", vertices,
                   moving_ * worlds_ == vertices_ ? "" : " that move"));
}

absl::Status StepUpload::CheckRow(const StepInput& input, std::size_t row) const {
  if (const auto* end = std::get_if<PoseView>(&input.end)) {
    WY_RETURN_IF_ERROR(poses_.CheckRow(*end, row));
  }
  if (!input.start) return absl::OkStatus();
  const auto* const start = std::get_if<PoseView>(&*input.start);
  return start == nullptr ? absl::OkStatus() : poses_.CheckRow(*start, row);
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
  WY_RETURN_IF_ERROR(TakeOne(input.end, PoseKeeper::kEnd, step.sources[1]));
  if (!has_start_) return absl::OkStatus();
  return TakeOne(*input.start, PoseKeeper::kStart, step.sources[0]);
}

void StepUpload::TakeCommitted(StepView& step) const {
  step.start = step.end = positions_[committed_].data();
  for (PositionSource& source : step.sources) source.to = &positions_[committed_].data()->x;
}

absl::Status StepUpload::TakeOne(const StepPositions& given, PoseKeeper::End end,
                                 PositionSource& source) {
  const auto* positions = std::get_if<PositionsView>(&given);
  if (positions == nullptr) return TakePose(std::get<PoseView>(given), end, source);
  poses_.TakePositions(end);
  const auto [format, vertex_bytes] = FormOf(positions->scalar_type);
  source.format = format;
  for (int axis = 0; axis < 3; ++axis) {
    source.low[axis] = positions->box.low[axis];
    source.spacing[axis] = SpacingOf(positions->box, axis);
  }
  source.data =
      rows_.empty() ? PlaceDirectly(end, positions->data, moving_ * vertex_bytes) : nullptr;
  if (source.data != nullptr) return absl::OkStatus();
  if (format == PositionFormat::kFloat64) {
    source.format = PositionFormat::kConverted;
    Record(source.to, positions->data, vertex_bytes);
    return absl::OkStatus();
  }
  WY_RETURN_IF_ERROR(bytes_[end].Reserve(backend_, vertices_ * vertex_bytes));
  source.data = bytes_[end].data();
  Record(bytes_[end].data(), positions->data, vertex_bytes);
  return absl::OkStatus();
}

/// Puts small input where procedures read it. Returns null if it has to be copied to the device.
const void* StepUpload::PlaceDirectly(PoseKeeper::End end, const void* from, std::size_t bytes) {
  if (bytes > kMostDirectBytes || moving_ * worlds_ > kMostDirectVertices) return nullptr;
  memory::HostVector<std::byte>& room = direct_[end];
  room =
      memory::HostVector<std::byte>(bytes, memory::HostAllocator<std::byte>(backend_.HostMemory()));
  if (!backend_.Reaches(room.data())) return nullptr;
  std::memcpy(room.data(), from, bytes);
  return room.data();
}

/// Records the copies of positions to their worlds. Neighbours among rows and worlds are one copy,
/// unless static vertices are between them.
void StepUpload::Record(void* to, const void* from, std::size_t vertex_bytes) {
  const std::size_t row_bytes = moving_ * vertex_bytes;
  if (rows_.empty()) return copies_.push_back({to, from, row_bytes});
  const std::size_t world_bytes = vertices_ / worlds_ * vertex_bytes;
  for (std::size_t row = 0; row < rows_.size();) {
    std::size_t end = row + 1;
    if (rows_[row] != kNoIndex) {
      while (row_bytes == world_bytes && end < rows_.size() && rows_[end] == rows_[end - 1] + 1) {
        ++end;
      }
      copies_.push_back({static_cast<std::byte*>(to) + rows_[row] * world_bytes,
                         static_cast<const std::byte*>(from) + row * row_bytes,
                         (end - row) * row_bytes});
    }
    row = end;
  }
}

absl::Status StepUpload::TakePose(const PoseView& given, PoseKeeper::End end,
                                  PositionSource& source) {
  const std::size_t size = worlds_ * poses_.Bodies() * sizeof(geometry::RigidTransform);
  // Of all worlds: the device reads the matrices of those that move.
  const geometry::RigidTransform* const poses = poses_.TakePose(end, given, rows_);
  source.format = PositionFormat::kPose;
  source.data = PlaceDirectly(end, poses, size);
  if (source.data != nullptr) return absl::OkStatus();
  WY_RETURN_IF_ERROR(bytes_[end].Reserve(backend_, size));
  source.data = bytes_[end].data();
  copies_.push_back({bytes_[end].data(), poses, size});
  return absl::OkStatus();
}

absl::Status StepUpload::CopyIn() {
  if (copies_.empty()) return absl::OkStatus();
  WY_RETURN_IF_ERROR(backend_.CopyAllIn(copies_));
  copies_.clear();
  return absl::OkStatus();
}

absl::Status StepUpload::Withdraw(std::uint32_t world) const {
  const std::size_t vertices = vertices_ / worlds_, bytes = vertices * sizeof(Vector3d);
  std::vector<Vector3d> kept(vertices);
  const Vector3d* const from = positions_[committed_].data() + world * vertices;
  WY_RETURN_IF_ERROR(backend_.CopyOut(kept.data(), from, bytes));
  Vector3d* const to = positions_[(committed_ + 1) % 3].data() + world * vertices;
  return backend_.CopyIn(to, kept.data(), bytes);
}

void StepUpload::Commit(std::span<const std::uint32_t> moved) {
  committed_ = (committed_ + 1) % 3;
  for (const std::uint32_t world : moved) poses_.Commit(world);
}

}  // namespace warpyard::ccd
