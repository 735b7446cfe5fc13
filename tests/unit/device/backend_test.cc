// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/device/backend.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "core/device/cpu_backend.h"

namespace warpyard::device {
namespace {

using ::testing::HasSubstr;

/// A device whose memory fails when the test asks for it, and that sorts at quiet points.
class FakeBackend final : public Backend {
 public:
  explicit FakeBackend(std::size_t limit) : Backend(limit) {}

  absl::Status CopyIn(void*, const void*, std::size_t) override { return absl::OkStatus(); }
  absl::Status CopyOut(void*, const void*, std::size_t) override { return absl::OkStatus(); }
  absl::Status SortKeys(std::uint64_t*, std::uint64_t*, std::size_t) override {
    return RunQuietly([this] {
      ++sorts;
      return failure;
    });
  }
  std::string Description() const override { return "fake"; }

  absl::Status failure;
  int sorts = 0;

 private:
  absl::StatusOr<void*> AllocateRaw(std::size_t) override {
    if (!failure.ok()) return failure;
    return &memory_;
  }
  void FreeRaw(void*) override {}

  char memory_ = 0;
};

TEST(Backend, MakesSeveralCopiesOneAfterAnother) {
  CpuBackend backend(1, 1 << 20);
  const int from[] = {1, 2, 3};
  int to[] = {0, 0, 0}, back[] = {0, 0, 0};
  ASSERT_TRUE(
      backend.CopyAllIn({{{&to[0], &from[0], 4}, {&to[1], nullptr, 0}, {&to[2], &from[2], 4}}})
          .ok());
  EXPECT_THAT(to, ::testing::ElementsAre(1, 0, 3));
  ASSERT_TRUE(backend.CopyAllOut({{{&back[1], &to[0], 8}, {&back[0], &to[2], 4}}}).ok());
  EXPECT_THAT(back, ::testing::ElementsAre(3, 1, 0));
  ASSERT_TRUE(backend.CopyAllOut({}).ok());
}

TEST(Backend, CountsWhatWasAskedFor) {
  FakeBackend backend(1000);
  void* block = *backend.Allocate(600);
  EXPECT_EQ(backend.MemoryUsed(), 600u);
  backend.Free(nullptr, 600);
  backend.Free(block, 600);
  EXPECT_EQ(backend.MemoryUsed(), 0u);
}

TEST(Backend, SaysWhatIsNeededAndUsedWhenTheLimitIsReached) {
  FakeBackend backend(1000);
  ASSERT_TRUE(backend.Allocate(600).ok());
  const absl::Status status = backend.Allocate(401).status();
  EXPECT_TRUE(absl::IsResourceExhausted(status));
  EXPECT_THAT(std::string(status.message()), HasSubstr("401 bytes needed, 600 in use, limit 1000"));
  EXPECT_EQ(backend.MemoryUsed(), 600u);
}

TEST(Backend, SaysTheSameWhenTheDeviceHasNoneLeft) {
  FakeBackend backend(1000);
  backend.failure = absl::ResourceExhaustedError("none left");
  const absl::Status status = backend.Allocate(10).status();
  EXPECT_TRUE(absl::IsResourceExhausted(status));
  EXPECT_THAT(std::string(status.message()), HasSubstr("10 bytes needed, 0 in use, limit 1000"));
  EXPECT_THAT(std::string(status.message()), HasSubstr("none left"));
  EXPECT_EQ(backend.MemoryUsed(), 0u);
}

TEST(Backend, PassesOtherFailuresOn) {
  FakeBackend backend(1000);
  backend.failure = absl::UnavailableError("the device is lost");
  EXPECT_EQ(backend.Allocate(10).status(), backend.failure);
  EXPECT_EQ(backend.MemoryUsed(), 0u);
}

TEST(Backend, RunsQuietWorkThroughTheRunnerThatIsSet) {
  FakeBackend backend(1000);
  EXPECT_TRUE(backend.SortKeys(nullptr, nullptr, 0).ok());
  int calls = 0;
  backend.SetQuietRunner([&](const std::function<absl::Status()>& work) {
    ++calls;
    return work();
  });
  backend.failure = absl::UnavailableError("the device is lost");
  EXPECT_EQ(backend.SortKeys(nullptr, nullptr, 0), backend.failure);
  EXPECT_EQ(calls, 1);
  backend.SetQuietRunner(nullptr);
  EXPECT_FALSE(backend.SortKeys(nullptr, nullptr, 0).ok());
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(backend.sorts, 3);
}

// While a runner waits for the device, it may need the backend, and others may change it.
TEST(Backend, HoldsNoLockWhileTheQuietRunnerWaits) {
  FakeBackend backend(1000);
  backend.SetQuietRunner([&](const std::function<absl::Status()>& work) {
    std::thread([&] { backend.SetQuietRunner(nullptr); }).join();
    return work();
  });
  EXPECT_TRUE(backend.SortKeys(nullptr, nullptr, 0).ok());
}

TEST(CpuBackend, NeedsNoQuietPoint) {
  CpuBackend backend(2, 0);
  backend.SetQuietRunner([](const auto&) { return absl::UnavailableError("not needed"); });
  std::vector<std::uint64_t> keys = {3, 1, 2}, scratch(3);
  EXPECT_TRUE(backend.SortKeys(keys.data(), scratch.data(), keys.size()).ok());
  EXPECT_EQ(keys, (std::vector<std::uint64_t>{1, 2, 3}));
  const absl::StatusOr<void*> block = backend.Allocate(1 << 20);
  ASSERT_TRUE(block.ok()) << block.status();
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(*block) % 256, 0u);
  backend.Free(*block, 1 << 20);
}

}  // namespace
}  // namespace warpyard::device
