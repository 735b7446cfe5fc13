// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Atomic access to words in shared memory and in the memory of a device.

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "core/exec/device_scope.cuh"
#include "tests/device/device_memory.cuh"

namespace warpyard::test_support {
namespace {

using exec::DeviceScope;

constexpr unsigned kThreads = 256;

/// Where a word lies, and how the scope reaches it there.
struct OfBlock {
  template <class T>
  __device__ static auto Word(T& word) {
    return DeviceScope::BlockWord(word);
  }
};
struct OfDevice {
  template <class T>
  __device__ static auto Word(T& word) {
    return DeviceScope::Word(word);
  }
};

/// What each operation found, and what the word was after all of them.
template <class T>
struct Found {
  T values[21];
};

/// The numbers that one thread finds, which has the word for itself.
template <class T, class Place>
__device__ void DoAlone(T& memory, Found<T>& found) {
  const auto word = Place::Word(memory);
  T* next = found.values;
  word.StoreRelaxed(40);
  *next++ = word.LoadRelaxed();
  word.StoreRelease(41);
  *next++ = word.LoadAcquire();
  *next++ = word.FetchAddRelaxed(1);
  *next++ = word.FetchAddAcquire(1);
  *next++ = word.FetchAddRelease(1);
  *next++ = word.FetchAddAcqRel(1);
  *next++ = word.FetchSubRelaxed(2);
  *next++ = word.FetchSubAcqRel(3);
  *next++ = word.FetchMinRelaxed(12);
  *next++ = word.FetchMaxRelaxed(T{1} << (8 * sizeof(T) - 1));
  *next++ = word.FetchXorRelaxed(T{1} << (8 * sizeof(T) - 1) | 3);
  *next++ = word.FetchOrRelaxed(16);
  *next++ = word.FetchOrRelease(4);
  *next++ = word.FetchAndRelaxed(~T{1});
  *next++ = word.FetchAndAcqRel(~T{2});
  *next++ = word.ExchangeRelaxed(7);
  *next++ = word.ExchangeAcqRel(8);
  T expected = 9;
  *next++ = word.CompareExchangeRelaxed(expected, 10) ? 1 : expected;
  *next++ = word.CompareExchangeRelaxed(expected, 10) ? 1 : expected;
  expected = 10;
  *next++ = word.CompareExchangeAcqRel(expected, T{} - 1) ? 1 : expected;
  *next++ = memory;
}

template <class T, bool kInBlock>
__global__ void DoAloneKernel(T* device, Found<T>* found) {
  __shared__ T shared;
  if constexpr (kInBlock) {
    DoAlone<T, OfBlock>(shared, *found);
  } else {
    DoAlone<T, OfDevice>(*device, *found);
  }
}

/// What DoAlone has to find.
template <class T>
std::vector<T> Expected() {
  constexpr T kHigh = T{1} << (8 * sizeof(T) - 1);
  return {40, 41, 41, 42, 43, 44, 45, 43, 40, 12, kHigh, 3, 19, 23, 22, 20, 7, 8, 1, 1, T{} - 1};
}

template <class T, bool kInBlock>
void ExpectEachOperation() {
  DeviceMemory<T> word(1);
  DeviceMemory<Found<T>> found(1);
  DoAloneKernel<T, kInBlock><<<1, 1>>>(word.get(), found.get());
  ASSERT_TRUE(Synchronize());
  const Found<T> values = found.Read()[0];
  EXPECT_EQ(std::vector<T>(std::begin(values.values), std::end(values.values)), Expected<T>());
}

TEST(PlacedWordTest, EachOperationDoesWhatItsNameSays) {
  if (!HasDevice()) GTEST_SKIP() << "no CUDA device answers";
  ExpectEachOperation<std::uint32_t, true>();
  ExpectEachOperation<std::uint32_t, false>();
  ExpectEachOperation<std::uint64_t, true>();
  ExpectEachOperation<std::uint64_t, false>();
}

/// All threads count in a word of their block, and then in one of the device.
template <class T>
__global__ void CountKernel(T* device, T* of_blocks) {
  __shared__ T shared;
  if (threadIdx.x == 0) shared = 0;
  __syncthreads();
  DeviceScope::BlockWord(shared).FetchAddRelaxed(threadIdx.x);
  DeviceScope::Word(*device).FetchAddRelaxed(threadIdx.x);
  __syncthreads();
  if (threadIdx.x == 0) of_blocks[blockIdx.x] = DeviceScope::BlockWord(shared).LoadRelaxed();
}

template <class T>
void ExpectNoCountIsLost() {
  constexpr unsigned kBlocks = 512;
  constexpr T kSum = kThreads * (kThreads - 1) / 2;
  DeviceMemory<T> sum(1), of_blocks(kBlocks);
  CountKernel<T><<<kBlocks, kThreads>>>(sum.get(), of_blocks.get());
  ASSERT_TRUE(Synchronize());
  EXPECT_EQ(sum.Read()[0], kSum * kBlocks);
  EXPECT_EQ(of_blocks.Read(), std::vector<T>(kBlocks, kSum));
}

TEST(PlacedWordTest, NoCountOfManyThreadsIsLost) {
  if (!HasDevice()) GTEST_SKIP() << "no CUDA device answers";
  ExpectNoCountIsLost<std::uint32_t>();
  ExpectNoCountIsLost<std::uint64_t>();
}

/// A function that is not inlined, so that it gets the address of the word at run time.
__noinline__ __device__ void CountNear(std::uint32_t& far, std::uint32_t times) {
  std::uint32_t& near = DeviceScope::Near(far);
  for (std::uint32_t i = 0; i < times; ++i) near += 2;
  DeviceScope::BlockWord(near).FetchAddRelaxed(1);
}

__global__ void CountNearKernel(std::uint32_t* found, std::uint32_t which) {
  __shared__ std::uint32_t words[4];
  if (threadIdx.x < 4) words[threadIdx.x] = 100 * threadIdx.x;
  __syncthreads();
  if (threadIdx.x == 0) CountNear(words[which % 4], which);
  __syncthreads();
  if (threadIdx.x < 4) found[threadIdx.x] = words[threadIdx.x];
}

TEST(PlacedWordTest, NearIsTheSameObject) {
  if (!HasDevice()) GTEST_SKIP() << "no CUDA device answers";
  DeviceMemory<std::uint32_t> found(4);
  CountNearKernel<<<1, 32>>>(found.get(), 6);
  ASSERT_TRUE(Synchronize());
  EXPECT_EQ(found.Read(), (std::vector<std::uint32_t>{0, 100, 213, 300}));
}

}  // namespace
}  // namespace warpyard::test_support
