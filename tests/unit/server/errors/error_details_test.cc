// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/errors/error_details.h"

#include <set>
#include <string>

#include "core/base/status_facts.h"
#include "google/rpc/error_details.pb.h"
#include "gtest/gtest.h"
#include "tests/support/error_details.h"

namespace warpyard::server {
namespace {

using test_support::Detail;

TEST(ErrorDetails, AnErrorAboutAFieldNamesIt) {
  const auto details =
      ToDetails(InvalidField("views[3].up", "parallel to forward"), "text", "the-call");
  const auto bad = Detail<google::rpc::BadRequest>(details);
  ASSERT_TRUE(bad && bad->field_violations_size() == 1);
  EXPECT_EQ(bad->field_violations(0).field(), "views[3].up");
  EXPECT_EQ(bad->field_violations(0).description(), "parallel to forward");
  EXPECT_EQ(test_support::ReasonIn(details), "INVALID_FIELD");
  EXPECT_EQ(Detail<google::rpc::RequestInfo>(details)->request_id(), "the-call");
}

TEST(ErrorDetails, AnUnknownHandleIsAResource) {
  const absl::Status status = UnknownHandle("scene", "scene-\xff", "scene: no such scene");
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  const auto resource = Detail<google::rpc::ResourceInfo>(ToDetails(status, "", ""));
  ASSERT_TRUE(resource);
  EXPECT_EQ(resource->resource_type(), "scene");
  EXPECT_EQ(resource->resource_name(), "scene-?");
}

TEST(ErrorDetails, AQuotaOfATenantSaysWhoseAndWhen) {
  const absl::Status status =
      TenantQuota("blue", "rate", "10 jobs a second", absl::Milliseconds(250));
  const auto details = ToDetails(status, "", "");
  const auto quota = Detail<google::rpc::QuotaFailure>(details);
  ASSERT_TRUE(quota && quota->violations_size() == 1);
  EXPECT_EQ(quota->violations(0).subject(), "tenant:blue");
  EXPECT_EQ(RetryDelayOf(status), absl::Milliseconds(250));
  const auto info = *Detail<google::rpc::ErrorInfo>(details);
  EXPECT_EQ(info.metadata().at("tenant"), "blue");
  EXPECT_EQ(info.metadata().at("limit"), "rate");
}

TEST(ErrorDetails, AQuotaThatTimeDoesNotLiftHasNoDelay) {
  const auto details =
      ToDetails(TenantQuota("blue", "bytes", "too large", absl::ZeroDuration()), "", "");
  EXPECT_FALSE(Detail<google::rpc::RetryInfo>(details));
}

TEST(ErrorDetails, APreconditionSaysWhatDoesNotMeetIt) {
  const auto details =
      ToDetails(Precondition(ErrorReason::kUploadIncomplete, "upload", "1 of 2 bytes"), "", "");
  const auto failure = Detail<google::rpc::PreconditionFailure>(details);
  ASSERT_TRUE(failure && failure->violations_size() == 1);
  EXPECT_EQ(failure->violations(0).type(), "UPLOAD_INCOMPLETE");
  EXPECT_EQ(failure->violations(0).subject(), "upload");
}

TEST(ErrorDetails, CausesOfTheEngineBecomeReasons) {
  const auto reason = [](Cause cause, absl::Status status) {
    return ReasonOf(WithCause(cause, std::move(status)));
  };
  const absl::Status full = absl::ResourceExhaustedError("x");
  EXPECT_EQ(reason(Cause::kPendingJobs, full), "PENDING_JOBS_FULL");
  EXPECT_EQ(reason(Cause::kDeviceMemory, full), "DEVICE_MEMORY");
  EXPECT_EQ(reason(Cause::kResidents, full), "RESIDENTS_FULL");
  EXPECT_EQ(reason(Cause::kJobTimeLimit, full), "JOB_TIME_LIMIT");
  EXPECT_EQ(reason(Cause::kDeviceLost, absl::UnavailableError("x")), "DEVICE_LOST");
  EXPECT_EQ(reason(Cause::kDeadlineUnreachable, full), "DEADLINE_UNREACHABLE");
  EXPECT_EQ(reason(Cause::kDeadlineHopeless, absl::DeadlineExceededError("x")),
            "DEADLINE_HOPELESS");
}

TEST(ErrorDetails, ARefusedDeadlineSaysWhatWasExpected) {
  const absl::Status status = WithExpectation(
      {12.5, 10},
      WithCause(Cause::kDeadlineUnreachable, absl::ResourceExhaustedError("would be late")));
  const auto details = ToDetails(status, "would be late", "");
  const auto info = *Detail<google::rpc::ErrorInfo>(details);
  EXPECT_EQ(info.reason(), "DEADLINE_UNREACHABLE");
  EXPECT_EQ(info.metadata().at("expected_ms"), "12.5");
  EXPECT_EQ(info.metadata().at("deadline_ms"), "10");
  EXPECT_EQ(Detail<google::rpc::QuotaFailure>(details)->violations(0).subject(), "device_time");
  EXPECT_EQ(Detail<google::rpc::RetryInfo>(details)->retry_delay().nanos(), 10'000'000);
}

TEST(ErrorDetails, ACodeAloneHasAReason) {
  std::set<std::string> reasons;
  for (int code = 1; code <= 16; ++code) {
    const absl::Status status(static_cast<absl::StatusCode>(code), "x");
    reasons.insert(ReasonOf(status));
    // DATA_LOSS is an internal fault to clients.
    if (code == static_cast<int>(absl::StatusCode::kDataLoss)) continue;
    EXPECT_EQ(RowOf(ImpliedReason(status)).code, status.code());
  }
  EXPECT_EQ(reasons.size(), 15u);
  EXPECT_EQ(ReasonOf(absl::Status(static_cast<absl::StatusCode>(1234), "x")), "UNKNOWN");
}

TEST(ErrorDetails, FactsAndTheTextSurviveAReason) {
  const absl::Status status =
      WithReason(ErrorReason::kJobTimeLimit, absl::ResourceExhaustedError("too long"),
                 {{"limit_ms", std::string(1000, '9')}});
  EXPECT_EQ(status.message(), "too long");
  const auto info = *Detail<google::rpc::ErrorInfo>(ToDetails(status, "too long", ""));
  EXPECT_EQ(info.metadata().at("limit_ms"), std::string(256, '9')) << "shortened";
  EXPECT_EQ(info.domain(), "warpyard");
}

TEST(ShortenTo, DropsTheLongestAndNeverTheReason) {
  auto details = ToDetails(UnknownHandle("scene", std::string(9999, 'n'), std::string(9999, 'm')),
                           std::string(100, 't'), "the-call");
  ShortenTo(400, details);
  EXPECT_LE(details.ByteSizeLong(), 400u);
  EXPECT_FALSE(Detail<google::rpc::ResourceInfo>(details));
  EXPECT_TRUE(Detail<google::rpc::RequestInfo>(details));
  EXPECT_EQ(test_support::ReasonIn(details), "UNKNOWN_HANDLE");
  ShortenTo(120, details);
  EXPECT_EQ(test_support::ReasonIn(details), "UNKNOWN_HANDLE");
  EXPECT_EQ(details.message(), "");
}

}  // namespace
}  // namespace warpyard::server
