// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Clients whose completions send the next job.
#ifndef WARPYARD_BENCHMARKS_SUPPORT_CLOSED_LOOP_H_
#define WARPYARD_BENCHMARKS_SUPPORT_CLOSED_LOOP_H_

#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "benchmarks/support/engine_runs.h"

namespace warpyard::collision_bench {

/// Lets clients send jobs for a time, and waits for their last ones. Returns how long all of it
/// took. Ends the process if jobs do not end.
/// @shape Client: with Start, Stop, which return at once, and Runs
template <class Client>
absl::Duration RunClosedLoop(const std::vector<std::unique_ptr<Client>>& clients,
                             absl::Duration time) {
  constexpr absl::Duration kMostPatience = absl::Minutes(2);
  const absl::Time begin = absl::Now();
  for (const auto& client : clients) client->Start();
  absl::SleepFor(time);
  for (const auto& client : clients) client->Stop();
  const absl::Time limit = absl::Now() + kMostPatience;
  for (const auto& client : clients) {
    while (client->Runs()) {
      if (absl::Now() > limit) ExitIfError(absl::DeadlineExceededError("jobs do not end"));
      absl::SleepFor(absl::Microseconds(50));
    }
  }
  return absl::Now() - begin;
}

}  // namespace warpyard::collision_bench

#endif  // WARPYARD_BENCHMARKS_SUPPORT_CLOSED_LOOP_H_
