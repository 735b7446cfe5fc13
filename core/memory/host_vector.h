// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A vector for results, into which a device can write directly.
#ifndef WARPYARD_CORE_MEMORY_HOST_VECTOR_H_
#define WARPYARD_CORE_MEMORY_HOST_VECTOR_H_

#include <cstddef>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/device/host_heap.h"

namespace warpyard::memory {

/// Takes memory from a heap of the host as long as the heap has some, then from the process.
/// Elements without a given value are not initialised. A copy of a container is in ordinary memory.
template <class T>
class HostAllocator {
 public:
  using value_type = T;
  using propagate_on_container_move_assignment = std::true_type;
  using propagate_on_container_swap = std::true_type;

  HostAllocator() = default;
  explicit HostAllocator(std::shared_ptr<device::HostHeap> heap) : heap_(std::move(heap)) {}
  template <class U>
  HostAllocator(const HostAllocator<U>& other) : heap_(other.Heap()) {}  // allocators must convert

  T* allocate(std::size_t count) {
    void* memory = nullptr;
    if (heap_ != nullptr && count <= kMostElements) memory = heap_->Take(count * sizeof(T));
    if (memory != nullptr) return static_cast<T*>(memory);
    return std::allocator<T>().allocate(count);
  }

  void deallocate(T* elements, std::size_t count) {
    if (heap_ != nullptr && heap_->Contains(elements)) {
      heap_->Give(elements, count * sizeof(T));
    } else {
      std::allocator<T>().deallocate(elements, count);
    }
  }

  template <class U, class... Arguments>
  void construct(U* element, Arguments&&... arguments) {
    if constexpr (sizeof...(Arguments) == 0) {
      ::new (static_cast<void*>(element)) U;
    } else {
      ::new (static_cast<void*>(element)) U(std::forward<Arguments>(arguments)...);
    }
  }

  HostAllocator select_on_container_copy_construction() const { return {}; }
  const std::shared_ptr<device::HostHeap>& Heap() const { return heap_; }

  friend bool operator==(const HostAllocator& a, const HostAllocator& b) {
    return a.heap_ == b.heap_;
  }

 private:
  static constexpr std::size_t kMostElements = static_cast<std::size_t>(-1) / sizeof(T);

  std::shared_ptr<device::HostHeap> heap_;
};

template <class T>
using HostVector = std::vector<T, HostAllocator<T>>;

}  // namespace warpyard::memory

#endif  // WARPYARD_CORE_MEMORY_HOST_VECTOR_H_
