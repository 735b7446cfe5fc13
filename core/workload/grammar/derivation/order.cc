// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/grammar/derivation/order.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "core/workload/grammar/derive/chance.h"

namespace warpyard::grammar {
namespace {

struct Entry {
  std::uint64_t key;
  std::uint32_t position;
};

}  // namespace

std::vector<Instance> Ordered(std::span<const Instance> instances, std::uint32_t first_building,
                              std::uint32_t buildings) {
  std::vector<std::size_t> begins(std::size_t{buildings} + 1, 0);
  for (const Instance& instance : instances) ++begins[instance.building - first_building + 1];
  for (std::size_t b = 1; b <= buildings; ++b) begins[b] += begins[b - 1];
  std::vector<std::size_t> next(begins.begin(), begins.end() - 1);
  std::vector<Entry> entries(instances.size());
  for (std::size_t i = 0; i < instances.size(); ++i) {
    entries[next[instances[i].building - first_building]++] = {instances[i].key,
                                                               static_cast<std::uint32_t>(i)};
  }
  // Equal keys are as good as impossible; then the bytes decide, and not the order of work.
  const auto before = [&](const Entry& a, const Entry& b) {
    if (a.key != b.key) return a.key < b.key;
    return std::memcmp(&instances[a.position], &instances[b.position], sizeof(Instance)) < 0;
  };
  for (std::size_t b = 0; b < buildings; ++b) {
    std::sort(entries.begin() + static_cast<std::ptrdiff_t>(begins[b]),
              entries.begin() + static_cast<std::ptrdiff_t>(begins[b + 1]), before);
  }
  std::vector<Instance> ordered;
  ordered.reserve(instances.size());
  for (const Entry& entry : entries) ordered.push_back(instances[entry.position]);
  return ordered;
}

std::uint64_t ChecksumOf(std::span<const Instance> instances) {
  std::uint64_t sum = 0;
  for (const Instance& instance : instances) {
    std::uint64_t words[sizeof(Instance) / 8];
    std::memcpy(words, &instance, sizeof instance);
    // Products that do not wait for each other: a sum over a city is not to take as long as the
    // city.
    std::uint64_t hash = 0, factor = 0x9e3779b97f4a7c15u;
    for (const std::uint64_t word : words) {
      hash += (word ^ factor) * factor;
      factor = factor * 0xd1342543de82ef95u;
    }
    sum += Mix(hash);
  }
  return sum;
}

}  // namespace warpyard::grammar
