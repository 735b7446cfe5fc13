// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A carrier is a thread that several jobs share. Its loop goes on with the jobs that it has
// started.
#ifndef WARPYARD_CORE_DISPATCH_JOB_LOOP_H_
#define WARPYARD_CORE_DISPATCH_JOB_LOOP_H_

#include <cstddef>
#include <cstdint>

namespace warpyard::dispatch {

/// The jobs of a carrier that wait for the end of an event. @scope the carrier
class JobLoop {
 public:
  virtual ~JobLoop() = default;

  /// Starts the events of jobs that wait for one, and goes on with each job whose event has ended.
  /// Returns whether there was one.
  virtual bool Poll() = 0;

  /// How many more jobs it would start soon. Other jobs had better stay where they are ordered by
  /// their deadlines, and where another carrier finds them. Jobs without a deadline take no room
  /// from those with one.
  virtual std::size_t Room(bool has_deadline) const = 0;

  /// How many events have ended. The jobs of an event end at the same number.
  virtual std::uint64_t Ends() const = 0;

  /// Jobs that wait.
  virtual std::size_t Waiting() const = 0;

  /// Whether the end of an event rings the carrier's bell. If not, the carrier polls.
  virtual bool RingsBell() const = 0;
};

}  // namespace warpyard::dispatch

#endif  // WARPYARD_CORE_DISPATCH_JOB_LOOP_H_
