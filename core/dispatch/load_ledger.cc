// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/dispatch/load_ledger.h"

#include <algorithm>

#include "absl/container/inlined_vector.h"

namespace warpyard::dispatch {
namespace {

/// Assumed for an event whose time is not known.
constexpr double kUsualSeconds = 1e-3;
/// Longer events count as this long, so that sums do not overflow.
constexpr double kMostSeconds = 1e5;

}  // namespace

LoadLedger::LoadLedger(const std::vector<double>& powers) : entries_(powers.size()) {
  for (std::size_t i = 0; i < powers.size(); ++i) entries_[i].power = powers[i];
}

LoadLedger::Claim::Claim(std::atomic<std::uint32_t>* count, std::atomic<std::int64_t>* nanoseconds,
                         std::int64_t sum)
    : count_(count), nanoseconds_(nanoseconds), sum_(sum) {
  count_->fetch_add(1, std::memory_order_relaxed);
  if (nanoseconds_ != nullptr) nanoseconds_->fetch_add(sum_, std::memory_order_relaxed);
}

void LoadLedger::Claim::Release() {
  if (count_ == nullptr) return;
  count_->fetch_sub(1, std::memory_order_relaxed);
  if (nanoseconds_ != nullptr) nanoseconds_->fetch_sub(sum_, std::memory_order_relaxed);
  count_ = nullptr;
}

LoadLedger::Claim LoadLedger::AddEvent(std::size_t device, int urgency, double seconds) {
  const auto column = static_cast<std::size_t>(std::clamp(urgency, 1, kDeadlineUrgency));
  const double expected = seconds > 0 ? std::min(seconds, kMostSeconds) : kUsualSeconds;
  Entry& entry = entries_[device];
  return Claim(&entry.events[column], &entry.nanoseconds,
               static_cast<std::int64_t>(expected * 1e9));
}

LoadLedger::Claim LoadLedger::AddResident(std::size_t device) {
  return Claim(&entries_[device].residents);
}

std::optional<std::size_t> LoadLedger::ChooseDevice(absl::FunctionRef<bool(std::size_t)> is_lost,
                                                    int urgency) const {
  absl::InlinedVector<DeviceLoad, 8> loads;
  for (const Entry& entry : entries_) loads.push_back(LoadOf(entry));
  for (std::size_t i = 0; i < loads.size(); ++i) loads[i].lost = is_lost(i);
  return dispatch::ChooseDevice(loads, urgency);
}

std::uint32_t LoadLedger::Residents(std::size_t device) const {
  return entries_[device].residents.load(std::memory_order_relaxed);
}

DeviceLoad LoadLedger::LoadOf(const Entry& entry) {
  DeviceLoad load;
  for (int urgency = 1; urgency <= kDeadlineUrgency; ++urgency) {
    const std::uint32_t events =
        entry.events[static_cast<std::size_t>(urgency)].load(std::memory_order_relaxed);
    load.events += events;
    if (events > 0) load.urgency = urgency;
  }
  load.residents = entry.residents.load(std::memory_order_relaxed);
  load.seconds_left = static_cast<double>(entry.nanoseconds.load(std::memory_order_relaxed)) * 1e-9;
  load.power = entry.power;
  return load;
}

}  // namespace warpyard::dispatch
