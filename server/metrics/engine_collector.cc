// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/metrics/engine_collector.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "prometheus/client_metric.h"
#include "prometheus/metric_type.h"
#include "server/metrics/metric_names.h"

namespace warpyard::server {
namespace {

using prometheus::MetricType;
using Device = EngineStatistics::Device;
using Families = std::vector<prometheus::MetricFamily>;
using Labels = std::vector<prometheus::ClientMetric::Label>;

double Number(std::uint64_t value) { return static_cast<double>(value); }
double Number(bool value) { return value ? 1 : 0; }
double Number(absl::Duration value) { return absl::ToDoubleSeconds(value); }

/// Samples of one metric.
class FamilyBuilder {
 public:
  FamilyBuilder(const MetricName& metric, MetricType type) {
    family_.name = metric.name;
    family_.help = metric.help;
    family_.type = type;
  }

  FamilyBuilder& Add(double value, Labels labels = {}) {
    prometheus::ClientMetric sample;
    sample.label = std::move(labels);
    if (family_.type == MetricType::Counter) {
      sample.counter.value = value;
    } else {
      sample.gauge.value = value;
    }
    family_.metric.push_back(std::move(sample));
    return *this;
  }

  prometheus::MetricFamily Build() { return std::move(family_); }

 private:
  prometheus::MetricFamily family_;
};

/// A metric and the member that has its value: of a device, its draws, a queue or a procedure.
template <class From, class Value>
struct Reading {
  MetricName metric;
  MetricType type;
  Value From::*value;
};

/// A sample for each device.
template <class Value>
void AddDevices(const EngineStatistics& now, const Reading<Device, Value>& reading, Families& out) {
  FamilyBuilder family(reading.metric, reading.type);
  for (const Device& device : now.devices) {
    family.Add(Number(device.*reading.value), {{"device", device.name}});
  }
  out.push_back(family.Build());
}

/// A sample for each part (queue or procedure) of each device.
template <class Part, class Value>
void AddParts(const EngineStatistics& now, const std::vector<Part> Device::*parts,
              const char* label, const Reading<Part, Value>& reading, Families& out) {
  FamilyBuilder family(reading.metric, reading.type);
  for (const Device& device : now.devices) {
    for (const Part& part : device.*parts) {
      family.Add(Number(part.*reading.value), {{"device", device.name}, {label, part.name}});
    }
  }
  out.push_back(family.Build());
}

void AddTenants(const EngineStatistics& now, Families& out) {
  FamilyBuilder family(kTenantBusy, MetricType::Counter);
  for (const Device& device : now.devices) {
    for (std::size_t tenant = 0; tenant < device.tenants.size(); ++tenant) {
      family.Add(Number(device.tenants[tenant]),
                 {{"device", device.name}, {"tenant", absl::StrCat(tenant)}});
    }
  }
  out.push_back(family.Build());
}

/// A sample for each device. @shape read: device -> value
template <class Read>
void AddComputed(const EngineStatistics& now, FamilyBuilder family, Read&& read, Families& out) {
  for (const Device& device : now.devices) {
    family.Add(Number(read(device)), {{"device", device.name}});
  }
  out.push_back(family.Build());
}

/// What the workers of each device did to get items.
void AddDraws(const EngineStatistics& now, Families& out) {
  using MetricType::Counter;
  using Draws = EngineStatistics::Draws;
  for (const Reading<Draws, std::uint64_t>& reading :
       {Reading<Draws, std::uint64_t>{kDeviceLooks, Counter, &Draws::looks},
        {kDeviceClaims, Counter, &Draws::claims},
        {kDeviceMissedClaims, Counter, &Draws::misses},
        {kDeviceBackOffs, Counter, &Draws::back_offs}}) {
    AddComputed(
        now, {reading.metric, reading.type},
        [&](const Device& device) { return device.draws.*reading.value; }, out);
  }
}

void AddAllDevices(const EngineStatistics& now, Families& out) {
  using MetricType::Counter;
  using MetricType::Gauge;
  AddDevices<bool>(now, {kDeviceLost, Gauge, &Device::lost}, out);
  AddDevices<bool>(now, {kDeviceResident, Gauge, &Device::resident}, out);
  AddComputed(
      now, {kDeviceIdle, Gauge}, [](const Device& device) { return device.running_events == 0; },
      out);
  AddComputed(
      now, {kDeviceBusy, Counter}, [](const Device& device) { return device.Busy(); }, out);
  AddDraws(now, out);
  for (const Reading<Device, std::uint64_t>& reading :
       {Reading<Device, std::uint64_t>{kDeviceWorkers, Gauge, &Device::workers},
        {kDeviceEvents, Gauge, &Device::running_events},
        {kDeviceJobs, Gauge, &Device::jobs_running},
        {kDeviceResidents, Gauge, &Device::residents},
        {kDeviceLaunches, Counter, &Device::launches},
        {kDeviceSpills, Counter, &Device::spills},
        {kMemory, Gauge, &Device::memory_used_bytes},
        {kMemoryLimit, Gauge, &Device::memory_limit_bytes}}) {
    AddDevices(now, reading, out);
  }
}

void AddAllParts(const EngineStatistics& now, Families& out) {
  using MetricType::Counter;
  using MetricType::Gauge;
  using Queue = EngineStatistics::Queue;
  using Procedure = EngineStatistics::Procedure;
  for (const Reading<Queue, std::uint64_t>& reading :
       {Reading<Queue, std::uint64_t>{kQueueItems, Gauge, &Queue::size},
        {kQueueCapacity, Gauge, &Queue::capacity}}) {
    AddParts(now, &Device::queues, "queue", reading, out);
  }
  for (const Reading<Procedure, std::uint64_t>& reading :
       {Reading<Procedure, std::uint64_t>{kProcedureItems, Counter, &Procedure::executed_items},
        {kProcedureSpawned, Counter, &Procedure::spawned_items}}) {
    AddParts(now, &Device::procedures, "procedure", reading, out);
  }
  for (const Reading<Procedure, absl::Duration>& reading :
       {Reading<Procedure, absl::Duration>{kProcedureBusy, Counter, &Procedure::busy},
        {kProcedureShortest, Gauge, &Procedure::shortest_round},
        {kProcedureLongest, Gauge, &Procedure::longest_round}}) {
    AddParts(now, &Device::procedures, "procedure", reading, out);
  }
}

}  // namespace

void EngineCollector::Detach() {
  const std::lock_guard lock(mutex_);
  engine_ = nullptr;
}

Families EngineCollector::Collect() const {
  Families families;
  const std::lock_guard lock(mutex_);
  if (engine_ == nullptr) return families;
  const EngineStatistics now = engine_->Statistics();
  AddAllDevices(now, families);
  AddTenants(now, families);
  AddAllParts(now, families);
  const auto add = [&families](const MetricName& metric, std::uint64_t value) {
    families.push_back(FamilyBuilder(metric, MetricType::Gauge).Add(Number(value)).Build());
  };
  add(kJobsPending, now.jobs_pending);
  add(kJobsPendingLimit, now.max_jobs_pending);
  add(kJobsRunning, now.jobs_running);
  add(kResidents, now.residents);
  add(kRequests, requests_.used());
  add(kRequestsLimit, requests_.limit());
  add(kResults, results_.used());
  add(kResultsLimit, results_.limit());
  add(kUploads, uploads_.size());
  add(kUploadBytes, uploads_.budget().used());
  add(kUploadBytesLimit, uploads_.budget().limit());
  return families;
}

}  // namespace warpyard::server
