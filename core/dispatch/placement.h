// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// First tier of scheduling: chooses the device of an event that could run on any. [Steinberger
// §3.4.1]
#ifndef WARPYARD_CORE_DISPATCH_PLACEMENT_H_
#define WARPYARD_CORE_DISPATCH_PLACEMENT_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace warpyard::dispatch {

/// Urgency of an event for the first tier. 1 to 4 are the priorities; 5 is a deadline, because
/// events with a deadline run first.
inline constexpr int kDeadlineUrgency = 5;

/// What placement knows of a device.
struct DeviceLoad {
  std::uint32_t events = 0;     ///< events that run or wait there
  std::uint32_t residents = 0;  ///< residents that live there: their jobs will come
  double seconds_left = 0;      ///< expected time until all events there are done
  int urgency = 0;              ///< the highest of these events; 0: there is none
  double power = 1;             ///< relative to the other devices; positive
  bool lost = false;
};

/// How well a device that has events suits an event of this urgency: the highest score wins.
///
/// Deviates from [Steinberger §3.4.1] in three points. The first factor of the thesis, min(n, N/G)
/// / max(n, N/G), is greatest for a device with the mean number of events, although the text wants
/// the device with the fewest; here the factor is (N/G) / n. Residents count as events, because all
/// steps of a resident run where it lives. The time left is divided by the device's power, as
/// devices may differ.
/// @shape `device`: index of one that is not lost and has events
double Score(std::span<const DeviceLoad> devices, std::size_t device, int urgency);

/// The device for an event of this urgency. If there are devices without events, it is the one with
/// the most power for each resident, counting the new one. Otherwise it is the device with the
/// highest score. Among equals it is the first. A lost device is never chosen; returns nothing if
/// all are lost.
std::optional<std::size_t> ChooseDevice(std::span<const DeviceLoad> devices, int urgency);

}  // namespace warpyard::dispatch

#endif  // WARPYARD_CORE_DISPATCH_PLACEMENT_H_
