// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Positions in the form of the caller's input, and their conversion to doubles.
//
// The caller's bytes are copied unchanged, because they are smaller: half or a quarter of the size
// of doubles, or one matrix for each body of a pose. The first stage of a step converts them; every
// later stage reads doubles. The bytes of a small step are not copied to the device at all: the
// first stage reads them from memory of the host.
#ifndef WARPYARD_CORE_WORKLOAD_CCD_JOB_POSITION_SOURCE_H_
#define WARPYARD_CORE_WORKLOAD_CCD_JOB_POSITION_SOURCE_H_

#include <cstddef>
#include <cstdint>

#include "core/base/macros.h"
#include "core/procedure/procedure_concept.h"
#include "core/workload/ccd/collision_types.h"
#include "core/workload/geometry/rigid_transform.h"
#include "core/workload/geometry/vector3.h"

namespace warpyard::ccd {

using geometry::Vector3d;

/// kConverted: the doubles are stored already. kFloat64: they are, but elsewhere.
enum class PositionFormat : std::uint32_t { kConverted, kFloat32, kFloat64, kQuantized16, kPose };

/// The input of a step for one of its ends.
struct PositionSource {
  PositionFormat format;
  /// @shape float[vertices][3], double[vertices][3], uint16[vertices][3] or
  /// geometry::RigidTransform[bodies]; in memory that procedures reach
  const void* data;
  double* to;                 ///< @shape [vertices][3]: the doubles
  double low[3], spacing[3];  ///< kQuantized16 only, see Dequantized
};

/// The distance from one place of a box to the next. @shape axis: 0 to 2
inline double SpacingOf(const QuantizationBox& box, int axis) {
  return (box.high[axis] - box.low[axis]) / 65535;
}

/// Place q of 65535 between low and high: low + ((high - low) / 65535) q, every operation rounded
/// to double, so that a client can compute the same bits. @shape spacing: as of SpacingOf
WY_HD inline double Dequantized(double low, double spacing, std::uint16_t q) {
  return low + spacing * static_cast<double>(q);
}

/// Reads positions at one end of a step. Members are copies of the fields that every vertex needs,
/// because the source lies in memory that a device would read again for each vertex.
class PositionReader {
 public:
  /// @shape is_converted: the doubles are stored now, whatever form the input had; rest, body_of:
  /// [vertices], for a pose
  WY_HD PositionReader(const PositionSource& source, bool is_converted, const Vector3d* rest,
                       const std::uint32_t* body_of)
      : source_(source),
        format_(is_converted ? PositionFormat::kConverted : source.format),
        data_(format_ == PositionFormat::kConverted ? source.to : source.data),
        doubles_(source.to),
        rest_(rest),
        body_of_(body_of) {}

  WY_HD Vector3d At(std::uint32_t vertex) const {
    const std::size_t first = 3 * std::size_t{vertex};
    if (format_ == PositionFormat::kConverted || format_ == PositionFormat::kFloat64) {
      const double* const xyz = static_cast<const double*>(data_) + first;
      return {xyz[0], xyz[1], xyz[2]};
    }
    if (format_ == PositionFormat::kFloat32) {
      const float* const xyz = static_cast<const float*>(data_) + first;
      return {xyz[0], xyz[1], xyz[2]};
    }
    if (format_ == PositionFormat::kQuantized16) {
      const auto* const xyz = static_cast<const std::uint16_t*>(data_) + first;
      const double(&low)[3] = source_.low, (&spacing)[3] = source_.spacing;
      return {Dequantized(low[0], spacing[0], xyz[0]), Dequantized(low[1], spacing[1], xyz[1]),
              Dequantized(low[2], spacing[2], xyz[2])};
    }
    const auto* const pose = static_cast<const geometry::RigidTransform*>(data_);
    return geometry::Apply(pose[body_of_[vertex]], rest_[vertex]);
  }

