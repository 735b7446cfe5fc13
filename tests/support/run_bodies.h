// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Two ways to run functions at the same time: on threads, or in the interleaving of a seed.
#ifndef WARPYARD_TESTS_SUPPORT_RUN_BODIES_H_
#define WARPYARD_TESTS_SUPPORT_RUN_BODIES_H_

#include <cstdint>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/scheduled_scope.h"

namespace warpyard::test_support {

using Bodies = std::vector<std::function<void()>>;

/// Runs every body on a thread of its own. Always returns an empty string: threads cannot tell why
/// one is stuck.
inline std::string RunOnThreads(const Bodies& bodies) {
  std::vector<std::thread> threads;
  for (const std::function<void()>& body : bodies) threads.emplace_back(body);
  for (std::thread& thread : threads) thread.join();
  return "";
}

/// Runs every body in the interleaving of a seed. Returns why they did not end; empty when they
/// did.
inline std::string RunInSchedule(std::uint64_t seed, const Bodies& bodies) {
  Schedule schedule(seed);
  for (const std::function<void()>& body : bodies) schedule.Add(body);
  return schedule.Run();
}

}  // namespace warpyard::test_support

#endif  // WARPYARD_TESTS_SUPPORT_RUN_BODIES_H_
