// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Atomic access to a word of a GPU, where the code says in which memory the word lies.
//
// cuda::atomic_ref does not say it, so its accesses are generic: the device finds out at each of
// them which memory is meant. An access to a word of 64 bits is then a dozen instructions with two
// branches (docs/adr/0066).
#ifndef WARPYARD_CORE_EXEC_PLACED_WORD_CUH_
#define WARPYARD_CORE_EXEC_PLACED_WORD_CUH_

#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "core/base/macros.h"

namespace warpyard::exec {

/// Parts of the names of instructions.
namespace ptx {

// Which threads see an access: those of the device, or of the whole system.
struct Gpu {
  static constexpr char kName[] = "gpu";
};
struct System {
  static constexpr char kName[] = "sys";
};

// The order of an access.
struct Relaxed {
  static constexpr char kName[] = "relaxed";
};
struct Acquire {
  static constexpr char kName[] = "acquire";
};
struct Release {
  static constexpr char kName[] = "release";
};
struct AcqRel {
  static constexpr char kName[] = "acq_rel";
};

// An operation. The letter says what its operands are: numbers without a sign (u), or bits (b).
struct Add {
  static constexpr char kName[] = "add.u";
};
struct Min {
  static constexpr char kName[] = "min.u";
};
struct Max {
  static constexpr char kName[] = "max.u";
};
struct Xor {
  static constexpr char kName[] = "xor.b";
};
struct Or {
  static constexpr char kName[] = "or.b";
};
struct And {
  static constexpr char kName[] = "and.b";
};
struct Exchange {
  static constexpr char kName[] = "exch.b";
};

}  // namespace ptx

/// Shared memory of a block, whose threads see the access.
struct BlockPlace {
  static constexpr char kName[] = "cta.shared";
  WY_HD static std::size_t AddressOf([[maybe_unused]] const void* word) {
#ifdef __CUDA_ARCH__
    // Such an address has 32 bits. The cast tells the compiler that the upper ones are 0.
    return static_cast<std::uint32_t>(__cvta_generic_to_shared(word));
#else
    return 0;
#endif
  }
};

/// Memory of a device, whose threads see the access.
struct DevicePlace {
  static constexpr char kName[] = "gpu.global";
  // A generic address of such memory is the address itself.
  WY_HD static std::size_t AddressOf(const void* word) {
    return reinterpret_cast<std::size_t>(word);
  }
};

/// Has the members of AtomicRef. On the host they do nothing, since they never run there.
/// @shape T: a type of 4 or 8 bytes; Place: BlockPlace or DevicePlace. The word must lie there: an
///     access to a word in another memory usually ends the kernel.
template <class T, class Place>
class PlacedWord {
 public:
  using Value = std::remove_const_t<T>;
  static_assert(sizeof(Value) == 4 || sizeof(Value) == 8);

  WY_HD explicit PlacedWord(T& word) : address_(Place::AddressOf(&word)) {}

  WY_HD Value LoadRelaxed() const { return Load<ptx::Relaxed>(); }
  WY_HD Value LoadAcquire() const { return Load<ptx::Acquire>(); }
  WY_HD void StoreRelaxed(Value value) const { Store<ptx::Relaxed>(value); }
  WY_HD void StoreRelease(Value value) const { Store<ptx::Release>(value); }

  WY_HD Value FetchAddRelaxed(Value value) const { return Do<ptx::Add, ptx::Relaxed>(value); }
  WY_HD Value FetchAddAcquire(Value value) const { return Do<ptx::Add, ptx::Acquire>(value); }
  WY_HD Value FetchAddRelease(Value value) const { return Do<ptx::Add, ptx::Release>(value); }
  WY_HD Value FetchAddAcqRel(Value value) const { return Do<ptx::Add, ptx::AcqRel>(value); }
  WY_HD Value FetchSubRelaxed(Value value) const { return FetchAddRelaxed(Value{} - value); }
  WY_HD Value FetchSubAcqRel(Value value) const { return FetchAddAcqRel(Value{} - value); }
  WY_HD Value FetchMinRelaxed(Value value) const { return Do<ptx::Min, ptx::Relaxed>(value); }
  WY_HD Value FetchMaxRelaxed(Value value) const { return Do<ptx::Max, ptx::Relaxed>(value); }
  WY_HD Value FetchXorRelaxed(Value value) const { return Do<ptx::Xor, ptx::Relaxed>(value); }
  WY_HD Value FetchOrRelaxed(Value value) const { return Do<ptx::Or, ptx::Relaxed>(value); }
  WY_HD Value FetchOrRelease(Value value) const { return Do<ptx::Or, ptx::Release>(value); }
  WY_HD Value FetchAndRelaxed(Value value) const { return Do<ptx::And, ptx::Relaxed>(value); }
  WY_HD Value FetchAndAcqRel(Value value) const { return Do<ptx::And, ptx::AcqRel>(value); }
  WY_HD Value ExchangeRelaxed(Value value) const { return Do<ptx::Exchange, ptx::Relaxed>(value); }
  WY_HD Value ExchangeAcqRel(Value value) const { return Do<ptx::Exchange, ptx::AcqRel>(value); }
  /// Replaces `expected` by `desired`; on failure `expected` gets the value found.
  WY_HD bool CompareExchangeRelaxed(Value& expected, Value desired) const {
    return CompareExchange<ptx::Relaxed>(expected, desired);
  }
  WY_HD bool CompareExchangeAcqRel(Value& expected, Value desired) const {
    return CompareExchange<ptx::AcqRel>(expected, desired);
  }

