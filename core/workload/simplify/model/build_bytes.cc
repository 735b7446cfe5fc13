// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/simplify/model/build_bytes.h"

#include <algorithm>
#include <bit>

#include "absl/strings/str_cat.h"
#include "core/base/status_facts.h"
#include "core/workload/simplify/job/simplify_job.h"
#include "core/workload/simplify/model/build_wedges.h"

namespace warpyard::simplify {
namespace {

constexpr std::uint64_t kWord = sizeof(std::uint32_t);

/// Words of TakeWeld for each vertex, without the table.
constexpr std::uint64_t kWeldWords = 2;
std::uint64_t TableBytes(std::uint64_t vertices) { return std::bit_ceil(2 * vertices) * kWord; }

/// Attributes, slots and owners of wedges for each vertex, groups, and the wedges' corners.
std::uint64_t KeptWedgeBytes(const ModelInput& input) {
  if (!HasWedges(input)) return 0;
  const std::uint64_t vertices = input.positions.vertices;
  return (vertices * (ChannelsOf(input) + 3) + input.groups.size() + input.triangles.size()) *
         kWord;
}

/// What the build keeps of the input until its end.
std::uint64_t KeptBytes(const ModelInput& input) {
  const std::uint64_t vertices = input.positions.vertices;
  return vertices * (sizeof(FloatPoint) + kWord) + input.triangles.size() * kWord +
         input.locked.size() * kWord + KeptWedgeBytes(input);
}

/// Components, parents and values of the wedges of corners.
std::uint64_t WedgeLeafBytes(const ModelInput& input, const WeldedCounts& counts) {
  return counts.wedges * (5 + 2 + ChannelsOf(input)) * kWord;
}

}  // namespace

std::uint64_t HeldBytes(const ModelInput& input, const WeldedCounts& counts) {
  return KeptBytes(input) + WedgeLeafBytes(input, counts);
}

std::uint64_t WeldBytes(const ModelInput& input) {
  const std::uint64_t vertices = input.positions.vertices;
  const std::uint64_t welds = HasWedges(input) ? 2 : 1;
  const std::uint64_t weld =
      TableBytes(vertices) + vertices * (kWeldWords - 1) * kWord + input.triangles.size() * kWord;
  return KeptBytes(input) + welds * weld;
}

std::uint64_t TreeBytes(const ModelInput& input, const WeldedCounts& counts) {
  const std::uint64_t nodes = 2 * counts.leaves, wedge_nodes = 2 * counts.wedges;
  const std::uint64_t channels = ChannelsOf(input);
  const std::uint64_t items = std::max(3 * counts.triangles, 2 * counts.leaves);
  const std::uint64_t of_triangles = (counts.triangles * (1 + 1 + 1) + items) * kWord;
  const std::uint64_t of_leaves = counts.leaves * 7 * kWord;
  const std::uint64_t of_nodes =
      nodes * (6 * kWord + sizeof(FloatPoint) + sizeof(Quadric) + sizeof(NodeLeaves));
  const std::uint64_t of_wedges =
      WedgeLeafBytes(input, counts) + wedge_nodes * (4 + 4 * channels) * kWord;
  return KeptBytes(input) + of_triangles + of_leaves + of_nodes + of_wedges;
}

absl::Status CheckFits(const device::Backend& backend, const ModelInput& input, std::uint64_t bytes,
                       std::uint64_t held) {
  const std::uint64_t used = backend.MemoryUsed(), limit = backend.MemoryLimit();
  // What the build has may be less than it may have.
  const std::uint64_t others = used - std::min(used, held);
  if (others + bytes <= limit) return absl::OkStatus();
  return WithCause(
      Cause::kDeviceMemory,
      absl::ResourceExhaustedError(absl::StrCat(
          "a model of ", input.positions.vertices, " vertices and ", input.triangles.size() / 3,
          " triangles needs ", bytes, " bytes while it is built; ", others, " are in use, limit ",
          limit, " (--memory-limit-mib)")));
}

}  // namespace warpyard::simplify
