// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// ExecScope of a CUDA thread within its block.
//
// Algorithms are functions for host and device, so nvcc compiles each of them for both sides.
// Therefore host code must be able to call these members, too. The host side never runs; its bodies
// are empty.
#ifndef WARPYARD_CORE_EXEC_DEVICE_SCOPE_CUH_
#define WARPYARD_CORE_EXEC_DEVICE_SCOPE_CUH_

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "core/exec/bits.h"
#include "core/exec/bounded_wait.h"
#include "core/exec/lane_sets.h"
#include "core/exec/packed_slot.h"
#include "core/exec/placed_word.cuh"
#include "core/exec/scope.h"

namespace warpyard::exec {

class DeviceScope {
 public:
  using Thread = DeviceScope;

  /// @shape `shared`: dynamic shared memory of the block; `mailbox`: 16 bytes of static shared
  /// memory, for Broadcast
  __device__ DeviceScope(std::byte* shared, std::uint64_t* mailbox)
      : shared_(shared), mailbox_(mailbox) {}

  /// Space between words that many threads contend for: words in one 4 KiB block share a slice of
  /// the L2 cache and its atomic unit.
  static constexpr std::size_t kContendedBytes = 4096;

  template <class T>
  WY_HD static PlacedWord<T, DevicePlace> Word(T& word) {
    return PlacedWord<T, DevicePlace>(word);
  }
  template <class T>
  WY_HD static PlacedWord<T, BlockPlace> BlockWord(T& word) {
    return PlacedWord<T, BlockPlace>(word);
  }

  /// One atomic for all threads of a warp that call together.
  WY_HD static std::uint32_t CountUp(std::uint32_t& word) {
#ifdef __CUDA_ARCH__
    const std::uint32_t lanes = __activemask();
    const std::uint32_t place = PlaceAmong(lanes, threadIdx.x & 31u);
    std::uint32_t first = 0;
    if (place == 0) first = BlockWord(word).FetchAddRelaxed(CountBits(lanes));
    return __shfl_sync(lanes, first, static_cast<int>(LowestBit(lanes))) + place;
#else
    return word++;
#endif
  }

  /// Two or four words in one access, each as by LoadRelaxed. @shape words: aligned to all of them
  WY_HD static void LoadWords(std::uint32_t* words, std::uint32_t (&found)[2]) {
#ifdef __CUDA_ARCH__
    asm volatile("ld.relaxed.gpu.global.v2.u32 {%0, %1}, [%2];"
                 : "=r"(found[0]), "=r"(found[1])
                 : "l"(__cvta_generic_to_global(words))
                 : "memory");
#else
    static_cast<void>(words);
    for (std::uint32_t& word : found) word = 0;
#endif
  }
  WY_HD static void LoadWords(std::uint32_t* words, std::uint32_t (&found)[4]) {
#ifdef __CUDA_ARCH__
    asm volatile("ld.relaxed.gpu.global.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(found[0]), "=r"(found[1]), "=r"(found[2]), "=r"(found[3])
                 : "l"(__cvta_generic_to_global(words))
                 : "memory");
#else
    static_cast<void>(words);
    for (std::uint32_t& word : found) word = 0;
#endif
  }

  WY_HD static PackedSlot LoadSlot(PackedSlot& slot) { return LoadPacked<ptx::Gpu>(slot); }
  WY_HD static void StoreSlot(PackedSlot& slot, const PackedSlot& value) {
    StorePacked<ptx::Gpu>(slot, value);
  }
  // LoadSlot and StoreSlot between the device and the host, in memory of the host.
  WY_HD static PackedSlot LoadHostSlot(const PackedSlot& slot) {
    return LoadPacked<ptx::System>(slot);
  }
  /// What the host has written before the slot is visible afterwards, too.
  WY_HD static PackedSlot AcquireHostSlot(const PackedSlot& slot) {
    return LoadPacked<ptx::System, ptx::Acquire>(slot);
  }
  WY_HD static void StoreHostSlot(PackedSlot& slot, const PackedSlot& value) {
    StorePacked<ptx::System>(slot, value);
  }
  /// Orders all earlier loads and stores of this thread before its next stores for the host.
  WY_HD static void OrderBeforeHost() {
#ifdef __CUDA_ARCH__
    __threadfence_system();
#endif
  }

  /// The same object, known to the compiler as one in shared memory: accesses to it are not generic
  /// ones, which are slow. For functions that are not inlined.
  template <class T>
  WY_HD static T& Near(T& object) {
    return *Near(&object);
  }
  template <class T>
  WY_HD static T* Near(T* pointer) {
#ifdef __CUDA_ARCH__
    // Two conversions that the compiler understands would cancel each other out.
    std::size_t address = 0;
    asm("cvta.to.shared.u64 %0, %1;" : "=l"(address) : "l"(pointer));
    return static_cast<T*>(__cvta_shared_to_generic(address));
#else
    return pointer;
#endif
  }

