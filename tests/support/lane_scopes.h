// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A group of several threads in step, as functions of a Schedule: it corresponds to a warp on a
// device.
#ifndef WARPYARD_TESTS_SUPPORT_LANE_SCOPES_H_
#define WARPYARD_TESTS_SUPPORT_LANE_SCOPES_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>

#include "core/exec/scope.h"
#include "tests/support/block_scopes.h"
#include "tests/support/run_bodies.h"

namespace warpyard::test_support {

/// Values that the threads of a group exchange.
struct LaneMailboxes {
  static constexpr std::uint32_t kMostLanes = 32;
  explicit LaneMailboxes(std::uint32_t size) : block(size) {}

  std::uint32_t size() const { return block.size(); }
  void Barrier(std::uint32_t) { block.Barrier(); }

  ScheduledBlock block;
  std::array<std::array<std::uint64_t, 4>, kMostLanes> words{};
};

/// A thread of a group. @shape Boxes: size(), Barrier(rank), and `words` like LaneMailboxes
template <class Boxes>
class LaneScopeOn : public ScheduledScope {
 public:
  /// @shape `shared`: as for ThreadScope, the same for all threads of the group
  LaneScopeOn(Boxes& boxes, std::uint32_t rank, std::byte* shared = nullptr)
      : ScheduledScope(shared), boxes_(boxes), rank_(rank) {}

  std::uint32_t Rank() const { return rank_; }
  std::uint32_t Size() const { return boxes_.size(); }
  void Barrier() { boxes_.Barrier(rank_); }

  std::uint32_t Ballot(bool value) {
    std::uint32_t lanes = 0;
    ForEachLane(value, [&](std::uint32_t lane, bool other) { lanes |= other ? 1u << lane : 0; });
    return lanes;
  }
  bool Any(bool value) { return Ballot(value) != 0; }
  std::uint32_t Min(std::uint32_t value) {
    std::uint32_t least = value;
    ForEachLane(value,
                [&](std::uint32_t, std::uint32_t other) { least = other < least ? other : least; });
    return least;
  }
  template <class T>
  T BroadcastFrom(T value, std::uint32_t rank) {
    T result{};
    ForEachLane(value, [&](std::uint32_t lane, const T& other) {
      if (lane == rank % Size()) result = other;
    });
    return result;
  }
  template <class T>
  T Broadcast(T value) {
    return BroadcastFrom(value, 0);
  }

 private:
  template <class T, class Visit>
  void ForEachLane(const T& value, Visit visit) {
    static_assert(sizeof(T) <= sizeof boxes_.words[0]);
    std::memcpy(boxes_.words[rank_].data(), &value, sizeof(T));
    Barrier();
    for (std::uint32_t lane = 0; lane < Size(); ++lane) {
      T other;
      std::memcpy(&other, boxes_.words[lane].data(), sizeof(T));
      visit(lane, other);
    }
    Barrier();
  }

  Boxes& boxes_;
  std::uint32_t rank_;
};

using ScheduledLaneScope = LaneScopeOn<LaneMailboxes>;
static_assert(exec::LaneScope<ScheduledLaneScope>);

/// Calls `body` with each thread of a group. Returns why they did not end; empty when they did.
inline std::string RunLanes(std::uint32_t size,
                            const std::function<void(ScheduledLaneScope&)>& body,
                            std::byte* shared = nullptr) {
  LaneMailboxes boxes(size);
  Bodies bodies;
  for (std::uint32_t rank = 0; rank < size; ++rank) {
    bodies.emplace_back([&, rank] {
      ScheduledLaneScope lane(boxes, rank, shared);
      body(lane);
    });
  }
  return RunInSchedule(1, bodies);
}

}  // namespace warpyard::test_support

#endif  // WARPYARD_TESTS_SUPPORT_LANE_SCOPES_H_
