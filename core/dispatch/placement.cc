// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/dispatch/placement.h"

#include <algorithm>

namespace warpyard::dispatch {
namespace {

/// The least time left of a device with events, so that it never counts as idle.
constexpr double kLeastSeconds = 1e-6;

double EventsOf(const DeviceLoad& device) {
  return static_cast<double>(device.events) + static_cast<double>(device.residents);
}

double TimeOf(const DeviceLoad& device) {
  return std::max(device.seconds_left, kLeastSeconds) / device.power;
}

}  // namespace

double Score(std::span<const DeviceLoad> devices, std::size_t device, int urgency) {
  double all = 0, events = 0, seconds = 0;
  for (const DeviceLoad& other : devices) {
    if (other.lost) continue;
    all += 1;
    events += EventsOf(other);
    seconds += TimeOf(other);
  }
  const DeviceLoad& own = devices[device];
  return (events / all) / EventsOf(own) * (seconds / all) / TimeOf(own) *
         static_cast<double>(urgency) / static_cast<double>(own.urgency);
}

std::optional<std::size_t> ChooseDevice(std::span<const DeviceLoad> devices, int urgency) {
  std::optional<std::size_t> best;
  bool best_idle = false;
  double best_score = 0;
  for (std::size_t i = 0; i < devices.size(); ++i) {
    const DeviceLoad& device = devices[i];
    if (device.lost) continue;
    const bool idle = device.events == 0;
    const double score = idle ? device.power / (static_cast<double>(device.residents) + 1)
                              : Score(devices, i, urgency);
    const bool better = idle != best_idle ? idle : score > best_score;
    if (best && !better) continue;
    best = i;
    best_idle = idle;
    best_score = score;
  }
  return best;
}

}  // namespace warpyard::dispatch
