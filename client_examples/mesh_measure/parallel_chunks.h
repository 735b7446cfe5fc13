// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Work in chunks of a fixed size on several threads. Chunks do not depend on the number of threads;
// so sums by chunk, added in the order of chunks, are the same on every machine.
#ifndef WARPYARD_CLIENT_EXAMPLES_MESH_MEASURE_PARALLEL_CHUNKS_H_
#define WARPYARD_CLIENT_EXAMPLES_MESH_MEASURE_PARALLEL_CHUNKS_H_

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <functional>
#include <thread>
#include <vector>

namespace warpyard::mesh_measure {

inline constexpr std::size_t kChunk = 4096;

inline std::size_t Chunks(std::size_t count) { return (count + kChunk - 1) / kChunk; }

/// Calls body(chunk, begin, end) once for each chunk of [0, count), from several threads.
/// @shape threads: 0 for all of the machine
inline void ForEachChunk(
    std::size_t count, unsigned threads,
    const std::function<void(std::size_t chunk, std::size_t begin, std::size_t end)>& body) {
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t chunk = next++; chunk < Chunks(count); chunk = next++) {
      body(chunk, chunk * kChunk, std::min(count, (chunk + 1) * kChunk));
    }
  };
  if (threads == 0) threads = std::max(1u, std::thread::hardware_concurrency());
  std::vector<std::thread> helpers;
  for (std::size_t i = 1; i < std::min<std::size_t>(threads, Chunks(count)); ++i) {
    helpers.emplace_back(work);
  }
  work();
  for (std::thread& helper : helpers) helper.join();
}

}  // namespace warpyard::mesh_measure

#endif  // WARPYARD_CLIENT_EXAMPLES_MESH_MEASURE_PARALLEL_CHUNKS_H_
