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
    const bool is_first = !std::exchange(is_attended_, true);
    if (!is_first && items_.size() <= most_) return std::nullopt;
    return takings_.load(std::memory_order_relaxed);
  }

  /// Whether TakeAll has been called since Put.
  bool IsTaken(std::uint64_t number) const {
    return takings_.load(std::memory_order_relaxed) != number;
  }

  /// The same for a thread that calls TakeAll soon in any case. Others do not rely on it, because
  /// it may do something else before.
  void PutUnattended(T item) {
    const auto lock = LockedSoon(mutex_);
    items_.push_back(std::move(item));
  }

  /// Puts several items. Returns a number for IsTaken; the caller sees that TakeAll is called.
  std::uint64_t PutAll(std::vector<T> items) {
    const auto lock = LockedSoon(mutex_);
    items_.insert(items_.end(), std::make_move_iterator(items.begin()),
                  std::make_move_iterator(items.end()));
    return takings_.load(std::memory_order_relaxed);
  }

  /// All items, in the order in which they were put. The caller has those of others that rely on
  /// it, too.
  std::vector<T> TakeAll() {
    std::vector<T> taken;
    const auto lock = LockedSoon(mutex_);
    std::swap(taken, items_);
    is_attended_ = false;
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
  std::atomic<std::uint64_t> takings_ = 0;  // changes with the lock
};

}  // namespace warpyard::dispatch

#endif  // WARPYARD_CORE_DISPATCH_INBOX_H_
