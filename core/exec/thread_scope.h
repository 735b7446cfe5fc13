// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// ExecScope of a CPU worker: a block of one thread.
#ifndef WARPYARD_CORE_EXEC_THREAD_SCOPE_H_
#define WARPYARD_CORE_EXEC_THREAD_SCOPE_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <utility>

#include "core/exec/atomic_ref.h"
#include "core/exec/bounded_wait.h"
#include "core/exec/one_thread.h"
#include "core/exec/packed_slot.h"
#include "core/exec/scope.h"

namespace warpyard::exec {

class ThreadScope : public OneThread, public SlotsByWord<ThreadScope> {
 public:
  using OneThread::OneThread;

  /// Space between words that many threads contend for: a pair of cache lines, which the prefetcher
  /// treats as one.
  static constexpr std::size_t kContendedBytes = 128;

  template <class T>
  static AtomicRef<T, cuda::thread_scope_system> Word(T& word) {
    return AtomicRef<T, cuda::thread_scope_system>(word);
  }

  /// A word that only one worker touches: a block of one thread needs no atomics.
  template <class T>
  class PlainRef {
   public:
    explicit PlainRef(T& word) : word_(word) {}
    T LoadRelaxed() const { return word_; }
    T LoadAcquire() const { return word_; }
    void StoreRelaxed(T value) const { word_ = value; }
    void StoreRelease(T value) const { word_ = value; }
    T FetchAddRelaxed(T value) const {
      const T old = word_;
      word_ = static_cast<T>(old + value);
      return old;
    }
    T FetchAddAcqRel(T value) const { return FetchAddRelaxed(value); }
    T FetchSubAcqRel(T value) const { return FetchAddRelaxed(static_cast<T>(T{0} - value)); }
    T FetchAndRelaxed(T value) const { return std::exchange(word_, static_cast<T>(word_ & value)); }
    T FetchMinRelaxed(T value) const {
      const T old = word_;
      word_ = value < old ? value : old;
      return old;
    }
    T FetchMaxRelaxed(T value) const {
      const T old = word_;
      word_ = old < value ? value : old;
      return old;
    }
    T ExchangeRelaxed(T value) const { return std::exchange(word_, value); }
    T ExchangeAcqRel(T value) const { return std::exchange(word_, value); }

   private:
    T& word_;
  };
  template <class T>
  static PlainRef<T> BlockWord(T& word) {
    return PlainRef<T>(word);
  }

  static std::uint32_t CountUp(std::uint32_t& word) { return word++; }

  template <class T>
  static T& Near(T& object) {
    return object;
  }

  template <class Ready>
  static bool Wait(const char* reason, Ready ready) {
    const bool is_ready = WaitWithBound<ThreadScope>(ready);
    if (!is_ready) StuckReasonWord() = reason;
    return is_ready;
  }

  /// The reason of the last wait of this thread that timed out.
  static const char* StuckReason() { return StuckReasonWord(); }

  /// Yields the core after few rounds, because the awaited thread may need it.
  static void Pause(std::uint32_t round) {
    if (round < 16) {
      std::this_thread::yield();
    } else {
      std::this_thread::sleep_for(std::chrono::microseconds(round < 64 ? 20 : 100));
    }
  }

  static std::uint64_t NowNs() {
    return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(
                                          std::chrono::steady_clock::now().time_since_epoch())
                                          .count());
  }
  static std::uint64_t WaitLimitNs() { return 10'000'000'000; }
  static std::uint64_t Cycles() { return NowNs(); }

 private:
  static const char*& StuckReasonWord() {
    thread_local const char* reason = "none";
    return reason;
  }
};

static_assert(LaneScope<ThreadScope>);

}  // namespace warpyard::exec

#endif  // WARPYARD_CORE_EXEC_THREAD_SCOPE_H_
