// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/grammar/derivation/order.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "core/workload/grammar/derivation/host_threads.h"
#include "core/workload/grammar/derive/chance.h"

namespace warpyard::grammar {
namespace {

struct Entry {
  std::uint64_t key;
  std::uint32_t position;
};

/// Instances [first, last) of a part.
struct Slice {
  std::size_t first, last;
};
Slice SliceOf(std::size_t instances, std::size_t part, std::size_t parts) {
  return {instances * part / parts, instances * (part + 1) / parts};
}

/// Places of entries. The entries of a building lie together, those of the first slice of the
/// instances first.
struct Buildings {
  std::vector<std::size_t> begins;  ///< for each building, and the end of the last one
  std::vector<std::size_t> next;    ///< for each slice and building: its next free place
};

/// @shape first: number of the first building
Buildings CountBuildings(std::span<const Instance> instances, std::uint32_t first,
                         std::uint32_t buildings, std::size_t parts) {
  Buildings found{std::vector<std::size_t>(std::size_t{buildings} + 1, 0),
                  std::vector<std::size_t>(parts * buildings, 0)};
  ForEachPart(parts, parts, [&](std::size_t p) {
    const Slice part = SliceOf(instances.size(), p, parts);
    std::size_t* const counts = found.next.data() + p * buildings;
    for (std::size_t i = part.first; i < part.last; ++i) ++counts[instances[i].building - first];
  });
  for (std::size_t p = 0; p < parts; ++p) {
    for (std::size_t b = 0; b < buildings; ++b)
      found.begins[b + 1] += found.next[p * buildings + b];
  }
  for (std::size_t b = 0; b < buildings; ++b) found.begins[b + 1] += found.begins[b];
  std::vector<std::size_t> places(found.begins.begin(), found.begins.end() - 1);
  for (std::size_t p = 0; p < parts; ++p) {
    for (std::size_t b = 0; b < buildings; ++b) {
      std::size_t& next = found.next[p * buildings + b];
      places[b] += std::exchange(next, places[b]);
    }
  }
  return found;
}

/// Sorts the entries of a building into `sorted`. Keys are hashes, so they are spread evenly: the
/// first bits of a key nearly tell its place. Entries go into buckets by these bits. Then each
/// bucket is sorted.
/// @shape sorted: as many entries; before(a, b): whether a comes first, by keys first of all
template <class Before>
void SortEntries(std::span<const Entry> entries, Entry* sorted, const Before& before) {
  constexpr std::size_t kMostBuckets = 1024, kEntriesOfBucket = 4;
  const std::size_t buckets =
      std::bit_floor(std::clamp(entries.size() / kEntriesOfBucket, std::size_t{2}, kMostBuckets));
  const int shift = 64 - static_cast<int>(std::bit_width(buckets - 1));
  std::size_t ends[kMostBuckets + 1];
  std::fill_n(ends, buckets + 1, 0);
  for (const Entry& entry : entries) ++ends[(entry.key >> shift) + 1];
  for (std::size_t b = 1; b < buckets; ++b) ends[b + 1] += ends[b];
  for (const Entry& entry : entries) sorted[ends[entry.key >> shift]++] = entry;
  std::size_t begin = 0;
  for (std::size_t b = 0; b < buckets; begin = ends[b++]) {
    std::sort(sorted + begin, sorted + ends[b], before);
  }
}

}  // namespace

Instances Ordered(std::span<const Instance> instances, std::uint32_t first_building,
                  std::uint32_t buildings, const procedure::CancelToken& token) {
  const std::size_t parts = HostThreadsFor(instances.size());
  Buildings found = CountBuildings(instances, first_building, buildings, parts);
  const auto entries = std::make_unique_for_overwrite<Entry[]>(instances.size());
  ForEachPart(parts, parts, [&](std::size_t p) {
    const Slice part = SliceOf(instances.size(), p, parts);
    std::size_t* const next = found.next.data() + p * buildings;
    for (std::size_t i = part.first; i < part.last; ++i) {
      const std::uint32_t building = instances[i].building - first_building;
      entries[next[building]++] = {instances[i].key, static_cast<std::uint32_t>(i)};
    }
  });
  // Equal keys are as good as impossible; then the bytes decide, and not the order of work.
  const auto before = [&](const Entry& a, const Entry& b) {
    if (a.key != b.key) return a.key < b.key;
    return std::memcmp(&instances[a.position], &instances[b.position], sizeof(Instance)) < 0;
  };
  const auto sorted = std::make_unique_for_overwrite<Entry[]>(instances.size());
  Instances ordered(instances.size());
  constexpr std::size_t kAtATime = 16;  // buildings
  ForEachPart((buildings + kAtATime - 1) / kAtATime, parts, [&](std::size_t p) {
    if (token.Cancelled()) return;
    const std::size_t end = std::min(std::size_t{buildings}, (p + 1) * kAtATime);
    const std::size_t first = found.begins[p * kAtATime], last = found.begins[end];
    for (std::size_t b = p * kAtATime; b < end; ++b) {
      const std::size_t begin = found.begins[b], count = found.begins[b + 1] - begin;
      SortEntries({entries.get() + begin, count}, sorted.get() + begin, before);
    }
    for (std::size_t i = first; i < last; ++i) ordered[i] = instances[sorted[i].position];
  });
  return ordered;
}

InstanceSums SumsOf(std::span<const Instance> instances, const GrammarInfo& info) {
  const std::size_t parts = HostThreadsFor(instances.size());
  // A thread must not throw.
  std::vector<InstanceSums> sums(parts, {0, 0, 0, std::vector<std::uint64_t>(info.rules.size())});
  ForEachPart(parts, parts, [&](std::size_t p) {
    const Slice part = SliceOf(instances.size(), p, parts);
    const std::span<const Instance> own = instances.subspan(part.first, part.last - part.first);
    InstanceSums& sum = sums[p];
    sum.checksum = ChecksumOf(own);
    for (const Instance& instance : own) {
      ++sum.of_rules[instance.rule];
      sum.coarse += (instance.flags & kCoarse) != 0 ? 1 : 0;
      sum.triangles += info.meshes[instance.mesh].triangles;
    }
  });
  for (std::size_t p = 1; p < parts; ++p) {
    sums[0].checksum += sums[p].checksum;
    sums[0].coarse += sums[p].coarse;
    sums[0].triangles += sums[p].triangles;
    for (std::size_t r = 0; r < info.rules.size(); ++r) {
      sums[0].of_rules[r] += sums[p].of_rules[r];
    }
  }
  return std::move(sums[0]);
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