 private:
  static constexpr bool kIsLong = sizeof(Value) == 8;
  using Bits = std::conditional_t<kIsLong, std::uint64_t, std::uint32_t>;
  static constexpr char kBits[] = {kIsLong ? '6' : '3', kIsLong ? '4' : '2', 0};

  // Operands of 4 and of 8 bytes are registers of two kinds, so each instruction is there twice.

  template <class Order>
  WY_HD Value Load() const {
    Bits found = 0;
#ifdef __CUDA_ARCH__
    if constexpr (kIsLong) {
      asm volatile("ld.%2.%3.b64 %0, [%1];"
                   : "=l"(found)
                   : "l"(address_), "C"(Order::kName), "C"(Place::kName)
                   : "memory");
    } else {
      asm volatile("ld.%2.%3.b32 %0, [%1];"
                   : "=r"(found)
                   : "l"(address_), "C"(Order::kName), "C"(Place::kName)
                   : "memory");
    }
#endif
    return std::bit_cast<Value>(found);
  }

  template <class Order>
  WY_HD void Store([[maybe_unused]] Value value) const {
    static_assert(!std::is_const_v<T>);
#ifdef __CUDA_ARCH__
    const auto bits = std::bit_cast<Bits>(value);
    if constexpr (kIsLong) {
      asm volatile("st.%2.%3.b64 [%0], %1;" ::"l"(address_), "l"(bits), "C"(Order::kName),
                   "C"(Place::kName)
                   : "memory");
    } else {
      asm volatile("st.%2.%3.b32 [%0], %1;" ::"l"(address_), "r"(bits), "C"(Order::kName),
                   "C"(Place::kName)
                   : "memory");
    }
#endif
  }

  template <class Operation, class Order>
  WY_HD Value Do([[maybe_unused]] Value value) const {
    constexpr bool kCompares =
        std::is_same_v<Operation, ptx::Min> || std::is_same_v<Operation, ptx::Max>;
    static_assert(std::is_integral_v<Value> && !std::is_const_v<T>);
    static_assert(!kCompares || std::is_unsigned_v<Value>,
                  "the instruction compares without a sign");
    Bits found = 0;
#ifdef __CUDA_ARCH__
    const auto bits = std::bit_cast<Bits>(value);
    if constexpr (kIsLong) {
      asm volatile("atom.%3.%4.%5%6 %0, [%1], %2;"
                   : "=l"(found)
                   : "l"(address_), "l"(bits), "C"(Order::kName), "C"(Place::kName),
                     "C"(Operation::kName), "C"(kBits)
                   : "memory");
    } else {
      asm volatile("atom.%3.%4.%5%6 %0, [%1], %2;"
                   : "=r"(found)
                   : "l"(address_), "r"(bits), "C"(Order::kName), "C"(Place::kName),
                     "C"(Operation::kName), "C"(kBits)
                   : "memory");
    }
#endif
    return std::bit_cast<Value>(found);
  }

  template <class Order>
  WY_HD bool CompareExchange(Value& expected, [[maybe_unused]] Value desired) const {
    static_assert(!std::is_const_v<T>);
    Bits found = 0;
#ifdef __CUDA_ARCH__
    const auto old = std::bit_cast<Bits>(expected), bits = std::bit_cast<Bits>(desired);
    if constexpr (kIsLong) {
      asm volatile("atom.%4.%5.cas.b64 %0, [%1], %2, %3;"
                   : "=l"(found)
                   : "l"(address_), "l"(old), "l"(bits), "C"(Order::kName), "C"(Place::kName)
                   : "memory");
    } else {
      asm volatile("atom.%4.%5.cas.b32 %0, [%1], %2, %3;"
                   : "=r"(found)
                   : "l"(address_), "r"(old), "r"(bits), "C"(Order::kName), "C"(Place::kName)
                   : "memory");
    }
#endif
    const bool same = found == std::bit_cast<Bits>(expected);
    expected = std::bit_cast<Value>(found);
    return same;
  }

  std::size_t address_;
};

}  // namespace warpyard::exec

#endif  // WARPYARD_CORE_EXEC_PLACED_WORD_CUH_
