// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/metrics/engine_collector.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "prometheus/metric_type.h"
#include "server/metrics/family_builder.h"
#include "server/metrics/metric_names.h"

namespace warpyard::server {
namespace {

using prometheus::MetricType;
using Device = EngineStatistics::Device;
using Families = std::vector<prometheus::MetricFamily>;

double Number(std::uint64_t value) { return static_cast<double>(value); }
double Number(bool value) { return value ? 1 : 0; }
double Number(absl::Duration value) { return absl::ToDoubleSeconds(value); }

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

/// A sample for each queue of each device.
void AddQueues(const EngineStatistics& now, Families& out) {
  using Queue = EngineStatistics::Queue;
  for (const Reading<Queue, std::uint64_t>& reading :
       {Reading<Queue, std::uint64_t>{kQueueItems, MetricType::Gauge, &Queue::size},
        {kQueueCapacity, MetricType::Gauge, &Queue::capacity}}) {
    FamilyBuilder family(reading.metric, reading.type);
    for (const Device& device : now.devices) {
      for (const Queue& queue : device.queues) {
        family.Add(Number(queue.*reading.value), {{"device", device.name}, {"queue", queue.name}});
      }
    }
    out.push_back(family.Build());
  }
}

/// A sample for each procedure, of all devices together: there are many procedures.
void AddProcedures(const EngineStatistics& now, Families& out) {
  using Procedure = EngineStatistics::Procedure;
  std::map<std::string, Procedure> all;
  for (const Device& device : now.devices) {
    for (const Procedure& own : device.procedures) {
      Procedure& sum = all[own.name];
      sum.executed_items += own.executed_items;
      sum.busy += own.busy;
      sum.longest_round = std::max(sum.longest_round, own.longest_round);
    }
  }
  FamilyBuilder items(kProcedureItems, MetricType::Counter);
  FamilyBuilder busy(kProcedureBusy, MetricType::Counter);
  FamilyBuilder longest(kProcedureLongest, MetricType::Gauge);
  for (const auto& [name, procedure] : all) {
    items.Add(Number(procedure.executed_items), {{"procedure", name}});
    busy.Add(Number(procedure.busy), {{"procedure", name}});
    longest.Add(Number(procedure.longest_round), {{"procedure", name}});
  }
  for (FamilyBuilder* family : {&items, &busy, &longest}) out.push_back(family->Build());
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

/// What the admission of each device has decided, and what it expects.
void AddAdmission(const EngineStatistics& now, Families& out) {
  using Jobs = EngineStatistics::Jobs;
  constexpr std::pair<const char*, std::uint64_t Jobs::*> kDecisions[] = {
      {"accepted", &Jobs::accepted}, {"refused", &Jobs::refused},   {"unseen", &Jobs::unseen},
      {"gave_way", &Jobs::gave_way}, {"given_up", &Jobs::given_up}, {"missed", &Jobs::missed},
      {"late", &Jobs::late}};
  FamilyBuilder jobs(kAdmissionJobs, MetricType::Counter);
  for (const Device& device : now.devices) {
    for (const auto& [decision, count] : kDecisions) {
      jobs.Add(Number(device.jobs.*count), {{"device", device.name}, {"decision", decision}});
    }
  }
  out.push_back(jobs.Build());
  AddComputed(
      now, {kDeviceJobs, MetricType::Gauge},
      [](const Device& device) { return device.jobs.running; }, out);
  AddComputed(
      now, {kAdmissionBacklog, MetricType::Gauge},
      [](const Device& device) { return device.jobs.backlog; }, out);
  FamilyBuilder safety(kAdmissionSafety, MetricType::Gauge);
  for (const Device& device : now.devices) {
    safety.Add(device.jobs.safety, {{"device", device.name}});
  }
  out.push_back(safety.Build());
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
  AddComputed(
      now, {kDeviceHeld, Counter}, [](const Device& device) { return device.draws.held; }, out);
  AddDraws(now, out);
  AddAdmission(now, out);
  for (const Reading<Device, std::uint64_t>& reading :
       {Reading<Device, std::uint64_t>{kDeviceWorkers, Gauge, &Device::workers},
        {kDeviceEvents, Gauge, &Device::running_events},
        {kDeviceResidents, Gauge, &Device::residents},
        {kDeviceLaunches, Counter, &Device::launches},
        {kDeviceSpills, Counter, &Device::spills},
        {kMemory, Gauge, &Device::memory_used_bytes},
        {kMemoryLimit, Gauge, &Device::memory_limit_bytes}}) {
    AddDevices(now, reading, out);
  }
}

/// A sample for each priority.
void AddWaiting(const EngineStatistics& now, Families& out) {
  FamilyBuilder oldest(kJobsPendingOldest, MetricType::Gauge);
  for (std::size_t i = 0; i < now.waiting.size(); ++i) {
    oldest.Add(Number(now.waiting[i].longest), {{"priority", kPriorityNames[i]}});
  }
  out.push_back(oldest.Build());
}

}  // namespace

void EngineCollector::Detach() {
  const std::lock_guard lock(mutex_);
  engine_ = nullptr;
}

void EngineCollector::Look() {
  const std::lock_guard lock(mutex_);
  if (engine_ == nullptr) return;
  for (const Device& device : engine_->Statistics().devices) progress_.AgeOf(device, absl::Now());
}

Families EngineCollector::Collect() const {
  Families families;
  const std::lock_guard lock(mutex_);
  if (engine_ == nullptr) return families;
  const EngineStatistics now = engine_->Statistics();
  AddAllDevices(now, families);
  FamilyBuilder ages(kDeviceProgressAge, MetricType::Gauge);
  for (const Device& device : now.devices) {
    ages.Add(Number(progress_.AgeOf(device, absl::Now())), {{"device", device.name}});
  }
  families.push_back(ages.Build());
  AddTenants(now, families);
  AddQueues(now, families);
  AddProcedures(now, families);
  AddWaiting(now, families);
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
