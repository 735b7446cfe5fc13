// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/api/byte_goal.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "core/base/macros.h"
#include "core/base/status_facts.h"

namespace warpyard::simplify {
namespace {

/// The second guess knows the ratio of vertices to triangles, so few meshes need a third one.
constexpr int kMostTries = 8;
/// A try asks for at most this part of the triangles before, so that each gets somewhere.
constexpr double kPart = 15.0 / 16;

/// Adds the times of a further call, which has the same phases.
void AddPhases(const PhaseTimes& further, PhaseTimes& phases) {
  const std::size_t count = std::min(further.size(), phases.size());
  for (std::size_t i = 0; i < count; ++i) phases[i].duration += further[i].duration;
}

}  // namespace

std::uint64_t MeshBytes(const SimplifiedMesh& mesh) {
  return mesh.positions.size() / 3 * kBytesPerVertex +
         mesh.triangles.size() / 3 * kBytesPerTriangle + mesh.attributes.size() * sizeof(float) +
         mesh.groups.size() * sizeof(std::uint32_t);
}

std::uint64_t TrianglesOfBytes(std::uint64_t bytes) {
  // Euler: a closed mesh of t triangles has t / 2 + 2 vertices, and fewer where it has handles.
  constexpr std::uint64_t kFixed = 2 * kBytesPerVertex;
  constexpr std::uint64_t kEach = kBytesPerTriangle + kBytesPerVertex / 2;
  return bytes < kFixed + kEach ? 1 : (bytes - kFixed) / kEach;
}

std::uint64_t FewerTriangles(std::uint64_t asked, const SimplifiedMesh& mesh,
                             std::uint64_t max_bytes) {
  // The mesh may have fewer than asked, because the model has; and more, because of its topology.
  const std::uint64_t from = std::min<std::uint64_t>(asked, mesh.triangles.size() / 3);
  const double part = static_cast<double>(max_bytes) / static_cast<double>(MeshBytes(mesh));
  return static_cast<std::uint64_t>(static_cast<double>(from) * std::min(part, kPart));
}

absl::StatusOr<SimplifiedMesh> SimplifyToBytes(
    std::uint64_t max_bytes,
    const std::function<absl::StatusOr<SimplifiedMesh>(std::uint64_t triangles)>& simplify) {
  if (max_bytes < kLeastBytes) {
    return InvalidField("max_bytes", absl::StrCat(max_bytes, ", expected at least ", kLeastBytes));
  }
  std::uint64_t asked = TrianglesOfBytes(max_bytes);
  WY_ASSIGN_OR_RETURN(SimplifiedMesh best, simplify(asked));
  PhaseTimes phases = best.statistics.phases;
  bool has_time = best.statistics.shortfall != Shortfall::kTime;
  for (int i = 1; i < kMostTries && has_time && MeshBytes(best) > max_bytes; ++i) {
    asked = FewerTriangles(asked, best, max_bytes);
    if (asked == 0) break;
    WY_ASSIGN_OR_RETURN(SimplifiedMesh next, simplify(asked));
    AddPhases(next.statistics.phases, phases);
    has_time = next.statistics.shortfall != Shortfall::kTime;
    if (MeshBytes(next) <= MeshBytes(best)) best = std::move(next);
  }
  best.statistics.phases = std::move(phases);
  Shortfall& shortfall = best.statistics.shortfall;
  if (MeshBytes(best) <= max_bytes) {
    shortfall = Shortfall::kNone;
  } else if (shortfall == Shortfall::kNone) {
    shortfall = Shortfall::kTopology;
  }
  return best;
}

}  // namespace warpyard::simplify
