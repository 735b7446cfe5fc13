// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Atomic access to a plain word, with the memory order in the name of each operation.
//
// A thin wrapper of cuda::atomic_ref (libcu++ compiles with a plain host compiler too). The wrapper
// has no default order, which would be sequential consistency: every use names the order that it
// needs. There are no stand-alone fences (docs/adr/0002): a thread publishes data when it releases
// the word that announces the data.
#ifndef WARPYARD_CORE_EXEC_ATOMIC_REF_H_
#define WARPYARD_CORE_EXEC_ATOMIC_REF_H_

#include <cuda/atomic>

#include "core/base/macros.h"

namespace warpyard::exec {

/// @scope kScope: the threads that touch the word together (one device, or the whole system)
template <class T, cuda::thread_scope kScope>
class AtomicRef {
 public:
  WY_HD explicit AtomicRef(T& word) : ref_(word) {}

  WY_HD T LoadRelaxed() const { return ref_.load(cuda::std::memory_order_relaxed); }
  WY_HD T LoadAcquire() const { return ref_.load(cuda::std::memory_order_acquire); }
  WY_HD void StoreRelaxed(T value) const { ref_.store(value, cuda::std::memory_order_relaxed); }
  WY_HD void StoreRelease(T value) const { ref_.store(value, cuda::std::memory_order_release); }

  WY_HD T FetchAddRelaxed(T value) const {
    return ref_.fetch_add(value, cuda::std::memory_order_relaxed);
  }
  WY_HD T FetchAddAcquire(T value) const {
    return ref_.fetch_add(value, cuda::std::memory_order_acquire);
  }
  WY_HD T FetchAddRelease(T value) const {
    return ref_.fetch_add(value, cuda::std::memory_order_release);
  }
  WY_HD T FetchAddAcqRel(T value) const {
    return ref_.fetch_add(value, cuda::std::memory_order_acq_rel);
  }
  WY_HD T FetchSubRelaxed(T value) const {
    return ref_.fetch_sub(value, cuda::std::memory_order_relaxed);
  }
  WY_HD T FetchSubAcqRel(T value) const {
    return ref_.fetch_sub(value, cuda::std::memory_order_acq_rel);
  }
  WY_HD T FetchMinRelaxed(T value) const {
    return ref_.fetch_min(value, cuda::std::memory_order_relaxed);
  }
  WY_HD T FetchMaxRelaxed(T value) const {
    return ref_.fetch_max(value, cuda::std::memory_order_relaxed);
  }
  WY_HD T FetchXorRelaxed(T value) const {
    return ref_.fetch_xor(value, cuda::std::memory_order_relaxed);
  }
  WY_HD T FetchOrRelaxed(T value) const {
    return ref_.fetch_or(value, cuda::std::memory_order_relaxed);
  }
  WY_HD T FetchAndRelaxed(T value) const {
    return ref_.fetch_and(value, cuda::std::memory_order_relaxed);
  }
  WY_HD T FetchOrRelease(T value) const {
    return ref_.fetch_or(value, cuda::std::memory_order_release);
  }
  WY_HD T FetchAndAcqRel(T value) const {
    return ref_.fetch_and(value, cuda::std::memory_order_acq_rel);
  }
  WY_HD T ExchangeRelaxed(T value) const {
    return ref_.exchange(value, cuda::std::memory_order_relaxed);
  }
  WY_HD T ExchangeAcqRel(T value) const {
    return ref_.exchange(value, cuda::std::memory_order_acq_rel);
  }
  /// Replaces `expected` by `desired`; on failure `expected` gets the value found.
  WY_HD bool CompareExchangeRelaxed(T& expected, T desired) const {
    return ref_.compare_exchange_weak(expected, desired, cuda::std::memory_order_relaxed);
  }
  /// As CompareExchangeRelaxed, but a release and an acquire where it succeeds.
  WY_HD bool CompareExchangeAcqRel(T& expected, T desired) const {
    return ref_.compare_exchange_weak(expected, desired, cuda::std::memory_order_acq_rel,
                                      cuda::std::memory_order_relaxed);
  }

 private:
  cuda::atomic_ref<T, kScope> ref_;
};

}  // namespace warpyard::exec

#endif  // WARPYARD_CORE_EXEC_ATOMIC_REF_H_
