// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/device/device_heap.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <map>
#include <mutex>
#include <optional>
#include <random>
#include <thread>
#include <vector>

#include "absl/status/status.h"

namespace warpyard::device {
namespace {

constexpr std::size_t kMiB = std::size_t{1} << 20;

/// Addresses without memory, and the number of bytes that the device has left.
class FakeSource final : public ChunkSource {
 public:
  absl::StatusOr<void*> TakeChunk(std::size_t bytes) override {
    EXPECT_TRUE(quiet.load()) << "a chunk was taken beside a kernel";
    if (!failure.ok()) return failure;
    if (bytes > left) return absl::ResourceExhaustedError("the fake device is full");
    left -= bytes;
    chunks[next_] = bytes;
    next_ += bytes;
    return reinterpret_cast<void*>(next_ - bytes);
  }

  void ReturnChunk(void* chunk) override {
    EXPECT_TRUE(quiet.load()) << "a chunk was returned beside a kernel";
    const auto found = chunks.find(reinterpret_cast<std::uintptr_t>(chunk));
    ASSERT_NE(found, chunks.end());
    left += found->second;
    chunks.erase(found);
  }

  std::vector<std::size_t> Sizes() const {
    std::vector<std::size_t> sizes;
    for (const auto& [begin, bytes] : chunks) sizes.push_back(bytes);
    return sizes;
  }

  std::size_t left = std::size_t{1} << 40;
  absl::Status failure;
  std::map<std::uintptr_t, std::size_t> chunks;
  std::atomic<bool> quiet{false};

 private:
  std::uintptr_t next_ = std::uintptr_t{1} << 40;
};

/// A heap whose quiet points are counted. They run one at a time, as those of an execution model.
class DeviceHeapTest : public ::testing::Test {
 protected:
  DeviceHeap& Make(std::size_t limit, std::size_t first) {
    heap_.emplace(source_, limit,
                  [this](const std::function<absl::Status()>& work) { return RunQuietly(work); });
    source_.quiet = true;
    EXPECT_TRUE(heap_->TakeFirstChunk(first).ok());
    source_.quiet = false;
    return *heap_;
  }

  absl::Status RunQuietly(const std::function<absl::Status()>& work) {
    std::lock_guard lock(mutex_);
    ++quiet_points_;
    if (!before_.ok()) return before_;
    if (while_waiting_) while_waiting_();
    source_.quiet = true;
    const absl::Status status = work();
    source_.quiet = false;
    return status.ok() ? after_ : status;
  }

  void TearDown() override {
    source_.quiet = true;
    heap_.reset();
    EXPECT_EQ(source_.Sizes(), std::vector<std::size_t>{});
  }

