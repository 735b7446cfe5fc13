// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/grammar/derivation/order.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstring>
#include <system_error>
#include <thread>

#include "core/workload/grammar/derive/chance.h"

namespace warpyard::grammar {
namespace {

struct Entry {
  std::uint64_t key;
  std::uint32_t position;
};

/// Calls work(building) for each building, on several threads where there is much to do.
template <class Work>
void ForEachBuilding(std::uint32_t buildings, std::size_t instances, const Work& work) {
  constexpr std::size_t kMostThreads = 8;
  constexpr std::size_t kInstancesOfThread = std::size_t{1} << 15;  // take a millisecond or more
  constexpr std::uint32_t kBuildingsAtATime = 16;
  std::atomic<std::uint32_t> next{0};
  const auto run = [&] {
    std::uint32_t begin = 0;
    while ((begin = next.fetch_add(kBuildingsAtATime)) < buildings) {
      const std::uint32_t end = std::min(buildings, begin + kBuildingsAtATime);
      for (std::uint32_t b = begin; b < end; ++b) work(b);
    }
  };
  const std::size_t cores = std::max(1u, std::thread::hardware_concurrency());
  const std::size_t threads = std::min({kMostThreads, cores, instances / kInstancesOfThread});
  std::vector<std::jthread> helpers;
  try {
    while (helpers.size() + 1 < threads) helpers.emplace_back(run);
  } catch (const std::system_error&) {
    // The process has no more threads: the others do all.
  }
  run();
}

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
  std::vector<Instance> ordered(instances.size());
  ForEachBuilding(buildings, instances.size(), [&](std::uint32_t b) {
    std::sort(entries.begin() + static_cast<std::ptrdiff_t>(begins[b]),
              entries.begin() + static_cast<std::ptrdiff_t>(begins[b + 1]), before);
    for (std::size_t i = begins[b]; i < begins[b + 1]; ++i) {
      ordered[i] = instances[entries[i].position];
    }
  });
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
