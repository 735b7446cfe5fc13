// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/dispatch/load_ledger.h"

#include <algorithm>

#include "absl/container/inlined_vector.h"

namespace warpyard::dispatch {
namespace {

/// Assumed for an event whose time is not known.
constexpr double kUsualSeconds = 1e-3;

}  // namespace

LoadLedger::LoadLedger(const std::vector<double>& powers) : entries_(powers.size()) {
  for (std::size_t i = 0; i < powers.size(); ++i) entries_[i].power = powers[i];
}

LoadLedger::Claim LoadLedger::AddEvent(std::size_t device, int urgency, double seconds) {
  const auto column = static_cast<std::size_t>(std::clamp(urgency, 1, kDeadlineUrgency));
  const double expected = seconds > 0 ? seconds : kUsualSeconds;
  const std::lock_guard lock(mutex_);
  ++entries_[device].events[column];
  entries_[device].seconds += expected;
  return Claim(this, [device, column, expected](LoadLedger* ledger) {
    const std::lock_guard ledger_lock(ledger->mutex_);
    Entry& entry = ledger->entries_[device];
    --entry.events[column];
    // Rounding keeps such sums from returning to 0 exactly.
    entry.seconds = std::max(entry.seconds - expected, 0.0);
  });
}

LoadLedger::Claim LoadLedger::AddResident(std::size_t device) {
  const std::lock_guard lock(mutex_);
  ++entries_[device].residents;
  return Claim(this, [device](LoadLedger* ledger) {
    const std::lock_guard ledger_lock(ledger->mutex_);
    --ledger->entries_[device].residents;
  });
}

std::optional<std::size_t> LoadLedger::ChooseDevice(absl::FunctionRef<bool(std::size_t)> is_lost,
                                                    int urgency) const {
  absl::InlinedVector<DeviceLoad, 8> loads;
  {
    const std::lock_guard lock(mutex_);
    for (const Entry& entry : entries_) loads.push_back(LoadOf(entry));
  }
  for (std::size_t i = 0; i < loads.size(); ++i) loads[i].lost = is_lost(i);
  return dispatch::ChooseDevice(loads, urgency);
}

std::uint32_t LoadLedger::Residents(std::size_t device) const {
  const std::lock_guard lock(mutex_);
  return entries_[device].residents;
}

DeviceLoad LoadLedger::LoadOf(const Entry& entry) {
  DeviceLoad load;
  for (int urgency = 1; urgency <= kDeadlineUrgency; ++urgency) {
    const std::uint32_t events = entry.events[static_cast<std::size_t>(urgency)];
    load.events += events;
    if (events > 0) load.urgency = urgency;
  }
  load.residents = entry.residents;
  load.seconds_left = entry.seconds;
  load.power = entry.power;
  return load;
}

}  // namespace warpyard::dispatch
