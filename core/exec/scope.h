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
// and `Size` place the calling thread in it. All threads of a block must make a call that is marked
// "the block calls".
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

/// The services of the machine that an algorithm may use.
///
/// Static members may be used by any thread at any time:
///   Word(word)            atomic access with the order in the name (see atomic_ref.h); on a device
///                         to a word in the memory of the device (placed_word.cuh)
///   LoadWords(words, out) LoadRelaxed of two or four words that lie together, aligned together
///   BlockWord(word)       as Word for a word in the block's memory: shared memory on a device
///   CountUp(word)         FetchAddRelaxed(1) of a BlockWord that all threads of the block count in
///   Wait(reason, ready)   spins with back-off until ready() holds; false when the bound is over,
///                         never unbounded. The reason is a literal that helps a person to act.
///   Pause(round)          back-off of an idle block, longer with each round
///   NowNs()               monotonic clock in nanoseconds
///   WaitLimitNs()         the bound of Wait
///   Cycles()              a fast clock for durations: cycles of the processor, or nanoseconds
///   Near(object)          the object, which lies in the block's memory. In a function that is not
///                         inlined, this tells the compiler of a device that it is shared memory.
///   kContendedBytes       space between words that many threads contend for
///   OrderBeforePut(), OrderAfterGet()   see below
/// Members of the instance speak for the block:
///   Rank(), Size(), Barrier(), Any(bool) [the block calls], Broadcast(value) [the block calls: the
///   value of rank 0], Shared() [kSharedBytes of memory that the block owns, 16-byte aligned]
///
/// The order of a payload. An element may stand for other memory, which was written with plain
/// stores. The thread that puts the element in a queue calls OrderBeforePut after these stores and
/// before the put; the thread that gets it calls OrderAfterGet after the get and before the first
/// load. Other threads of the block may do the stores and the loads, with a barrier between them
/// and the call. Each thread that puts or gets calls for itself. A thread that passes the memory on
/// for another to write does the same.
///   On a device the calls are fences (fence.acq_rel.gpu), since slots are relaxed accesses there.
///   On a host they do nothing: the word-by-word slots (packed_slot.h) are published with a release
/// and read with an acquire, which order all other memory too. So g++ and ThreadSanitizer, which do
/// not understand stand-alone fences, see none (docs/adr/0002).
template <class S>
concept ExecScope = requires(S& scope, std::uint32_t& word, std::uint64_t& wide, bool flag) {
  { S::Word(word).LoadAcquire() } -> std::same_as<std::uint32_t>;
  { S::Word(wide).FetchAddRelaxed(std::uint64_t{1}) } -> std::same_as<std::uint64_t>;
  { S::BlockWord(word).FetchAddRelaxed(std::uint32_t{1}) } -> std::same_as<std::uint32_t>;
  { S::CountUp(word) } -> std::same_as<std::uint32_t>;
  { S::Wait("reason", ReadyNow{}) } -> std::same_as<bool>;
  {S::Pause(word)};
  { S::NowNs() } -> std::same_as<std::uint64_t>;
  { S::WaitLimitNs() } -> std::same_as<std::uint64_t>;
  { S::Cycles() } -> std::same_as<std::uint64_t>;
  {std::size_t{S::kContendedBytes}};
  {S::OrderBeforePut()};
  {S::OrderAfterGet()};
  { scope.Rank() } -> std::same_as<std::uint32_t>;
  { scope.Size() } -> std::same_as<std::uint32_t>;
  {scope.Barrier()};
  { scope.Any(flag) } -> std::same_as<bool>;
  { scope.Broadcast(wide) } -> std::same_as<std::uint64_t>;
  { scope.Shared() } -> std::same_as<std::byte*>;
};

/// A group of at most 32 threads that run in step: a warp, or a CPU worker. All of its threads call
/// each of these functions together:
///   Ballot(flag)               a bit for each thread whose flag is set
///   Min(value)                 the least value
///   BroadcastFrom(value, rank) the value of the thread `rank`; threads may ask for different ranks
template <class S>
concept LaneScope = ExecScope<S> && requires(S& scope, std::uint32_t word, bool flag) {
  { scope.Ballot(flag) } -> std::same_as<std::uint32_t>;
  { scope.Min(word) } -> std::same_as<std::uint32_t>;
  { scope.BroadcastFrom(word, word) } -> std::same_as<std::uint32_t>;
};

/// The type S::Thread, if S names one, else S. A function that one thread executes alone takes this
/// type as its scope. So the function is compiled once, and not for each kind of group.
template <class S>
struct ThreadOfScope {
  using Type = S;
};
template <class S>
requires requires { typename S::Thread; }
struct ThreadOfScope<S> {
  using Type = typename S::Thread;
};
template <class S>
using ThreadOf = typename ThreadOfScope<S>::Type;

}  // namespace warpyard::exec

#endif  // WARPYARD_CORE_EXEC_SCOPE_H_
