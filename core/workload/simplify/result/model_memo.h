// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// What a model remembers of its results, so that equal and similar ones take fewer events. Results
// are the same without it.
#ifndef WARPYARD_CORE_WORKLOAD_SIMPLIFY_RESULT_MODEL_MEMO_H_
#define WARPYARD_CORE_WORKLOAD_SIMPLIFY_RESULT_MODEL_MEMO_H_

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "core/workload/simplify/result/room_hints.h"
#include "core/workload/simplify/simplify_types.h"

namespace warpyard::simplify {

/// How many triangles a cut had to ask for, before some cancelled, to get a number of them: a
/// search finds that in several events. Thread-safe.
class RankMemo {
 public:
  /// @shape triangles: at least 1
  std::optional<std::uint32_t> Find(std::uint32_t triangles) const {
    const std::uint64_t entry = EntryOf(triangles).load(std::memory_order_relaxed);
    if (static_cast<std::uint32_t>(entry) != triangles) return std::nullopt;
    return static_cast<std::uint32_t>(entry >> 32);
  }
  void Keep(std::uint32_t triangles, std::uint32_t asked) {
    EntryOf(triangles).store(std::uint64_t{asked} << 32 | triangles, std::memory_order_relaxed);
  }

 private:
  using Entry = std::atomic<std::uint64_t>;
  static constexpr std::size_t kEntries = 256;

  const Entry& EntryOf(std::uint32_t triangles) const { return entries_[triangles % kEntries]; }
  Entry& EntryOf(std::uint32_t triangles) { return entries_[triangles % kEntries]; }

  std::array<Entry, kEntries> entries_{};  // 0: free
};

/// The coarsest cut that is not empty: what views of nothing get, and very large errors.
/// Thread-safe.
class SmallestCut {
 public:
  /// Null: not known.
  std::shared_ptr<const SimplifiedMesh> Find() const {
    const std::lock_guard lock(mutex_);
    return mesh_;
  }
  /// Keeps a mesh with ids, if it is small. @shape mesh: in ordinary memory
  void Keep(std::shared_ptr<const SimplifiedMesh> mesh) {
    constexpr std::size_t kMostTriangles = 1024;
    if (mesh->triangles.size() > 3 * kMostTriangles) return;
    const std::lock_guard lock(mutex_);
    mesh_ = std::move(mesh);
  }

 private:
  mutable std::mutex mutex_;
  std::shared_ptr<const SimplifiedMesh> mesh_;
};

struct ModelMemo {
  RoomHints rooms;
  RankMemo ranks;
  SmallestCut smallest;
};

}  // namespace warpyard::simplify

#endif  // WARPYARD_CORE_WORKLOAD_SIMPLIFY_RESULT_MODEL_MEMO_H_