  WY_HD static std::uint32_t LoadSlotTurn(PackedSlot& slot) {
    return Word(slot.turn).LoadRelaxed();
  }
  WY_HD static void StoreSlotTurn(PackedSlot& slot, std::uint32_t turn) {
    Word(slot.turn).StoreRelaxed(turn);
  }

  // Slots are relaxed accesses, so fences order the memory that an element refers to (scope.h).
  WY_HD static void OrderBeforePut() { Fence(); }
  WY_HD static void OrderAfterGet() { Fence(); }

  template <class Ready>
  WY_HD static bool Wait(const char* reason, Ready ready) {
    const bool is_ready = WaitWithBound<DeviceScope>(ready);
    if (!is_ready) StuckReasonWord() = reason;
    return is_ready;
  }

  /// The reason of the last wait of this block that timed out. @scope after a wait timed out
  WY_HD static const char* StuckReason() { return StuckReasonWord(); }

  /// 32 ns, doubling up to 1 us. A longer pause adds latency at the end of a stage. A shorter one
  /// takes memory bandwidth that the working blocks need.
  WY_HD static void Pause([[maybe_unused]] std::uint32_t round) {
#ifdef __CUDA_ARCH__
    __nanosleep(32u << (round < 5 ? round : 5));
#endif
  }

  WY_HD static std::uint64_t NowNs() {
    std::uint64_t now = 0;
#ifdef __CUDA_ARCH__
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
#endif
    return now;
  }
  WY_HD static std::uint64_t WaitLimitNs() { return 2'000'000'000; }
  WY_HD static std::uint64_t Cycles() {
    std::uint64_t now = 0;
#ifdef __CUDA_ARCH__
    now = static_cast<std::uint64_t>(clock64());
#endif
    return now;
  }

  WY_HD std::uint32_t Rank() const {
#ifdef __CUDA_ARCH__
    return threadIdx.x;
#else
    return 0;
#endif
  }
  WY_HD std::uint32_t Size() const {
#ifdef __CUDA_ARCH__
    return blockDim.x;
#else
    return 1;
#endif
  }
  WY_HD void Barrier() const {
#ifdef __CUDA_ARCH__
    __syncthreads();
#endif
  }
  WY_HD bool Any(bool value) const {
#ifdef __CUDA_ARCH__
    return __syncthreads_or(value) != 0;
#else
    return value;
#endif
  }
  template <class T>
  WY_HD T Broadcast(T value) const {
    static_assert(sizeof(T) <= 16);
    if (Rank() == 0) memcpy(mailbox_, &value, sizeof(T));
    Barrier();
    T result;
    memcpy(&result, mailbox_, sizeof(T));
    Barrier();  // the mailbox may be written again
    return result;
  }
  WY_HD std::byte* Shared() const { return shared_; }

 protected:
  WY_HD static const char*& StuckReasonWord() {
#ifdef __CUDA_ARCH__
    __shared__ const char* reason;
    return reason;
#else
    static const char* reason = "none";
    return reason;
#endif
  }
  WY_HD std::uint64_t* Mailbox() const { return mailbox_; }

 private:
  // One 16-byte access each, single-copy atomic: no fence, no second word.
  template <class Seers, class Order = ptx::Relaxed>
  WY_HD static PackedSlot LoadPacked(const PackedSlot& slot) {
    PackedSlot found{};
#ifdef __CUDA_ARCH__
    asm volatile(
        "{.reg .b128 w; .reg .b64 lo, hi; ld.%6.%5.global.b128 w, [%4];"
        "mov.b128 {lo, hi}, w; mov.b64 {%0, %1}, lo; mov.b64 {%2, %3}, hi;}"
        : "=r"(found.turn), "=r"(found.payload[0]), "=r"(found.payload[1]), "=r"(found.payload[2])
        : "l"(__cvta_generic_to_global(&slot)), "C"(Seers::kName), "C"(Order::kName)
        : "memory");
#else
    static_cast<void>(slot);
#endif
    return found;
  }
  template <class Seers>
  WY_HD static void StorePacked(PackedSlot& slot, const PackedSlot& value) {
#ifdef __CUDA_ARCH__
    asm volatile(
        "{.reg .b128 w; .reg .b64 lo, hi; mov.b64 lo, {%1, %2}; mov.b64 hi, {%3, %4};"
        "mov.b128 w, {lo, hi}; st.relaxed.%5.global.b128 [%0], w;}" ::"l"(
            __cvta_generic_to_global(&slot)),
        "r"(value.turn), "r"(value.payload[0]), "r"(value.payload[1]), "r"(value.payload[2]),
        "C"(Seers::kName)
        : "memory");
#else
    slot = value;
#endif
  }

  WY_HD static void Fence() {
#ifdef __CUDA_ARCH__
    asm volatile("fence.acq_rel.gpu;" ::: "memory");
#endif
  }

  std::byte* shared_;
  std::uint64_t* mailbox_;
};

static_assert(ExecScope<DeviceScope>);

}  // namespace warpyard::exec

#endif  // WARPYARD_CORE_EXEC_DEVICE_SCOPE_CUH_
