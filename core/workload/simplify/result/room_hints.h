// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// What results of a model have needed, so that the next ones get room for as much.
#ifndef WARPYARD_CORE_WORKLOAD_SIMPLIFY_RESULT_ROOM_HINTS_H_
#define WARPYARD_CORE_WORKLOAD_SIMPLIFY_RESULT_ROOM_HINTS_H_

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace warpyard::simplify {

/// What a result needs room for. @shape triangles: before some cancel; 0: not known
struct ResultSize {
  std::uint32_t triangles = 0, vertices = 0;
};

/// Thread-safe. Results do not depend on hints, only whether an event has to run again.
class RoomHints {
 public:
  /// Kinds of goals; results of one kind should have about the same size.
  static constexpr std::size_t kKinds = 128;

  /// Enough for results of a kind that are not much larger than the latest ones.
  ResultSize Room(std::size_t kind) const {
    const ResultSize last = Unpacked(sizes_[kind % kKinds].load(std::memory_order_relaxed));
    if (last.triangles == 0) return last;
    return {Roomy(last.triangles), Roomy(last.vertices)};
  }

  /// A large result is forgotten slowly: too little room makes an event run twice.
  void Learn(std::size_t kind, const ResultSize& size) {
    std::atomic<std::uint64_t>& kept = sizes_[kind % kKinds];
    const std::uint64_t before = kept.load(std::memory_order_relaxed);
    const ResultSize last = Unpacked(before);
    const ResultSize next = {Slowly(last.triangles, size.triangles),
                             Slowly(last.vertices, size.vertices)};
    const std::uint64_t packed = std::uint64_t{next.triangles} << 32 | next.vertices;
    if (packed != before) kept.store(packed, std::memory_order_relaxed);
  }

 private:
  static ResultSize Unpacked(std::uint64_t packed) {
    return {static_cast<std::uint32_t>(packed >> 32), static_cast<std::uint32_t>(packed)};
  }
  static std::uint32_t Roomy(std::uint32_t count) { return count + count / 4 + 256; }
  static std::uint32_t Slowly(std::uint32_t last, std::uint32_t now) {
    return std::max(now, last - last / 16);
  }

  std::array<std::atomic<std::uint64_t>, kKinds> sizes_{};
};

}  // namespace warpyard::simplify

#endif  // WARPYARD_CORE_WORKLOAD_SIMPLIFY_RESULT_ROOM_HINTS_H_
