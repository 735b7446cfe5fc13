// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Work of the host on many instances, on several threads.
#ifndef WARPYARD_CORE_WORKLOAD_GRAMMAR_DERIVATION_HOST_THREADS_H_
#define WARPYARD_CORE_WORKLOAD_GRAMMAR_DERIVATION_HOST_THREADS_H_

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <system_error>
#include <thread>
#include <vector>

namespace warpyard::grammar {

/// How many threads so many instances are worth: at least 1.
inline std::size_t HostThreadsFor(std::size_t instances) {
  constexpr std::size_t kMostThreads = 8;
  constexpr std::size_t kInstancesOfThread = std::size_t{1} << 15;  // worth the start of a thread
  const std::size_t cores = std::max(1u, std::thread::hardware_concurrency());
  return std::max(std::size_t{1}, std::min({kMostThreads, cores, instances / kInstancesOfThread}));
}

/// Calls work(part) once for each part below `parts`, on so many threads. `work` must not throw: an
/// exception in a thread ends the process. So the caller allocates beforehand what `work` needs.
template <class Work>
void ForEachPart(std::size_t parts, std::size_t threads, const Work& work) {
  std::atomic<std::size_t> next{0};
  const auto run = [&] {
    for (std::size_t part = 0; (part = next.fetch_add(1)) < parts;) work(part);
  };
  std::vector<std::jthread> helpers;
  try {
    while (helpers.size() + 1 < std::min(threads, parts)) helpers.emplace_back(run);
  } catch (const std::system_error&) {
    // The process has no more threads: the others do all.
  }
  run();
}

}  // namespace warpyard::grammar

#endif  // WARPYARD_CORE_WORKLOAD_GRAMMAR_DERIVATION_HOST_THREADS_H_
