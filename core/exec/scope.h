// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The seam between algorithms and the machine that runs them.
//
// Every queue, the worker loop and every procedure is a template over an ExecScope and uses nothing
// else of the machine: no threadIdx, no __shfl, no std::atomic. Three scopes exist:
//   DeviceScope     (device_scope.cuh)   a CUDA thread within its block
//   ThreadScope     (thread_scope.h)     a CPU worker: a block of one thread
//   ScheduledScope  (tests/support)      a thread whose every atomic is a seeded switching point
//
// Vocabulary: a *block* is the group of threads that draws and executes elements together. `Rank`
// and `Size` place the calling thread in it; what "the block calls" must be called by all its
// threads.
#ifndef WARPYARD_CORE_EXEC_SCOPE_H_
#define WARPYARD_CORE_EXEC_SCOPE_H_

#include <concepts>
#include <cstddef>
#include <cstdint>

namespace warpyard::exec {

/// A condition that is true from the start; stands in for any callable in the concept below.
struct ReadyNow {
  constexpr bool operator()() const { return true; }
};

/// What an algorithm may ask of the machine.
///
/// Static members may be used by any thread at any time:
///   Word(word)            atomic access with the order in the name (see atomic_ref.h)
///   BlockWord(word)       the same for a word that only one block touches
///   Wait(reason, ready)   spins with back-off until ready() holds; false when the bound is over.
///   The
///                         reason is a string literal that a person can act on. Never unbounded.
///   Pause(round)          back-off of an idle block, longer with each round
///   NowNs()               monotonic clock in nanoseconds
///   WaitLimitNs()         the bound of Wait
///   kContendedBytes       space between words that many threads contend for
/// Members of the instance speak for the block:
///   Rank(), Size(), Barrier(), Any(bool) [the block calls], Broadcast(value) [the block calls: the
///   value of rank 0], Shared() [kSharedBytes of memory that the block owns, 16-byte aligned]
template <class S>
concept ExecScope = requires(S& scope, std::uint32_t& word, std::uint64_t& wide, bool flag) {
  { S::Word(word).LoadAcquire() } -> std::same_as<std::uint32_t>;
  { S::Word(wide).FetchAddRelaxed(std::uint64_t{1}) } -> std::same_as<std::uint64_t>;
  { S::BlockWord(word).FetchAddRelaxed(std::uint32_t{1}) } -> std::same_as<std::uint32_t>;
  { S::Wait("reason", ReadyNow{}) } -> std::same_as<bool>;
  {S::Pause(word)};
  { S::NowNs() } -> std::same_as<std::uint64_t>;
  { S::WaitLimitNs() } -> std::same_as<std::uint64_t>;
  {std::size_t{S::kContendedBytes}};
  { scope.Rank() } -> std::same_as<std::uint32_t>;
  { scope.Size() } -> std::same_as<std::uint32_t>;
  {scope.Barrier()};
  { scope.Any(flag) } -> std::same_as<bool>;
  { scope.Broadcast(wide) } -> std::same_as<std::uint64_t>;
  { scope.Shared() } -> std::same_as<std::byte*>;
};

}  // namespace warpyard::exec

#endif  // WARPYARD_CORE_EXEC_SCOPE_H_
