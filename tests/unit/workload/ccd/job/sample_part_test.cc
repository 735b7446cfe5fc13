// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/ccd/job/sample_part.h"

#include <gtest/gtest.h>

#include "core/exec/thread_scope.h"

namespace warpyard::test_support {
namespace {

using ccd::SamplePart;
using ccd::SampleParts;
using Scope = exec::ThreadScope;

TEST(SampleParts, AreBeforeASampleInACleanStep) {
  ccd::StepCounters counters{};
  EXPECT_EQ(SampleParts::Of<Scope>(counters), SamplePart::kBefore);
  SampleParts::EndIfBegun<Scope>(counters);
  EXPECT_EQ(SampleParts::Of<Scope>(counters), SamplePart::kBefore);
}

TEST(SampleParts, GoFromBeforeToInToAfter) {
  ccd::StepCounters counters{};
  SampleParts::Begin<Scope>(counters);
  EXPECT_EQ(SampleParts::Of<Scope>(counters), SamplePart::kIn);
  SampleParts::EndIfBegun<Scope>(counters);
  EXPECT_EQ(SampleParts::Of<Scope>(counters), SamplePart::kAfter);
}

TEST(SampleParts, KeepTheCandidatesOfASampleAndEmptyItsLists) {
  ccd::StepCounters counters{};
  SampleParts::Begin<Scope>(counters);
  counters.meetings = counters.left = 3;
  counters.candidates[0] = counters.candidates[1] = 4;
  counters.survivors[0] = counters.survivors[1] = 5;
  counters.contacts[0] = 6;
  SampleParts::EndIfBegun<Scope>(counters);
  EXPECT_EQ(counters.sampled, 8u);
  EXPECT_EQ(counters.meetings | counters.left, 0u);
  EXPECT_EQ(counters.candidates[0] | counters.candidates[1], 0u);
  EXPECT_EQ(counters.survivors[0] | counters.survivors[1], 0u);
  EXPECT_EQ(counters.contacts[0], 6u);
}

}  // namespace
}  // namespace warpyard::test_support
