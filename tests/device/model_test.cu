// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The worker loop on a CUDA device, run by the persistent megakernel.

#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "core/device/cuda_backend.h"
#include "core/memory/device_array.h"
#include "core/model/persistent_megakernel.cuh"
#include "tests/unit/model/counting_program.h"

namespace warpyard::model {
namespace {

using procedure::CancelToken;
using test_support::CountingJob;
using test_support::CountingProgram;
using test_support::HostCounting;
using Megakernel = PersistentMegakernel<CountingProgram>;

class MegakernelTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto backend = device::CudaBackend::Create(0, 0);
    if (!backend.ok()) GTEST_SKIP() << backend.status();
    backend_ = *std::move(backend);
    auto model = Megakernel::Create(*backend_);
    ASSERT_TRUE(model.ok()) << model.status();
    model_ = *std::move(model);
  }

  /// Runs an event with its memory on the device, and brings that back.
  absl::Status Run(HostCounting& counting, const CancelToken& token = CancelToken()) {
    const std::size_t words = CountingJob::Words(counting.job.most);
    auto memory = memory::DeviceArray<std::uint32_t>::Create(*backend_, words);
    if (!memory.ok()) return memory.status();
    const std::size_t bytes = words * sizeof(std::uint32_t);
    WY_RETURN_IF_ERROR(backend_->CopyIn(memory->data(), counting.job.words, bytes));
    CountingJob job = counting.job;
    job.words = memory->data();
    const auto times = model_->Run(job, token);
    WY_RETURN_IF_ERROR(backend_->CopyOut(counting.job.words, memory->data(), bytes));
    return times.status();
  }

  std::unique_ptr<device::CudaBackend> backend_;
  std::unique_ptr<Megakernel> model_;
};

TEST_F(MegakernelTest, ExecutesEveryIndexOfEveryStageOnceAndInOrder) {
  for (const std::uint32_t grain : {1u, 33u, 500u}) {
    HostCounting counting(100'000, 777, 40'001, grain);
    const absl::Status status = Run(counting);
    ASSERT_TRUE(status.ok()) << status;
    EXPECT_EQ(counting.FindFault(), "") << "grain " << grain;
  }
}

TEST_F(MegakernelTest, RunsManyEventsOneAfterAnother) {
  for (std::uint32_t event = 0; event < 300; ++event) {
    HostCounting counting(event * 17 % 5000, event % 7, event * 31 % 900, 1 + event % 5);
    const absl::Status status = Run(counting);
    ASSERT_TRUE(status.ok()) << status;
    ASSERT_EQ(counting.FindFault(), "") << "event " << event;
  }
}

TEST_F(MegakernelTest, RunsEventsThatHaveNothingToDo) {
  HostCounting empty(0, 0, 0, 1), last_only(0, 0, 3, 1);
  EXPECT_TRUE(Run(empty).ok());
  EXPECT_TRUE(Run(last_only).ok());
  EXPECT_EQ(last_only.FindFault(), "");
}

TEST_F(MegakernelTest, ServesManyCallers) {
  std::vector<std::thread> callers;
  for (std::uint32_t caller = 0; caller < 4; ++caller) {
    callers.emplace_back([this, caller] {
      for (std::uint32_t event = 0; event < 20; ++event) {
        HostCounting counting(3000, 100 * caller, 50, 2);
        const absl::Status status = Run(counting);
        ASSERT_TRUE(status.ok()) << status;
        ASSERT_EQ(counting.FindFault(), "");
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
}

TEST_F(MegakernelTest, CountsTheElementsOfEachProcedure) {
  HostCounting counting(1000, 500, 100, 10);
  ASSERT_TRUE(Run(counting).ok());
  const std::vector<ProcedureCounters> first = model_->Counters();
  ASSERT_EQ(first.size(), 3u);
  ASSERT_TRUE(Run(counting).ok());
  const std::vector<ProcedureCounters> second = model_->Counters();
  const std::uint64_t elements[3] = {100, 50, 10};
  for (std::size_t p = 0; p < 3; ++p) {
    EXPECT_EQ(second[p].executed - first[p].executed, elements[p]);
  }
}

// Each of its 2,000 elements takes two seconds; a cancelled event ends with those that run.
TEST_F(MegakernelTest, EndsARunningEventThatIsCancelled) {
  HostCounting counting(200'000, 10, 10, 100);
  counting.job.spin_ns = 2'000'000'000;
  CancelToken token;
  std::thread canceller([&] {
    // Long enough that the kernel runs by then; if it does not, the test is still right.
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    token.Cancel();
  });
  const auto begin = std::chrono::steady_clock::now();
  const absl::Status status = Run(counting, token);
  const auto end = std::chrono::steady_clock::now();
  canceller.join();
  EXPECT_TRUE(absl::IsCancelled(status)) << status;
  EXPECT_EQ(counting.job.Finished(1), 0u);
  EXPECT_LT(end - begin, std::chrono::seconds(10));
}

TEST_F(MegakernelTest, RunsOtherEventsAfterACancelledOne) {
  for (int event = 0; event < 5; ++event) {
    HostCounting cancelled(4000, 10, 10, 1);
    cancelled.job.spin_ns = 200'000'000;
    CancelToken token;
    token.Cancel();
    EXPECT_TRUE(absl::IsCancelled(Run(cancelled, token)));
    HostCounting next(5000, 500, 50, 3);
    const absl::Status status = Run(next);
    EXPECT_TRUE(status.ok()) << status;
    EXPECT_EQ(next.FindFault(), "");
  }
}

}  // namespace
}  // namespace warpyard::model
