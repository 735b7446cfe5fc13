// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The group members of a scope whose block is one thread.
#ifndef WARPYARD_CORE_EXEC_ONE_THREAD_H_
#define WARPYARD_CORE_EXEC_ONE_THREAD_H_

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace warpyard::exec {

/// Base of a LaneScope; the derived scope adds the static members.
class OneThread {
 public:
  /// @shape `shared`: the thread's scratch memory, 16-byte aligned, at least kSharedBytes of the
  ///     program that runs
  explicit OneThread(std::byte* shared) : shared_(shared) {}

  std::uint32_t Rank() const { return 0; }
  std::uint32_t Size() const { return 1; }
  void Barrier() const {}
  bool Any(bool value) const { return value; }
  template <class T>
  T Broadcast(T value) const {
    return value;
  }
  std::byte* Shared() const { return shared_; }

  std::uint32_t Ballot(bool value) const { return value ? 1 : 0; }
  std::uint32_t Min(std::uint32_t value) const { return value; }
  template <class T>
  T BroadcastFrom(T value, std::uint32_t) const {
    return value;
  }

 private:
  std::byte* shared_;
};

/// Whether a group is always one thread.
template <class Group>
inline constexpr bool kIsOneThread = std::is_base_of_v<OneThread, Group>;

}  // namespace warpyard::exec

#endif  // WARPYARD_CORE_EXEC_ONE_THREAD_H_