  /// The position of a vertex as stored doubles, whatever form the input has.
  WY_HD Vector3d Stored(std::uint32_t vertex) const {
    const double* const xyz = doubles_ + 3 * std::size_t{vertex};
    return {xyz[0], xyz[1], xyz[2]};
  }

  /// Writes the position of a vertex as doubles, unless it is stored already.
  WY_HD void Keep(std::uint32_t vertex, const Vector3d& position) const {
    if (format_ == PositionFormat::kConverted) return;
    Put(vertex, position);
  }

  WY_HD void Put(std::uint32_t vertex, const Vector3d& position) const {
    double* const to = doubles_ + 3 * std::size_t{vertex};
    to[0] = position.x;
    to[1] = position.y;
    to[2] = position.z;
  }

 private:
  const PositionSource& source_;
  const PositionFormat format_;
  const void* const data_;
  double* const doubles_;
  const Vector3d* const rest_;
  const std::uint32_t* const body_of_;
};

/// Converts coordinates [begin, end) to doubles by widen(coordinate, i). @scope the group
template <class Coordinate, class Scope, class Widen>
WY_HD void ConvertRange(Scope& scope, const PositionSource& source, const procedure::Range& range,
                        Widen&& widen) {
  constexpr std::uint32_t kAhead = 8;  // loads under way together: the memory may be far away
  const auto* const from = static_cast<const Coordinate*>(source.data);
  double* const to = source.to;
  for (std::uint32_t i = range.begin + scope.Rank(); i < range.end; i += kAhead * scope.Size()) {
    Coordinate loaded[kAhead] = {};
    WY_UNROLLED
    for (std::uint32_t k = 0; k < kAhead; ++k) {
      const std::uint32_t at = i + k * scope.Size();
      if (at < range.end) loaded[k] = from[at];
    }
    WY_UNROLLED
    for (std::uint32_t k = 0; k < kAhead; ++k) {
      const std::uint32_t at = i + k * scope.Size();
      if (at < range.end) to[at] = widen(loaded[k], at);
    }
  }
}

/// What ConvertPart reads of a mesh. @shape as of PositionReader
struct PosedVertices {
  std::uint32_t vertices;  ///< those that move
  const Vector3d* rest;
  const std::uint32_t* body_of;
};

/// Converts a part of the positions of a source to doubles: each once, and coordinates in the order
/// of memory, which may be far away. Returns false if they are converted already.
/// @shape part: less than parts @scope the group
template <class Scope>
WY_HD bool ConvertPart(Scope& scope, const PositionSource& source, const PosedVertices& of,
                       std::uint32_t part, std::uint32_t parts) {
  if (source.format == PositionFormat::kConverted) return false;
  const bool is_pose = source.format == PositionFormat::kPose;
  const std::uint64_t count = (is_pose ? 1 : 3) * std::uint64_t{of.vertices};
  const procedure::Range range{static_cast<std::uint32_t>(count * part / parts),
                               static_cast<std::uint32_t>(count * (part + 1) / parts)};
  const auto same = [](auto coordinate, std::uint32_t) { return static_cast<double>(coordinate); };
  if (is_pose) {
    const PositionReader reader(source, false, of.rest, of.body_of);
    WY_ROLLED
    for (std::uint32_t v = range.begin + scope.Rank(); v < range.end; v += scope.Size()) {
      reader.Put(v, reader.At(v));
    }
  } else if (source.format == PositionFormat::kFloat32) {
    ConvertRange<float>(scope, source, range, same);
  } else if (source.format == PositionFormat::kFloat64) {
    ConvertRange<double>(scope, source, range, same);
  } else {
    const double(&low)[3] = source.low, (&spacing)[3] = source.spacing;
    ConvertRange<std::uint16_t>(scope, source, range, [&](std::uint16_t q, std::uint32_t i) {
      return Dequantized(low[i % 3], spacing[i % 3], q);
    });
  }
  return true;
}

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_JOB_POSITION_SOURCE_H_
