// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/mesh_io/formats/stl_writer.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace warpyard::mesh_io {
namespace {

using Vector = std::array<double, 3>;

Vector Normal(const std::array<Vector, 3>& corners) {
  Vector a;
  Vector b;
  for (std::size_t i = 0; i < 3; ++i) {
    a[i] = corners[1][i] - corners[0][i];
    b[i] = corners[2][i] - corners[0][i];
  }
  Vector normal = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
  const double length = std::hypot(normal[0], normal[1], normal[2]);
  for (double& value : normal) value = length > 0 && std::isfinite(length) ? value / length : 0;
  return normal;
}

}  // namespace

absl::StatusOr<std::string> EncodeStl(const Primitive& primitive) {
  const std::size_t count = primitive.triangles.size() / 3;
  if (count > std::numeric_limits<std::uint32_t>::max()) {
    return absl::InvalidArgumentError("too many triangles for STL");
  }
  // The header must not begin with "solid", the mark of ASCII files.
  std::string out = "binary STL, written by Warpyard";
  out.resize(80, ' ');
  out.reserve(84 + 50 * count);
  AppendLittleEndian(static_cast<std::uint32_t>(count), out);
  for (std::size_t triangle = 0; triangle < count; ++triangle) {
    std::array<Vector, 3> corners;
    for (std::size_t corner = 0; corner < 3; ++corner) {
      for (std::size_t i = 0; i < 3; ++i) {
        const double value =
            primitive.positions[3 * primitive.triangles[3 * triangle + corner] + i];
        if (std::abs(value) > std::numeric_limits<float>::max()) {
          return absl::InvalidArgumentError(
              absl::StrCat("triangle ", triangle, ": a coordinate is too large for a float"));
        }
        corners[corner][i] = value;
      }
    }
    for (const double value : Normal(corners)) AppendLittleEndian(static_cast<float>(value), out);
    for (const Vector& corner : corners) {
      for (const double value : corner) AppendLittleEndian(static_cast<float>(value), out);
    }
    AppendLittleEndian(std::uint16_t{0}, out);
  }
  return out;
}

}  // namespace warpyard::mesh_io
