// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// What many threads submit, until one of them accepts it for all.
//
// A thread that puts an item goes on to take all of them only if no other thread is about to: the
// first one takes what has come until it has the lock that this needs. So under load many items
// need the lock once. The thread need not wait for it any more if another one has taken its item.
#ifndef WARPYARD_CORE_DISPATCH_INBOX_H_
#define WARPYARD_CORE_DISPATCH_INBOX_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/lock_soon.h"

namespace warpyard::dispatch {

/// Thread-safe.
template <class T>
class Inbox {
 public:
  /// @shape most: items after which each thread that puts one takes all
  explicit Inbox(std::size_t most) : most_(most) {}

  /// Puts an item. Returns a number, for IsTaken, if the caller must see that TakeAll is called
  /// soon.
  std::optional<std::uint64_t> Put(T item) {
    const auto lock = LockedSoon(mutex_);
    items_.push_back(std::move(item));
    has_items_.store(true, std::memory_order_relaxed);
    const bool is_first = !std::exchange(is_attended_, true);
    if (!is_first && items_.size() <= most_) return std::nullopt;
    return takings_.load(std::memory_order_relaxed);
  }

  /// Whether TakeAll has been called since Put.
  bool IsTaken(std::uint64_t number) const {
    return takings_.load(std::memory_order_relaxed) != number;
  }

  /// The same for a thread that can call TakeAll soon in any case. Others do not rely on it,
  /// because it may do something else before. Returns whether the thread has to call TakeAll.
  bool PutUnattended(T item) {
    const auto lock = LockedSoon(mutex_);
    items_.push_back(std::move(item));
    has_items_.store(true, std::memory_order_relaxed);
    return !is_kept_ || items_.size() > most_;
  }

  /// From now on a thread calls TakeAll whenever there are items, and others rely on it. But where
  /// there are too many, each thread that puts one still takes all.
  void Keep() {
    const auto lock = LockedSoon(mutex_);
    is_kept_ = is_attended_ = true;
  }
  /// The thread that keeps the inbox does so no longer. Returns false, and it has to go on, if
  /// there are items. @shape always: even then; the caller sees that they are taken
  bool Leave(bool always) {
    const auto lock = LockedSoon(mutex_);
    if (!items_.empty() && !always) return false;
    is_kept_ = is_attended_ = false;
    return true;
  }
  /// Whether there are items. Takes no lock.
  bool HasItems() const { return has_items_.load(std::memory_order_relaxed); }

  /// Puts several items. Returns a number for IsTaken; the caller sees that TakeAll is called.
  std::uint64_t PutAll(std::vector<T> items) {
    const auto lock = LockedSoon(mutex_);
    items_.insert(items_.end(), std::make_move_iterator(items.begin()),
                  std::make_move_iterator(items.end()));
    has_items_.store(true, std::memory_order_relaxed);
    return takings_.load(std::memory_order_relaxed);
  }

  /// All items, in the order in which they were put. The caller has those of others that rely on
  /// it, too.
  std::vector<T> TakeAll() {
    std::vector<T> taken;
    const auto lock = LockedSoon(mutex_);
    std::swap(taken, items_);
    has_items_.store(false, std::memory_order_relaxed);
    is_attended_ = is_kept_;
    takings_.fetch_add(1, std::memory_order_relaxed);
    return taken;
  }

  std::size_t Size() const {
    const auto lock = LockedSoon(mutex_);
    return items_.size();
  }

 private:
  const std::size_t most_;
  mutable std::mutex mutex_;
  std::vector<T> items_;
  bool is_attended_ = false;                // a thread is about to call TakeAll
  bool is_kept_ = false;                    // a thread calls TakeAll again and again
  std::atomic<bool> has_items_ = false;     // changes with the lock
  std::atomic<std::uint64_t> takings_ = 0;  // changes with the lock
};

}  // namespace warpyard::dispatch

#endif  // WARPYARD_CORE_DISPATCH_INBOX_H_