  FakeSource source_;
  std::optional<DeviceHeap> heap_;
  std::mutex mutex_;
  int quiet_points_ = 0;
  absl::Status before_, after_;
  std::function<void()> while_waiting_;
};

void* MustTake(DeviceHeap& heap, std::size_t bytes) {
  const absl::StatusOr<void*> block = heap.Allocate(bytes);
  EXPECT_TRUE(block.ok()) << block.status();
  return block.ok() ? *block : nullptr;
}

TEST_F(DeviceHeapTest, NeedsNoQuietPointForWhatItsChunksHold) {
  DeviceHeap& heap = Make(1024 * kMiB, 64 * kMiB);
  for (int round = 0; round < 100; ++round) {
    void* a = MustTake(heap, 40 * kMiB);
    void* b = MustTake(heap, 24 * kMiB);
    heap.Free(a);
    heap.Free(b);
  }
  EXPECT_EQ(quiet_points_, 0);
}

TEST_F(DeviceHeapTest, GrowsByOneChunkAtAQuietPoint) {
  DeviceHeap& heap = Make(2048 * kMiB, 64 * kMiB);
  std::vector<void*> blocks = {MustTake(heap, 64 * kMiB)};
  EXPECT_EQ(quiet_points_, 0);
  blocks.push_back(MustTake(heap, kMiB));
  EXPECT_EQ(quiet_points_, 1);
  blocks.push_back(MustTake(heap, 255 * kMiB));
  EXPECT_EQ(quiet_points_, 1);
  blocks.push_back(MustTake(heap, 300 * kMiB + 1));
  EXPECT_EQ(quiet_points_, 2);
  EXPECT_EQ(source_.Sizes(), (std::vector<std::size_t>{64 * kMiB, 256 * kMiB, 302 * kMiB}));
  for (void* block : blocks) heap.Free(block);
  EXPECT_EQ(quiet_points_, 2);
}

TEST_F(DeviceHeapTest, TakesNoMoreThanItsLimitFromTheDevice) {
  DeviceHeap& heap = Make(100 * kMiB, 64 * kMiB);
  void* a = MustTake(heap, 60 * kMiB);
  void* b = MustTake(heap, 30 * kMiB);
  EXPECT_EQ(source_.Sizes(), (std::vector<std::size_t>{64 * kMiB, 36 * kMiB}));
  EXPECT_TRUE(absl::IsResourceExhausted(heap.Allocate(10 * kMiB).status()));
  EXPECT_EQ(quiet_points_, 1) << "a hopeless request stopped the kernel";
  heap.Free(a);
  heap.Free(MustTake(heap, 64 * kMiB));
  heap.Free(b);
}

TEST_F(DeviceHeapTest, ReturnsEmptyChunksToMakeRoomForALargerOne) {
  DeviceHeap& heap = Make(600 * kMiB, 64 * kMiB);
  heap.Free(MustTake(heap, 200 * kMiB));
  heap.Free(MustTake(heap, 200 * kMiB));
  EXPECT_EQ(quiet_points_, 1);
  heap.Free(MustTake(heap, 500 * kMiB));
  EXPECT_EQ(source_.Sizes(), (std::vector<std::size_t>{64 * kMiB, 500 * kMiB}));
  EXPECT_EQ(quiet_points_, 2);
}

TEST_F(DeviceHeapTest, ReturnsChunksThatStayIdleFromOneQuietPointToTheNext) {
  DeviceHeap& heap = Make(2048 * kMiB, 64 * kMiB);
  const auto look = [&] {
    source_.quiet = true;
    heap.ReturnIdleChunks();
    source_.quiet = false;
    return source_.chunks.size();
  };
  heap.Free(MustTake(heap, 100 * kMiB));
  EXPECT_EQ(look(), 2u);
  heap.Free(MustTake(heap, 100 * kMiB));
  EXPECT_EQ(look(), 2u);
  EXPECT_EQ(look(), 1u);
  EXPECT_EQ(look(), 1u);
}

TEST_F(DeviceHeapTest, TakesASmallerChunkFromADeviceThatHasNoMore) {
  source_.left = 100 * kMiB;
  DeviceHeap& heap = Make(2048 * kMiB, 64 * kMiB);
  heap.Free(MustTake(heap, 33 * kMiB));
  EXPECT_EQ(quiet_points_, 0);
  void* a = MustTake(heap, 50 * kMiB);
  void* b = MustTake(heap, 33 * kMiB);
  EXPECT_EQ(source_.Sizes(), (std::vector<std::size_t>{64 * kMiB, 34 * kMiB}));
  EXPECT_TRUE(absl::IsResourceExhausted(heap.Allocate(20 * kMiB).status()));
  heap.Free(b);
  // The chunk of this block is empty, and it is in the way of a larger one.
  heap.Free(MustTake(heap, 36 * kMiB));
  heap.Free(a);
}

TEST_F(DeviceHeapTest, TakesNothingWhenThereIsNoQuietPoint) {
  DeviceHeap& heap = Make(2048 * kMiB, 64 * kMiB);
  before_ = absl::UnavailableError("the device is lost");
  EXPECT_EQ(heap.Allocate(100 * kMiB).status(), before_);
  EXPECT_EQ(heap.ChunkBytes(), 64 * kMiB);
  before_ = absl::OkStatus();
  heap.Free(MustTake(heap, 100 * kMiB));
}

TEST_F(DeviceHeapTest, TakesNothingWhenTheQuietPointEndsInAFailure) {
  DeviceHeap& heap = Make(2048 * kMiB, 64 * kMiB);
  after_ = absl::UnavailableError("the kernel did not start again");
  EXPECT_EQ(heap.Allocate(256 * kMiB).status(), after_);
  // The chunk is there, and all of it is free.
  heap.Free(MustTake(heap, 256 * kMiB));
  EXPECT_EQ(quiet_points_, 1);
}

TEST_F(DeviceHeapTest, PassesOnWhyTheDeviceGaveNoChunk) {
  DeviceHeap& heap = Make(2048 * kMiB, 64 * kMiB);
  source_.failure = absl::UnavailableError("the device is lost");
  EXPECT_EQ(heap.Allocate(100 * kMiB).status(), source_.failure);
  EXPECT_EQ(heap.ChunkBytes(), 64 * kMiB);
  source_.failure = absl::OkStatus();
}

TEST_F(DeviceHeapTest, FailsWhenTheRunnerForgetsTheWork) {
  DeviceHeap heap(source_, 2048 * kMiB, [](const auto&) { return absl::OkStatus(); });
  EXPECT_TRUE(absl::IsInternal(heap.Allocate(1).status()));
}

TEST_F(DeviceHeapTest, ServesOthersWhileACallerWaitsForAQuietPoint) {
  DeviceHeap& heap = Make(2048 * kMiB, 64 * kMiB);
  void* block = MustTake(heap, kMiB);
  // On another thread, so that a lock held by the waiting thread would show.
  while_waiting_ = [&] {
    std::thread([&] {
      heap.Free(block);
      block = MustTake(heap, kMiB);
    }).join();
  };
  heap.Free(MustTake(heap, 100 * kMiB));
  EXPECT_EQ(quiet_points_, 1);
  heap.Free(block);
}

TEST_F(DeviceHeapTest, DoesNotGrowWhenMemoryWasFreedWhileItWaited) {
  DeviceHeap& heap = Make(2048 * kMiB, 64 * kMiB);
  void* block = MustTake(heap, 64 * kMiB);
  while_waiting_ = [&] { heap.Free(block); };
  heap.Free(MustTake(heap, 64 * kMiB));
  EXPECT_EQ(quiet_points_, 1);
  EXPECT_EQ(heap.ChunkBytes(), 64 * kMiB);
}

TEST_F(DeviceHeapTest, ServesManyThreadsWithoutOverlap) {
  DeviceHeap& heap = Make(4096 * kMiB, 2 * kMiB);
  std::mutex used_mutex;
  std::map<std::uintptr_t, std::size_t> used;  // blocks of all threads
  const auto claim = [&](void* block, std::size_t bytes) {
    const auto begin = reinterpret_cast<std::uintptr_t>(block);
    std::lock_guard lock(used_mutex);
    const auto after = used.lower_bound(begin);
    EXPECT_TRUE(after == used.end() || begin + bytes <= after->first);
    if (after != used.begin()) {
      const auto before = std::prev(after);
      EXPECT_LE(before->first + before->second, begin);
    }
    used[begin] = bytes;
  };
  const auto release = [&](void* block) {
    {
      std::lock_guard lock(used_mutex);
      used.erase(reinterpret_cast<std::uintptr_t>(block));
    }
    heap.Free(block);
  };
  std::vector<std::thread> threads;
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    threads.emplace_back([&, seed] {
      std::mt19937_64 random(seed);
      std::vector<void*> mine;
      for (int step = 0; step < 400; ++step) {
        if (mine.size() > 8 || (!mine.empty() && random() % 3 == 0)) {
          release(mine.back());
          mine.pop_back();
        } else {
          const std::size_t bytes = 1 + random() % (30 * kMiB);
          mine.push_back(MustTake(heap, bytes));
          claim(mine.back(), bytes);
        }
      }
      for (void* block : mine) release(block);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_GT(quiet_points_, 0);
  // Everything is free again: after two looks only the first chunk is left.
  source_.quiet = true;
  heap.ReturnIdleChunks();
  heap.ReturnIdleChunks();
  source_.quiet = false;
  EXPECT_EQ(heap.ChunkBytes(), 2 * kMiB);
  heap.Free(MustTake(heap, 2 * kMiB));
}

}  // namespace
}  // namespace warpyard::device
