// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// ExecScope whose threads interleave as a seed determines.
//
// A Schedule runs functions on separate stacks within one thread. Exactly one function runs at a
// time. Before and after every atomic operation, and at every probe of a Wait, a seeded choice
// selects the function that continues. So the plain accesses between two atomic operations are a
// step of their own, and a seed that finds a fault finds it again. All interleavings are
// sequentially consistent: faults that need weaker memory orders are left to ThreadSanitizer and to
// the device.
#ifndef WARPYARD_TESTS_SUPPORT_SCHEDULED_SCOPE_H_
#define WARPYARD_TESTS_SUPPORT_SCHEDULED_SCOPE_H_

#include <ucontext.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "core/exec/one_thread.h"
#include "core/exec/packed_slot.h"
#include "core/exec/scope.h"

namespace warpyard::test_support {

/// @scope one thread; one schedule runs at a time
class Schedule {
 public:
  /// Number of steps after which a schedule fails, because it would never end.
  static constexpr std::uint64_t kMaxSteps = 200'000;
  /// Number of probes after which a Wait fails the schedule: by then all other functions have run
  /// as far as they can.
  static constexpr std::uint32_t kMaxProbes = 2'000;

  explicit Schedule(std::uint64_t seed) : random_(seed) {
    constexpr std::uint32_t kStays[] = {0, 4, 7};
    stay_ = kStays[Below(3)];
  }
  Schedule(const Schedule&) = delete;
  Schedule& operator=(const Schedule&) = delete;

  void Add(std::function<void()> body) {
    fibers_.push_back(std::make_unique<Fiber>());
    fibers_.back()->body = std::move(body);
  }

  /// Runs all functions to their ends. Returns why not; empty when all ended. Functions that did
  /// not end are abandoned: objects on their stacks are not destroyed.
  std::string Run() {
    for (const std::unique_ptr<Fiber>& fiber : fibers_) {
      getcontext(&fiber->context);
      fiber->context.uc_stack.ss_sp = fiber->stack.get();
      fiber->context.uc_stack.ss_size = kStackBytes;
      fiber->context.uc_link = nullptr;
      makecontext(&fiber->context, &Schedule::RunCurrentFiber, 0);
    }
    if (fibers_.empty()) return failure_;
    current_ = this;
    running_ = Choose();
    swapcontext(&main_, &fibers_[running_]->context);
    current_ = nullptr;
    return failure_;
  }

  /// A switching point of the running function; has no effect outside of a schedule.
  static void Step() {
    if (current_ != nullptr) current_->SwitchToAny();
  }

  /// True once in `n` times.
  static bool OnceIn(std::uint32_t n) { return current_ != nullptr && current_->Below(n) == 0; }

  /// Which function runs, by the order in which they were added.
  static std::size_t Running() { return current_ != nullptr ? current_->running_ : 0; }
  static std::uint64_t Steps() { return current_ != nullptr ? current_->steps_ : 0; }

  /// Ends the schedule; does not return to a function within it.
  static void Fail(const std::string& reason) {
    if (current_ != nullptr) current_->Abandon(reason);
  }

 private:
  static constexpr std::size_t kStackBytes = 96 * 1024;

  struct Fiber {
    ucontext_t context{};
    std::unique_ptr<std::byte[]> stack{new std::byte[kStackBytes]};
    std::function<void()> body;
    bool done = false;
    std::uint64_t asleep_until = 0;  ///< a long pause in the middle of an operation
  };

  std::uint32_t Below(std::uint32_t count) { return static_cast<std::uint32_t>(random_() % count); }

  static void RunCurrentFiber() {
    Schedule* const schedule = current_;
    Fiber& fiber = *schedule->fibers_[schedule->running_];
    fiber.body();
    fiber.done = true;
    schedule->SwitchToAny();
  }

  void SwitchToAny() {
    if (++steps_ > kMaxSteps)
      return Abandon("no end after " + std::to_string(kMaxSteps) + " steps");
    const std::size_t from = running_;
    running_ = Choose();
    if (running_ == from) return;
    ucontext_t* const own = &fibers_[from]->context;
    swapcontext(own, running_ == fibers_.size() ? &main_ : &fibers_[running_]->context);
  }

  void Abandon(const std::string& reason) {
    failure_ = reason;
    const std::size_t from = running_;
    running_ = fibers_.size();
    swapcontext(&fibers_[from]->context, &main_);
  }

  /// The function that continues; fibers_.size() when all are done. Some schedules switch at every
  /// step, others seldom. Sometimes one function sleeps while the others run on. Both find faults
  /// that an even choice does not find.
  std::size_t Choose() {
    const bool can_stay = running_ < fibers_.size() && !fibers_[running_]->done;
    if (can_stay && Below(8) < stay_) return running_;
    if (can_stay && Below(32) == 0) fibers_[running_]->asleep_until = steps_ + Below(200);
    std::size_t live = 0, awake = 0;
    for (const auto& fiber : fibers_) {
      live += fiber->done ? 0 : 1;
      awake += IsAwake(*fiber) ? 1 : 0;
    }
    if (live == 0) return fibers_.size();
    std::uint32_t pick = Below(static_cast<std::uint32_t>(awake > 0 ? awake : live));
    for (std::size_t i = 0;; ++i) {
      if (awake > 0 ? !IsAwake(*fibers_[i]) : fibers_[i]->done) continue;
      if (pick-- == 0) return i;
    }
  }

