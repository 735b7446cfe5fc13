// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// First tier of scheduling: which device gets an event that could run on any. [Steinberger §3.4.1]
#ifndef WARPYARD_CORE_DISPATCH_PLACEMENT_H_
#define WARPYARD_CORE_DISPATCH_PLACEMENT_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace warpyard::dispatch {

/// Urgency of an event for the first tier: 1 to 4 are the priorities, 5 is a deadline, as events
/// that have one run first.
inline constexpr int kDeadlineUrgency = 5;

/// What is known of a device.
struct DeviceLoad {
  std::uint32_t events = 0;     ///< that run or wait there
  std::uint32_t residents = 0;  ///< that live there: events will come for them
  double seconds_left = 0;      ///< until all events there are done, about
  int urgency = 0;              ///< the highest of these events; 0: there is none
  double power = 1;             ///< relative to the other devices; positive
  bool lost = false;
};

/// How much a device that has events suits an event of this urgency: the highest score wins.
///
/// Deviates from [Steinberger §3.4.1]: its first factor, min(n, N/G) / max(n, N/G), is greatest
/// for a device with the mean number of events, though the text wants the one with the fewest. Here
/// it is (N/G) / n. Residents count as events, because all steps of a resident run where it lives;
/// and the time left is taken per power, as devices may differ.
/// @shape `device`: index of one that is not lost and has events
double Score(std::span<const DeviceLoad> devices, std::size_t device, int urgency);

/// The device for an event of this urgency: one without events if there is any, and then the most
/// powerful for each resident that it would have; else the one with the highest score; the first of
/// equals. Never one that is lost; nothing if all are.
std::optional<std::size_t> ChooseDevice(std::span<const DeviceLoad> devices, int urgency);

}  // namespace warpyard::dispatch

#endif  // WARPYARD_CORE_DISPATCH_PLACEMENT_H_
