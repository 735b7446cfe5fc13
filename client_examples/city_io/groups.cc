// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/city_io/groups.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "absl/container/flat_hash_map.h"

namespace warpyard::city_io {
namespace {

// Thinner than anything that the service makes.
constexpr float kThin = 1e-4F;

using Counts = absl::flat_hash_map<GroupKey, std::size_t>;

/// Which bits of a channel tell colours apart; fewer from step to step.
constexpr std::uint32_t kColorMasks[] = {0xFFFFFFFF, 0xF8F8F8F8, 0xE0E0E0E0,
                                         0xC0C0C0C0, 0x80808080, 0};

GroupKey KeyOf(const Instance& instance, GroupBy by, std::uint32_t mask) {
  GroupKey key;
  if (by == GroupBy::kMeshAndPaint) {
    key.mesh = instance.mesh;
    key.mirrored = IsMirrored(instance);
  }
  key.material = instance.material;
  if (instance.color != kNoColor && mask != 0) {
    // The middle of the colours that become one. The opaque ones stay opaque.
    key.color = (instance.color & mask) | (~mask & 0x7F7F7F7F);
    if (instance.color >> 24 == 0xFF) key.color |= 0xFF000000;
  }
  return key;
}

std::optional<Counts> Count(absl::Span<const Instance> instances, GroupBy by, std::uint32_t mask) {
  Counts counts;
  for (const Instance& instance : instances) {
    ++counts[KeyOf(instance, by, mask)];
    if (mask != 0 && counts.size() > kMostGroups) return std::nullopt;
  }
  return counts;
}

}  // namespace

bool IsMirrored(const Instance& instance) {
  const Vector& size = instance.size;
  return std::signbit(size[0]) ^ std::signbit(size[1]) ^ std::signbit(size[2]);
}

Instance Drawable(const Instance& instance, bool is_flat) {
  Instance drawable = instance;
  Vector& size = drawable.size;
  if (IsMirrored(instance)) size[0] = -size[0];
  for (float& each : size) {
    if (std::abs(each) < kThin) each = std::copysign(kThin, each);
  }
  // A flat mesh looks the same with any thickness, and its normals come out best with this one.
  if (is_flat) size[2] = std::copysign(1.0F, size[2]);
  return drawable;
}

Groups::Groups(absl::Span<const Instance> instances, GroupBy by) {
  std::optional<Counts> counts;
  std::uint32_t mask = 0;
  for (const std::uint32_t next : kColorMasks) {
    mask = next;
    counts = Count(instances, by, mask);
    if (counts) break;
  }
  std::vector<std::pair<GroupKey, std::size_t>> sorted(counts->begin(), counts->end());
  std::sort(sorted.begin(), sorted.end());
  order_.resize(instances.size());
  std::size_t begin = 0;
  for (const auto& [key, count] : sorted) {
    groups_.push_back({key, absl::MakeConstSpan(order_).subspan(begin, count)});
    (*counts)[key] = begin;  // from now on: where the next member goes
    begin += count;
  }
  for (std::size_t i = 0; i < instances.size(); ++i) {
    order_[(*counts)[KeyOf(instances[i], by, mask)]++] = static_cast<std::uint32_t>(i);
  }
}

}  // namespace warpyard::city_io
