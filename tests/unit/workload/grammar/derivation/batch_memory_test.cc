// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Copies of instances from the parts of the pools, by as many threads as they are worth.

#include "core/workload/grammar/derivation/batch_memory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "core/device/backend.h"

namespace warpyard::grammar {
namespace {

/// Memory of the process, whose copies to the host may fail.
class LosingBackend final : public device::Backend {
 public:
  LosingBackend() : Backend(std::size_t{1} << 30) {}

  absl::Status CopyIn(void* device, const void* host, std::size_t bytes) override {
    std::memcpy(device, host, bytes);
    return absl::OkStatus();
  }
  absl::Status CopyOut(void* host, const void* device, std::size_t bytes) override {
    if (copies_left_.fetch_sub(1) == 0) return absl::UnavailableError("the device is lost");
    std::memcpy(host, device, bytes);
    return absl::OkStatus();
  }
  absl::Status SortKeys(std::uint64_t*, std::uint64_t*, std::size_t) override {
    return absl::UnimplementedError("not for this test");
  }
  std::string Description() const override { return "fake"; }

  /// After so many more copies, one fails.
  void LoseAfter(int copies) { copies_left_ = copies; }

 private:
  absl::StatusOr<void*> AllocateRaw(std::size_t bytes) override { return std::malloc(bytes); }
  void FreeRaw(void* memory) override { std::free(memory); }

  std::atomic<int> copies_left_{-1};
};

/// A job whose pools have `instances` unevenly in some parts, and a first part that ran over. Each
/// key has the number of its part and the number in it.
class FilledPools {
 public:
  explicit FilledPools(std::uint32_t instances) : size_(instances / 5 + kPoolParts) {
    job_.sizes.instances = size_;
    pools_.resize(std::size_t{size_} * kPoolParts);
    job_.instances = pools_.data();
    output_.counters = {};
    for (std::uint32_t left = instances, p = 1; left != 0; p += 2) {
      const std::uint32_t count = std::min(left, instances / 5 + p);
      left -= count;
      Fill(p, count);
    }
    if (instances != 0) {
      Fill(0, size_);
      output_.counters.instances[0].filled += 7;
    }
  }

  absl::Status CopyOut(device::Backend& backend) {
    return memory_.CopyInstances(backend, job_, output_);
  }

  /// Whether all instances lie in the order of their parts.
  void ExpectAll() const {
    std::size_t at = 0;
    for (std::uint32_t p = 0; p < kPoolParts; ++p) {
      const std::uint32_t filled = std::min(output_.counters.instances[p].filled, size_);
      for (std::uint32_t i = 0; i < filled; ++i, ++at) {
        ASSERT_LT(at, output_.instances.size());
        ASSERT_EQ(output_.instances[at].key, KeyOf(p, i));
      }
    }
    EXPECT_EQ(at, output_.instances.size());
  }

 private:
  static std::uint64_t KeyOf(std::uint32_t part, std::uint32_t i) {
    return std::uint64_t{part} << 32 | i;
  }

  void Fill(std::uint32_t part, std::uint32_t count) {
    output_.counters.instances[part].filled = count;
    for (std::uint32_t i = 0; i < count; ++i) {
      pools_[std::size_t{part} * size_ + i].key = KeyOf(part, i);
    }
  }

  const std::uint32_t size_;
  BatchMemory memory_;
  DeriveJob job_{};
  std::vector<Instance> pools_;
  BatchOutput output_;
};

constexpr std::uint32_t kFew = 100;
constexpr std::uint32_t kForThreads = 4u << 15;  // several threads', if there are several cores

TEST(BatchMemory, CopiesInstancesInTheOrderOfTheirParts) {
  LosingBackend backend;
  for (const std::uint32_t instances : {0u, 1u, kFew, kForThreads}) {
    FilledPools pools(instances);
    ASSERT_TRUE(pools.CopyOut(backend).ok());
    pools.ExpectAll();
  }
}

TEST(BatchMemory, TellsOfACopyThatFailed) {
  for (const std::uint32_t instances : {kFew, kForThreads}) {
    for (const int copies : {0, 2, 4}) {
      LosingBackend backend;
      backend.LoseAfter(copies);
      FilledPools pools(instances);
      EXPECT_EQ(pools.CopyOut(backend).code(), absl::StatusCode::kUnavailable) << copies;
    }
  }
}

}  // namespace
}  // namespace warpyard::grammar
