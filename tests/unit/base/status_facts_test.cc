// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/base/status_facts.h"

#include "gtest/gtest.h"

namespace warpyard {
namespace {

TEST(StatusFacts, AnErrorAboutAFieldBeginsWithItsPath) {
  const absl::Status status = InvalidField("job.deadline", "0, must be positive");
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(status.message(), "job.deadline: 0, must be positive");
  EXPECT_EQ(FieldOf(status), "job.deadline");
}

TEST(StatusFacts, AnErrorOfAnInnerMessageGetsTheOuterPath) {
  const absl::Status status = InField("views[3].", InvalidField("up", "0"));
  EXPECT_EQ(status.message(), "views[3].up: 0");
  EXPECT_EQ(FieldOf(status), "views[3].up");
}

TEST(StatusFacts, AnErrorWithoutAFieldGetsNone) {
  const absl::Status status = InField("a.", absl::InternalError("broken"));
  EXPECT_EQ(status, absl::InternalError("a.broken"));
  EXPECT_EQ(FieldOf(status), std::nullopt);
}

TEST(StatusFacts, ACauseSurvivesAnotherText) {
  const absl::Status full = WithCause(Cause::kPendingJobs, absl::ResourceExhaustedError("full"));
  EXPECT_EQ(CauseOf(full), Cause::kPendingJobs);
  const absl::Status longer = WithMessage(full, "full; wait");
  EXPECT_EQ(CauseOf(longer), Cause::kPendingJobs);
  EXPECT_EQ(longer.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(longer.message(), "full; wait");
  EXPECT_EQ(CauseOf(absl::InternalError("x")), std::nullopt);
}

}  // namespace
}  // namespace warpyard