  bool IsAwake(const Fiber& fiber) const { return !fiber.done && fiber.asleep_until <= steps_; }

  inline static Schedule* current_ = nullptr;

  std::mt19937_64 random_;
  std::uint32_t stay_;  ///< chance in 8 to continue without a switch
  std::vector<std::unique_ptr<Fiber>> fibers_;
  std::size_t running_ = static_cast<std::size_t>(-1);
  std::uint64_t steps_ = 0;
  std::string failure_;
  ucontext_t main_{};
};

/// Access to a word between two switching points. Orders are as in AtomicRef, and have no effect.
template <class T>
class SteppedRef {
 public:
  explicit SteppedRef(T& word) : word_(word) {}

  T LoadRelaxed() const {
    return Stepped([](T& word) { return word; });
  }
  T LoadAcquire() const { return LoadRelaxed(); }
  void StoreRelaxed(T value) const { ExchangeAcqRel(value); }
  void StoreRelease(T value) const { ExchangeAcqRel(value); }
  T ExchangeAcqRel(T value) const {
    return Stepped([value](T& word) { return std::exchange(word, value); });
  }
  T ExchangeRelaxed(T value) const { return ExchangeAcqRel(value); }
  T FetchAddRelaxed(T value) const {
    return Stepped([value](T& word) { return std::exchange(word, static_cast<T>(word + value)); });
  }
  T FetchAddAcquire(T value) const { return FetchAddRelaxed(value); }
  T FetchAddRelease(T value) const { return FetchAddRelaxed(value); }
  T FetchAddAcqRel(T value) const { return FetchAddRelaxed(value); }
  T FetchSubRelaxed(T value) const {
    return Stepped([value](T& word) { return std::exchange(word, static_cast<T>(word - value)); });
  }
  T FetchSubAcqRel(T value) const { return FetchSubRelaxed(value); }
  T FetchMinRelaxed(T value) const {
    return Stepped([value](T& word) { return std::exchange(word, value < word ? value : word); });
  }
  T FetchOrRelaxed(T value) const { return FetchOrRelease(value); }
  T FetchXorRelaxed(T value) const {
    return Stepped([value](T& word) { return std::exchange(word, static_cast<T>(word ^ value)); });
  }
  T FetchAndRelaxed(T value) const { return FetchAndAcqRel(value); }
  T FetchOrRelease(T value) const {
    return Stepped([value](T& word) { return std::exchange(word, static_cast<T>(word | value)); });
  }
  T FetchAndAcqRel(T value) const {
    return Stepped([value](T& word) { return std::exchange(word, static_cast<T>(word & value)); });
  }
  T FetchMaxRelaxed(T value) const {
    return Stepped([value](T& word) { return std::exchange(word, value > word ? value : word); });
  }
  /// Fails sometimes without a cause, as a weak exchange may.
  bool CompareExchangeRelaxed(T& expected, T desired) const {
    return Stepped([&expected, desired](T& word) {
      if (word == expected && !Schedule::OnceIn(16)) {
        word = desired;
        return true;
      }
      expected = word;
      return false;
    });
  }

  bool CompareExchangeAcqRel(T& expected, T desired) const {
    return CompareExchangeRelaxed(expected, desired);
  }

 private:
  template <class Operation>
  auto Stepped(Operation operation) const {
    Schedule::Step();
    const auto result = operation(word_);
    Schedule::Step();
    return result;
  }

  T& word_;
};

/// A block of one thread within a Schedule; outside of one it is a plain thread.
class ScheduledScope : public exec::OneThread, public exec::SlotsByWord<ScheduledScope> {
 public:
  using OneThread::OneThread;

  static constexpr std::size_t kContendedBytes = 128;

  template <class T>
  static SteppedRef<T> Word(T& word) {
    return SteppedRef<T>(word);
  }
  template <class T>
  static SteppedRef<T> BlockWord(T& word) {
    return SteppedRef<T>(word);
  }
  template <class T>
  static T& Near(T& object) {
    return object;
  }
  static std::uint32_t CountUp(std::uint32_t& word) { return BlockWord(word).FetchAddRelaxed(1); }

  /// Fails the schedule when the bound is over: with so few threads, that means a deadlock.
  template <class Ready>
  static bool Wait(const char* reason, Ready ready) {
    for (std::uint32_t probe = 0; probe < Schedule::kMaxProbes; ++probe) {
      if (ready()) return true;
      Schedule::Step();
    }
    Schedule::Fail(std::string("waited in vain: ") + reason);
    return false;
  }

  static void Pause(std::uint32_t) { Schedule::Step(); }
  static std::uint64_t NowNs() { return Schedule::Steps(); }
  static std::uint64_t WaitLimitNs() { return Schedule::kMaxSteps / 4; }
  static std::uint64_t Cycles() { return NowNs(); }
};

static_assert(exec::LaneScope<ScheduledScope>);

}  // namespace warpyard::test_support

#endif  // WARPYARD_TESTS_SUPPORT_SCHEDULED_SCOPE_H_
