// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/simplify/model/task_run.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstring>
#include <memory>

#include "core/workload/simplify/model/build_model.h"
#include "core/workload/simplify/result/cutter.h"
#include "tests/support/simplify/counting_backend.h"
#include "tests/support/simplify/simplify_driver.h"
#include "tests/support/simplify/test_runner.h"

namespace warpyard::simplify {
namespace {

using test_support::CountingBackend;
using test_support::Reach;

class TaskRunTest : public ::testing::Test {
 protected:
  void Build(Reach reach, bool calls_finish = true) {
    runner_.calls_finish = calls_finish;
    backend_ = std::make_unique<CountingBackend>(reach);
    run_ = std::make_unique<TaskRun>(*backend_, runner_, token_, memory_);
    auto built = BuildModel(*run_, test_support::Made("noisy-sphere-3k").Input());
    ASSERT_TRUE(built.ok()) << built.status();
    arrays_ = *std::move(built);
    cutter_ = std::make_unique<Cutter>(*run_, arrays_, job_);
  }
  bool IsZero() const {
    const CounterWords zeros{};
    return std::memcmp(memory_.words.data(), &zeros, sizeof zeros) == 0;
  }

  test_support::TestRunner runner_;
  procedure::CancelToken token_;
  // Memory goes before the backend.
  std::unique_ptr<CountingBackend> backend_;
  TaskMemory memory_;
  std::unique_ptr<TaskRun> run_;
  ModelArrays arrays_;
  SimplifyJob job_{};
  std::unique_ptr<Cutter> cutter_;
};

TEST_F(TaskRunTest, LeavesTheCountersAsTheNextEventNeedsThem) {
  Build(Reach::kHostToo);
  EXPECT_TRUE(memory_.is_clear);
  EXPECT_TRUE(IsZero());
  const std::size_t copies = backend_->Copies();
  ASSERT_TRUE(cutter_->Select(500).ok());
  ASSERT_TRUE(cutter_->Cut({.error = 0.01f}).ok());
  EXPECT_TRUE(IsZero()) << "bins, too";
  EXPECT_EQ(backend_->Copies(), copies);
}

TEST_F(TaskRunTest, CopiesTheCountersWhereTheDeviceCannot) {
  for (const bool calls_finish : {true, false}) {
    Build(calls_finish ? Reach::kDeviceOnly : Reach::kHostToo, calls_finish);
    EXPECT_FALSE(memory_.is_clear);
    const std::size_t copies = backend_->Copies();
    const auto at = cutter_->Select(500);
    ASSERT_TRUE(at.ok());
    EXPECT_LE(at->survivors, 500u);
    EXPECT_GT(at->survivors, 480u) << "some keys are equal";
    EXPECT_EQ(backend_->Copies(), copies + 2);
    cutter_.reset();
    arrays_ = {};
    memory_ = {};
  }
}

TEST_F(TaskRunTest, ClearsWhatAFailedEventHasLeft) {
  Build(Reach::kHostToo);
  const auto before = cutter_->Select(700);
  ASSERT_TRUE(before.ok());
  runner_.fails = true;
  EXPECT_EQ(cutter_->Select(500).status().code(), absl::StatusCode::kCancelled);
  EXPECT_FALSE(memory_.is_clear);
  runner_.fails = false;
  const auto after = cutter_->Select(700);
  ASSERT_TRUE(after.ok());
  EXPECT_EQ(after->error, before->error);
  EXPECT_EQ(after->survivors, before->survivors);
  EXPECT_TRUE(IsZero());
}

}  // namespace
}  // namespace warpyard::simplify
