// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Stages of events on a CUDA device, run by the resident megakernel.

#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "core/device/cuda_backend.h"
#include "core/memory/device_array.h"
#include "core/model/megakernel/resident_device.cuh"
#include "tests/support/workers/resident_fixture.cuh"
#include "tests/unit/model/counting_program.h"

namespace warpyard::model {
namespace {

using procedure::CancelToken;
using test_support::CountingJob;
using test_support::HostCounting;

template <class Program>
class MegakernelTest : public test_support::ResidentFixture<Program> {
 protected:
  using test_support::ResidentFixture<Program>::backend_;
  using test_support::ResidentFixture<Program>::model_;

  /// Runs an event with its memory on the device, and copies the memory back.
  absl::Status Run(HostCounting& counting, const CancelToken& token = CancelToken()) {
    const std::size_t words = CountingJob::Words(counting.job.most);
    auto memory = memory::DeviceArray<std::uint32_t>::Create(*backend_, words);
    if (!memory.ok()) return memory.status();
    const std::size_t bytes = words * sizeof(std::uint32_t);
    WY_RETURN_IF_ERROR(backend_->CopyIn(memory->data(), counting.job.words, bytes));
    CountingJob job = counting.job;
    job.words = memory->data();
    const auto times = model_->Run(job, {}, token);
    WY_RETURN_IF_ERROR(backend_->CopyOut(counting.job.words, memory->data(), bytes));
    return times.status();
  }
};

using Programs = ::testing::Types<test_support::CountingProgram, test_support::ClaimingProgram,
                                  test_support::PartlyClaimingProgram>;
TYPED_TEST_SUITE(MegakernelTest, Programs);

TYPED_TEST(MegakernelTest, ExecutesEveryIndexOfEveryStageOnceAndInOrder) {
  for (const std::uint32_t grain : {1u, 33u, 500u}) {
    HostCounting counting(100'000, 777, 40'001, grain);
    const absl::Status status = this->Run(counting);
    ASSERT_TRUE(status.ok()) << status;
    EXPECT_EQ(counting.FindFault(), "") << "grain " << grain;
  }
}

TYPED_TEST(MegakernelTest, RunsManyEventsOneAfterAnother) {
  for (std::uint32_t event = 0; event < 300; ++event) {
    HostCounting counting(event * 17 % 5000, event % 7, event * 31 % 900, 1 + event % 5);
    const absl::Status status = this->Run(counting);
    ASSERT_TRUE(status.ok()) << status;
    ASSERT_EQ(counting.FindFault(), "") << "event " << event;
  }
}

TYPED_TEST(MegakernelTest, RunsEventsOfManyCallersAtOnce) {
  std::vector<std::thread> callers;
  for (std::uint32_t caller = 0; caller < 16; ++caller) {
    callers.emplace_back([this, caller] {
      for (std::uint32_t i = 0; i < 20; ++i) {
        HostCounting counting(caller * 311 % 3000, i * 7, caller + i, 1 + i % 9);
        const absl::Status status = this->Run(counting);
        ASSERT_TRUE(status.ok()) << status;
        ASSERT_EQ(counting.FindFault(), "") << "caller " << caller << ", event " << i;
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
}

TYPED_TEST(MegakernelTest, RunsEventsThatHaveNothingToDo) {
  HostCounting empty(0, 0, 0, 1), last_only(0, 0, 3, 1);
  EXPECT_TRUE(this->Run(empty).ok());
  EXPECT_TRUE(this->Run(last_only).ok());
  EXPECT_EQ(last_only.FindFault(), "");
}

TYPED_TEST(MegakernelTest, EndsACancelledEventEarly) {
  HostCounting counting(1'000'000, 10, 10, 1);
  counting.job.spin_ns = 100'000;  // half a minute without the cancel
  CancelToken token;
  std::thread canceller([&token] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    token.Cancel();
  });
  EXPECT_TRUE(absl::IsCancelled(this->Run(counting, token)));
  canceller.join();
  HostCounting next(1000, 10, 10, 1);
  EXPECT_TRUE(this->Run(next).ok());
  EXPECT_EQ(next.FindFault(), "");
}

}  // namespace
}  // namespace warpyard::model
