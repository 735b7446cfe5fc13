// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/convert/mesh.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "core/base/exact_text.h"
#include "core/base/macros.h"
#include "core/base/status_facts.h"

namespace warpyard::server {
namespace {

static_assert(std::endian::native == std::endian::little, "bulk data is viewed in place");

constexpr std::size_t kBytesPerTriangle = 3 * sizeof(std::uint32_t);

/// Index of the first number outside [-kMaxCoordinate, kMaxCoordinate], or `numbers` if there is
/// none. The data need not be aligned. Whole blocks are tested without a branch, so that the
/// compiler can vectorise the test.
template <class Scalar>
std::size_t FirstBadNumber(const char* data, std::size_t numbers) {
  constexpr std::size_t kBlock = 4096;
  constexpr auto kLimit = static_cast<Scalar>(kMaxCoordinate);
  for (std::size_t begin = 0; begin < numbers; begin += kBlock) {
    const std::size_t end = std::min(begin + kBlock, numbers);
    const auto is_bad = [&](std::size_t i) {
      Scalar number;
      std::memcpy(&number, data + i * sizeof(Scalar), sizeof(Scalar));
      return !(std::abs(number) <= kLimit);  // also true for a NaN
    };
    unsigned bad = 0;
    for (std::size_t i = begin; i < end; ++i) bad |= static_cast<unsigned>(is_bad(i));
    if (bad == 0) continue;
    for (std::size_t i = begin; i < end; ++i) {
      if (is_bad(i)) return i;
    }
  }
  return numbers;
}

template <class Scalar>
absl::Status CheckCoordinates(absl::string_view data, absl::string_view field) {
  const std::size_t numbers = data.size() / sizeof(Scalar);
  const std::size_t bad = FirstBadNumber<Scalar>(data.data(), numbers);
  if (bad == numbers) return absl::OkStatus();
  Scalar number;
  std::memcpy(&number, data.data() + bad * sizeof(Scalar), sizeof(Scalar));
  const std::string what = std::isfinite(number)
                               ? absl::StrCat("larger than ", kMaxCoordinate, " in magnitude")
                               : "that is not finite";
  return InvalidField(absl::StrCat(field, ".data"),
                      absl::StrCat("vertex ", bad / 3, " has a coordinate ", what));
}

std::span<const std::uint32_t> AsIndices(const std::string& bytes) {
  // A protobuf string is at least 8-byte aligned: it is on the heap or inside a std::string.
  return {reinterpret_cast<const std::uint32_t*>(bytes.data()),
          bytes.size() / sizeof(std::uint32_t)};
}

absl::Status CheckTriangle(std::size_t triangle, const std::uint32_t* corners,
                           std::size_t vertices) {
  for (int i = 0; i < 3; ++i) {
    if (corners[i] >= vertices) {
      return InvalidField("mesh.triangles",
                          absl::StrCat("triangle ", triangle, " has the vertex index ", corners[i],
                                       ", but there are ", vertices, " vertices"));
    }
  }
  if (corners[0] == corners[1] || corners[1] == corners[2] || corners[0] == corners[2]) {
    return InvalidField("mesh.triangles",
                        absl::StrCat("triangle ", triangle, " (", corners[0], ", ", corners[1],
                                     ", ", corners[2], ") names a vertex twice"));
  }
  return absl::OkStatus();
}

/// Whether CheckTriangle has an error, as 0 or 1.
unsigned IsBadTriangle(const std::uint32_t* corners, std::size_t vertices) {
  const std::uint32_t a = corners[0], b = corners[1], c = corners[2];
  return static_cast<unsigned>(a >= vertices) | static_cast<unsigned>(b >= vertices) |
         static_cast<unsigned>(c >= vertices) | static_cast<unsigned>(a == b) |
         static_cast<unsigned>(b == c) | static_cast<unsigned>(a == c);
}

absl::Status CheckTriangles(const std::string& bytes, std::size_t vertices) {
  if (bytes.empty()) {
    return InvalidField("mesh.triangles", "empty, at least one triangle is needed");
  }
  if (bytes.size() % kBytesPerTriangle != 0) {
    return InvalidField("mesh.triangles",
                        absl::StrCat(bytes.size(), " bytes, expected a multiple of ",
                                     kBytesPerTriangle, " (three uint32 a triangle)"));
  }
  // Whole blocks are tested without a branch, as in FirstBadNumber.
  constexpr std::size_t kBlock = 1024;
  const std::uint32_t* const corners = AsIndices(bytes).data();
  const std::size_t triangles = bytes.size() / kBytesPerTriangle;
  for (std::size_t begin = 0; begin < triangles; begin += kBlock) {
    const std::size_t end = std::min(begin + kBlock, triangles);
    unsigned bad = 0;
    for (std::size_t t = begin; t < end; ++t) bad |= IsBadTriangle(corners + 3 * t, vertices);
    if (bad == 0) continue;
    for (std::size_t t = begin; t < end; ++t) {
      WY_RETURN_IF_ERROR(CheckTriangle(t, corners + 3 * t, vertices));
    }
  }
  return absl::OkStatus();
}

absl::Status CheckGroups(const v1::TriangleMesh& mesh, std::size_t vertices) {
  const std::string& bytes = mesh.vertex_groups();
  if (bytes.empty()) return absl::OkStatus();
  if (bytes.size() != vertices * sizeof(std::uint32_t)) {
    return InvalidField(
        "mesh.vertex_groups",
        absl::StrCat(bytes.size(), " bytes, expected ", vertices * sizeof(std::uint32_t),
                     " (one uint32 for each of ", vertices, " vertices) or none"));
  }
  const auto groups = AsIndices(bytes);
  const auto indices = AsIndices(mesh.triangles());
  for (std::size_t i = 0; i < indices.size(); i += 3) {
    const std::uint32_t group = groups[indices[i]];
    if (groups[indices[i + 1]] != group || groups[indices[i + 2]] != group) {
      return InvalidField("mesh.vertex_groups",
                          absl::StrCat("triangle ", i / 3, " has vertices of different groups"));
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<geometry::ScalarType> ToScalarType(v1::ScalarType type, absl::string_view field) {
  switch (type) {
    case v1::SCALAR_TYPE_FLOAT32:
      return geometry::ScalarType::kFloat32;
    case v1::SCALAR_TYPE_FLOAT64:
      return geometry::ScalarType::kFloat64;
    case v1::SCALAR_TYPE_QUANTIZED16:
      return geometry::ScalarType::kQuantized16;
    default:
      return InvalidField(absl::StrCat(field, ".scalar_type"),
                          absl::StrCat(static_cast<int>(type),
                                       ", expected SCALAR_TYPE_FLOAT32, _FLOAT64 or _QUANTIZED16"));
  }
}

std::size_t BytesPerVertex(geometry::ScalarType type) {
  switch (type) {
    case geometry::ScalarType::kFloat32:
      return 3 * sizeof(float);
    case geometry::ScalarType::kFloat64:
      return 3 * sizeof(double);
    case geometry::ScalarType::kQuantized16:
      break;
  }
  return 3 * sizeof(std::uint16_t);
}

absl::StatusOr<geometry::QuantizationBox> ToBox(const v1::QuantizationBox& box,
                                                absl::string_view field) {
  if (box.low_size() != 3 || box.high_size() != 3) {
    return InvalidField(absl::StrCat(field, ".box"),
                        absl::StrCat(box.low_size(), " and ", box.high_size(),
                                     " numbers, expected 3 of low and 3 of high"));
  }
  geometry::QuantizationBox core{};
  for (int axis = 0; axis < 3; ++axis) {
    const double low = box.low(axis), high = box.high(axis);
    // A comparison with NaN is false, so the check is written to fail then.
    if (!(std::abs(low) <= kMaxCoordinate && std::abs(high) <= kMaxCoordinate && low <= high)) {
      return InvalidField(absl::StrCat(field, ".box"),
                          absl::StrCat("from ", ExactText(low), " to ", ExactText(high), " along ",
                                       std::string(1, static_cast<char>('x' + axis)),
                                       ", expected low <= high, finite and at most ",
                                       kMaxCoordinate, " in magnitude"));
    }
    core.low[axis] = low;
    core.high[axis] = high;
  }
  return core;
}

absl::Status CheckSize(std::size_t size, absl::string_view field, std::size_t bytes_per_vertex,
                       std::optional<std::size_t> expected_vertices) {
  if (expected_vertices && size != *expected_vertices * bytes_per_vertex) {
    return InvalidField(
        absl::StrCat(field, ".data"),
        absl::StrCat(size, " bytes, expected ", *expected_vertices * bytes_per_vertex, " (",
                     bytes_per_vertex, " for each of ", *expected_vertices, " vertices)"));
  }
  if (size == 0) {
    return InvalidField(absl::StrCat(field, ".data"), "empty, at least one vertex is needed");
  }
  if (size % bytes_per_vertex != 0) {
    return InvalidField(
        absl::StrCat(field, ".data"),
        absl::StrCat(size, " bytes, expected a multiple of ", bytes_per_vertex, " (one vertex)"));
  }
  return absl::OkStatus();
}

/// The view of positions whose coordinates are not checked yet.
absl::StatusOr<geometry::PositionsView> Unchecked(const v1::Positions& positions,
                                                  absl::string_view field,
                                                  std::optional<std::size_t> expected_vertices) {
  geometry::PositionsView view;
  WY_ASSIGN_OR_RETURN(view.scalar_type, ToScalarType(positions.scalar_type(), field));
  const std::string& data = positions.data();
  const std::size_t bytes_per_vertex = BytesPerVertex(view.scalar_type);
  WY_RETURN_IF_ERROR(CheckSize(data.size(), field, bytes_per_vertex, expected_vertices));
  if (view.scalar_type == geometry::ScalarType::kQuantized16) {
    WY_ASSIGN_OR_RETURN(view.box, ToBox(positions.box(), field));
  } else if (positions.has_box()) {
    return InvalidField(absl::StrCat(field, ".box"), "only for SCALAR_TYPE_QUANTIZED16");
  }
  view.data = data.data();
  view.vertices = data.size() / bytes_per_vertex;
  return view;
}

absl::Status CheckCoordinates(geometry::ScalarType type, absl::string_view data,
                              absl::string_view field) {
  switch (type) {
    case geometry::ScalarType::kFloat32:
      return CheckCoordinates<float>(data, field);
    case geometry::ScalarType::kFloat64:
      return CheckCoordinates<double>(data, field);
    case geometry::ScalarType::kQuantized16:
      break;  // every place in a box is a coordinate
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<geometry::PositionsView> ToPositions(const v1::Positions& positions,
                                                    absl::string_view field,
                                                    std::optional<std::size_t> expected_vertices) {
  WY_ASSIGN_OR_RETURN(const geometry::PositionsView view,
                      Unchecked(positions, field, expected_vertices));
  WY_RETURN_IF_ERROR(CheckCoordinates(view.scalar_type, positions.data(), field));
  return view;
}

absl::StatusOr<geometry::PositionsView> ToPositionRows(const v1::Positions& positions,
                                                       absl::string_view field,
                                                       const RowsShape& shape,
                                                       std::span<absl::Status> errors) {
  WY_ASSIGN_OR_RETURN(const geometry::PositionsView view,
                      Unchecked(positions, field, shape.vertices * shape.rows));
  const std::size_t bytes = shape.vertices * BytesPerVertex(view.scalar_type);
  for (std::size_t row = 0; row < shape.rows; ++row) {
    if (!errors[row].ok()) continue;
    const absl::string_view data = absl::string_view(positions.data()).substr(row * bytes, bytes);
    errors[row] = CheckCoordinates(view.scalar_type, data, field);
  }
  return view;
}

absl::StatusOr<MeshView> ToMesh(const v1::TriangleMesh& mesh) {
  MeshView view;
  WY_ASSIGN_OR_RETURN(view.positions,
                      ToPositions(mesh.positions(), "mesh.positions", std::nullopt));
  WY_RETURN_IF_ERROR(CheckTriangles(mesh.triangles(), view.positions.vertices));
  WY_RETURN_IF_ERROR(CheckGroups(mesh, view.positions.vertices));
  view.triangles = AsIndices(mesh.triangles());
  view.vertex_groups = AsIndices(mesh.vertex_groups());
  return view;
}

}  // namespace warpyard::server
