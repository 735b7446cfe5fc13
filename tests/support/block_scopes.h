// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// ExecScopes of a block of several threads: CPU threads, or functions of a Schedule.
//
// They are for code that the threads of a block run together. A CPU backend has no such scope,
// because a CPU worker is a block of one thread.
#ifndef WARPYARD_TESTS_SUPPORT_BLOCK_SCOPES_H_
#define WARPYARD_TESTS_SUPPORT_BLOCK_SCOPES_H_

#include <barrier>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "core/exec/scope.h"
#include "core/exec/thread_scope.h"
#include "tests/support/scheduled_scope.h"

namespace warpyard::test_support {

/// What the threads of a block share beside their barrier.
struct BlockMemory {
  std::uint64_t mailbox[2] = {0, 0};
  std::uint32_t votes = 0;
};

/// Any and Broadcast by a barrier. @shape Derived: with Rank, Barrier, Word and memory()
template <class Derived>
class ByBarrier {
 public:
  bool Any(bool value) {
    std::uint32_t& votes = self().memory().votes;
    if (value) Derived::Word(votes).FetchAddRelaxed(1);
    self().Barrier();
    const bool any = Derived::Word(votes).LoadRelaxed() > 0;
    self().Barrier();
    if (self().Rank() == 0) Derived::Word(votes).StoreRelaxed(0);
    self().Barrier();
    return any;
  }
  template <class T>
  T Broadcast(T value) {
    static_assert(sizeof(T) <= sizeof(BlockMemory::mailbox));
    if (self().Rank() == 0) std::memcpy(self().memory().mailbox, &value, sizeof(T));
    self().Barrier();
    T result;
    std::memcpy(&result, self().memory().mailbox, sizeof(T));
    self().Barrier();
    return result;
  }

 private:
  Derived& self() { return static_cast<Derived&>(*this); }
};

/// A block of CPU threads.
class ThreadBlock : public BlockMemory {
 public:
  explicit ThreadBlock(std::uint32_t size) : size_(size), barrier_(size) {}
  std::uint32_t size() const { return size_; }
  void Barrier() { barrier_.arrive_and_wait(); }

 private:
  std::uint32_t size_;
  std::barrier<> barrier_;
};

class ThreadBlockScope : public exec::ThreadScope, public ByBarrier<ThreadBlockScope> {
 public:
  using Block = ThreadBlock;
  ThreadBlockScope(Block& block, std::uint32_t rank)
      : ThreadScope(nullptr), block_(block), rank_(rank) {}

  template <class T>
  static auto BlockWord(T& word) {
    return Word(word);
  }
  static std::uint32_t CountUp(std::uint32_t& word) { return BlockWord(word).FetchAddRelaxed(1); }
  std::uint32_t Rank() const { return rank_; }
  std::uint32_t Size() const { return block_.size(); }
  void Barrier() { block_.Barrier(); }
  using ByBarrier<ThreadBlockScope>::Any;
  using ByBarrier<ThreadBlockScope>::Broadcast;
  BlockMemory& memory() { return block_; }

 private:
  Block& block_;
  std::uint32_t rank_;
};

static_assert(exec::ExecScope<ThreadBlockScope>);

/// A block of functions of a Schedule.
class ScheduledBlock : public BlockMemory {
 public:
  explicit ScheduledBlock(std::uint32_t size) : size_(size) {}
  std::uint32_t size() const { return size_; }
  void Barrier() {
    Schedule::Step();
    const std::uint32_t phase = phase_;
    if (++arrived_ == size_) {
      arrived_ = 0;
      ++phase_;
    }
    ScheduledScope::Wait("at a barrier", [&] { return phase_ != phase; });
    Schedule::Step();
  }

 private:
  std::uint32_t size_;
  std::uint32_t arrived_ = 0;
  std::uint32_t phase_ = 0;
};

class ScheduledBlockScope : public ScheduledScope, public ByBarrier<ScheduledBlockScope> {
 public:
  using Block = ScheduledBlock;
  /// @shape `skipped`: which of every three barriers is left out; 3: none
  ScheduledBlockScope(Block& block, std::uint32_t rank, std::uint32_t skipped = 3)
      : ScheduledScope(nullptr), block_(block), rank_(rank), skipped_(skipped) {}

  std::uint32_t Rank() const { return rank_; }
  std::uint32_t Size() const { return block_.size(); }
  void Barrier() {
    if (barriers_++ % 3 != skipped_) block_.Barrier();
  }
  using ByBarrier<ScheduledBlockScope>::Any;
  using ByBarrier<ScheduledBlockScope>::Broadcast;
  BlockMemory& memory() { return block_; }

 private:
  Block& block_;
  std::uint32_t rank_;
  std::uint32_t skipped_;
  std::uint32_t barriers_ = 0;
};

static_assert(exec::ExecScope<ScheduledBlockScope>);

}  // namespace warpyard::test_support

#endif  // WARPYARD_TESTS_SUPPORT_BLOCK_SCOPES_H_
