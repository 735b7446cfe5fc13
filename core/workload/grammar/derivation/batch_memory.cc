// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/grammar/derivation/batch_memory.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstring>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "core/base/macros.h"
#include "core/device/host_copy.h"
#include "core/workload/grammar/derivation/host_threads.h"

namespace warpyard::grammar {
namespace {

/// How many places of a part are taken.
std::uint32_t FilledOf(const PoolPart& part, std::uint32_t size) {
  return std::min(part.filled, size);
}

/// Counters as a job begins with them.
const DeriveCounters& FreshCounters() {
  static const auto* const kFresh = [] {
    auto* const counters = new DeriveCounters{};
    std::memset(counters->deferred, 0xff, sizeof counters->deferred);
    return counters;
  }();
  return *kFresh;
}

/// Adds a copy in pieces. A copy keeps a channel of the device (device/copy_pool.h), and copies of
/// other jobs may wait for that channel. A piece ends after half a millisecond or so.
void AddPieces(const device::HostCopy& copy, std::vector<device::HostCopy>& pieces) {
  constexpr std::size_t kMostBytes = std::size_t{4} << 20;
  for (std::size_t begin = 0; begin < copy.bytes; begin += kMostBytes) {
    pieces.push_back({static_cast<std::byte*>(copy.to) + begin,
                      static_cast<const std::byte*>(copy.from) + begin,
                      std::min(kMostBytes, copy.bytes - begin)});
  }
}

/// One thread is slower than the bus of a device: it moves all bytes from the pinned memory, where
/// they arrive, to their place. More than three threads would leave other jobs none of the eight
/// channels while two derivations copy.
absl::Status CopyOutByThreads(device::Backend& backend, std::span<const device::HostCopy> copies,
                              std::size_t instances) {
  constexpr std::size_t kMostThreads = 3;
  const std::size_t threads = std::min(HostThreadsFor(instances), kMostThreads);
  if (threads == 1) return backend.CopyAllOut(copies);
  std::vector<device::HostCopy> pieces;
  for (const device::HostCopy& copy : copies) AddPieces(copy, pieces);
  std::vector<absl::Status> ended(pieces.size());
  ForEachPart(pieces.size(), threads, [&](std::size_t i) {
    ended[i] = backend.CopyAllOut(std::span<const device::HostCopy>(pieces).subspan(i, 1));
  });
  for (const absl::Status& status : ended) WY_RETURN_IF_ERROR(status);
  return absl::OkStatus();
}

}  // namespace

DeviceView ToDeviceView(const View& view) {
  DeviceView copy{};
  std::copy(view.position, view.position + 3, copy.position);
  copy.plane_count = static_cast<std::uint32_t>(view.planes.size());
  for (std::size_t p = 0; p < view.planes.size(); ++p) {
    std::copy(view.planes[p].begin(), view.planes[p].end(), copy.planes[p]);
  }
  copy.detail = view.least_pixels > 0 ? view.pixels / view.least_pixels : 0;
  return copy;
}

absl::Status BatchMemory::ReservePools(device::Backend& backend, std::uint64_t bytes) {
  if (bytes <= pool_bytes_) return absl::OkStatus();
  // The old pools go first: both together may be more than the device has.
  KeepPools(0);
  const std::uint64_t half = bytes / 2 / kPoolParts * kPoolParts;
  WY_RETURN_IF_ERROR(units_.Reserve(backend, half / sizeof(Unit)));
  WY_RETURN_IF_ERROR(instances_.Reserve(backend, half / sizeof(Instance)));
  pool_bytes_ = bytes;
  return absl::OkStatus();
}

void BatchMemory::KeepPools(std::uint64_t bytes) {
  if (pool_bytes_ <= bytes) return;
  pool_bytes_ = 0;
  units_ = {};
  instances_ = {};
}

absl::Status BatchMemory::CopyIn(device::Backend& backend, const BatchInput& input,
                                 DeriveJob& job) {
  const std::size_t buildings = input.parcels.size();
  const std::size_t rules = std::size_t{kRuleCopies} * job.rule_count;
  const std::size_t reports = std::max<std::size_t>(1, buildings * job.reports.count);
  WY_RETURN_IF_ERROR(parcels_.Reserve(backend, buildings));
  WY_RETURN_IF_ERROR(attributes_.Reserve(backend, input.attributes.size() + 1));
  WY_RETURN_IF_ERROR(counters_.Reserve(backend, 1));
  WY_RETURN_IF_ERROR(rules_.Reserve(backend, rules));
  WY_RETURN_IF_ERROR(reports_.Reserve(backend, reports));
  const std::vector<RuleCounts> no_counts(rules);
  const std::vector<ReportSum> no_reports(reports);
  const device::HostCopy copies[] = {
      {parcels_.data(), input.parcels.data(), buildings * sizeof(DeviceParcel)},
      {attributes_.data(), input.attributes.data(), input.attributes.size() * sizeof(float)},
      {counters_.data(), &FreshCounters(), sizeof(DeriveCounters)},
      {rules_.data(), no_counts.data(), rules * sizeof(RuleCounts)},
      {reports_.data(), no_reports.data(), reports * sizeof(ReportSum)},
  };
  WY_RETURN_IF_ERROR(backend.CopyAllIn(copies));
  job.parcels = parcels_.data();
  job.attributes.values = attributes_.data();
  job.counters = counters_.data();
  job.rule_counts = rules_.data();
  job.reports.sums = reports_.data();
  job.units = units_.data();
  job.instances = instances_.data();
  job.span.count = static_cast<std::uint32_t>(buildings);
  return absl::OkStatus();
}

absl::Status BatchMemory::SetView(device::Backend& backend, const View* view, DeriveJob& job) {
  job.sight.view = nullptr;
  if (view == nullptr) return absl::OkStatus();
  const DeviceView copy = ToDeviceView(*view);
  WY_RETURN_IF_ERROR(view_.Reserve(backend, 1));
  job.sight.view = view_.data();
  return backend.CopyIn(view_.data(), &copy, sizeof copy);
}

absl::Status BatchMemory::CopyNoSlack(device::Backend& backend, DeriveJob& job) {
  constexpr auto kInfinity = std::bit_cast<std::uint32_t>(std::numeric_limits<float>::infinity());
  const std::vector<std::uint32_t> none(job.span.count, kInfinity);
  WY_RETURN_IF_ERROR(slack_.Reserve(backend, none.size()));
  job.sight.slack = slack_.data();
  return backend.CopyIn(slack_.data(), none.data(), none.size() * sizeof(std::uint32_t));
}

absl::Status BatchMemory::CopyCounters(device::Backend& backend, const DeriveJob& job,
                                       BatchOutput& output) {
  output.rules.resize(std::size_t{kRuleCopies} * job.rule_count);
  output.reports.resize(std::size_t{job.span.count} * job.reports.count);
  output.slack.resize(job.sight.slack != nullptr ? job.span.count : 0);
  const device::HostCopy copies[] = {
      {&output.counters, job.counters, offsetof(DeriveCounters, deferred)},
      {output.rules.data(), job.rule_counts, output.rules.size() * sizeof(RuleCounts)},
      {output.reports.data(), job.reports.sums, output.reports.size() * sizeof(ReportSum)},
      {output.slack.data(), job.sight.slack, output.slack.size() * sizeof(float)},
  };
  return backend.CopyAllOut(copies);
}

absl::Status BatchMemory::CopyInstances(device::Backend& backend, const DeriveJob& job,
                                        BatchOutput& output) {
  std::size_t count = 0;
  for (const PoolPart& part : output.counters.instances) {
    count += FilledOf(part, job.sizes.instances);
  }
  // Neither zeros nor what an earlier batch left are worth a pass over the memory.
  if (output.instances.capacity() < count) {
    output.instances =
        memory::HostVector<Instance>(count, memory::HostAllocator<Instance>(backend.HostMemory()));
  }
  output.instances.resize(count);
  std::vector<device::HostCopy> copies;
  std::size_t done = 0;
  for (std::uint32_t p = 0; p < kPoolParts; ++p) {
    const std::uint32_t filled = FilledOf(output.counters.instances[p], job.sizes.instances);
    if (filled == 0) continue;
    copies.push_back({output.instances.data() + done,
                      job.instances + std::size_t{p} * job.sizes.instances,
                      filled * sizeof(Instance)});
    done += filled;
  }
  return CopyOutByThreads(backend, copies, count);
}

std::uint64_t BatchMemory::Bytes() const {
  return units_.size() * sizeof(Unit) + instances_.size() * sizeof(Instance) +
         parcels_.size() * sizeof(DeviceParcel) + attributes_.size() * sizeof(float) +
         slack_.size() * sizeof(std::uint32_t) + counters_.size() * sizeof(DeriveCounters) +
         rules_.size() * sizeof(RuleCounts) + reports_.size() * sizeof(ReportSum);
}

}  // namespace warpyard::grammar
