// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/support/call_error.h"

#include <vector>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/time/time.h"
#include "google/rpc/error_details.pb.h"
#include "google/rpc/status.pb.h"

namespace warpyard::client_support {
namespace {

/// Finds a detail of the kind of `message`.
template <class Message>
bool Find(const google::rpc::Status& details, Message& message) {
  for (const auto& detail : details.details()) {
    if (detail.Is<Message>()) return detail.UnpackTo(&message);
  }
  return false;
}

}  // namespace

std::string Explain(const grpc::Status& status) {
  google::rpc::Status details;
  std::vector<std::string> facts;
  if (details.ParseFromString(status.error_details())) {
    google::rpc::ErrorInfo info;
    if (Find(details, info)) facts.push_back(absl::CHexEscape(info.reason()));
    google::rpc::BadRequest bad;
    Find(details, bad);
    for (const auto& violation : bad.field_violations()) {
      facts.push_back(absl::StrCat("field ", absl::CHexEscape(violation.field())));
    }
    google::rpc::RetryInfo retry;
    if (Find(details, retry)) {
      const absl::Duration delay = absl::Seconds(retry.retry_delay().seconds()) +
                                   absl::Nanoseconds(retry.retry_delay().nanos());
      facts.push_back(absl::StrCat("try again in ", absl::FormatDuration(delay)));
    }
    google::rpc::RequestInfo request;
    if (Find(details, request)) {
      facts.push_back(absl::StrCat("request ", absl::CHexEscape(request.request_id())));
    }
  }
  if (facts.empty()) return status.error_message();
  return absl::StrCat(status.error_message(), " (", absl::StrJoin(facts, ", "), ")");
}

absl::Status ToStatus(const grpc::Status& status) {
  if (status.ok()) return absl::OkStatus();
  // Both have the same numbers for codes.
  return absl::Status(static_cast<absl::StatusCode>(status.error_code()), Explain(status));
}

}  // namespace warpyard::client_support
