// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/errors/error_details.h"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "absl/strings/cord.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "core/base/status_facts.h"
#include "google/rpc/error_details.pb.h"
#include "server/errors/text.h"

namespace warpyard::server {
namespace {

constexpr char kTypePrefix[] = "type.googleapis.com/";
/// Of names and values that go into details.
constexpr std::size_t kMostNameText = 256;

template <class Detail>
std::string UrlOf() {
  return absl::StrCat(kTypePrefix, Detail::descriptor()->full_name());
}

template <class Detail>
absl::Status With(const Detail& detail, absl::Status status) {
  status.SetPayload(UrlOf<Detail>(), absl::Cord(detail.SerializeAsString()));
  return status;
}

template <class Detail>
std::optional<Detail> DetailOf(const absl::Status& status) {
  Detail detail;
  const auto bytes = status.GetPayload(UrlOf<Detail>());
  if (!bytes || !detail.ParseFromString(std::string(*bytes))) return std::nullopt;
  return detail;
}

google::rpc::RetryInfo RetryAfter(absl::Duration delay) {
  google::rpc::RetryInfo info;
  absl::Duration rest;
  info.mutable_retry_delay()->set_seconds(absl::IDivDuration(delay, absl::Seconds(1), &rest));
  info.mutable_retry_delay()->set_nanos(static_cast<std::int32_t>(absl::ToInt64Nanoseconds(rest)));
  return info;
}

google::rpc::QuotaFailure Quota(absl::string_view subject, absl::string_view description) {
  google::rpc::QuotaFailure quota;
  auto& violation = *quota.add_violations();
  violation.set_subject(CleanText(subject, kMostNameText));
  violation.set_description(CleanText(description, kMostDetailText));
  return quota;
}

/// The text without the path at its begin, which has a place of its own.
absl::string_view ProblemOf(const absl::Status& status, absl::string_view field) {
  absl::string_view text = status.message();
  if (absl::StartsWith(text, field)) text.remove_prefix(field.size());
  if (absl::StartsWith(text, ": ")) text.remove_prefix(2);
  return text;
}

/// What the engine says of an error beside its cause.
ErrorFacts FactsOf(const absl::Status& status) {
  const auto expectation = ExpectationOf(status);
  if (!expectation) return {};
  return {{"expected_ms", absl::StrCat(expectation->done_ms)},
          {"deadline_ms", absl::StrCat(expectation->left_ms)}};
}

/// Adds what the table and the facts of an error say.
absl::Status Complete(absl::Status status) {
  auto info = DetailOf<google::rpc::ErrorInfo>(status);
  const ErrorRow* row = nullptr;
  if (!info) {
    row = &RowOf(ImpliedReason(status));
    status = WithReason(row->reason, status, FactsOf(status));
  } else {
    const auto rows = ErrorRows();
    const auto found = std::find_if(rows.begin(), rows.end(), [&info](const ErrorRow& candidate) {
      return candidate.name == info->reason();
    });
    row = found == rows.end() ? &RowOf(ErrorReason::kUnknown) : &*found;
  }
  if (const auto field = FieldOf(status)) {
    google::rpc::BadRequest bad;
    auto& violation = *bad.add_field_violations();
    violation.set_field(CleanText(*field, kMostNameText));
    violation.set_description(CleanText(ProblemOf(status, *field), kMostDetailText));
    status = With(bad, std::move(status));
  }
  if (!row->limit.empty() && !DetailOf<google::rpc::QuotaFailure>(status)) {
    const auto quota = Quota(row->limit, status.message());
    status = With(quota, std::move(status));
  }
  if (row->retry_delay > absl::ZeroDuration() && !DetailOf<google::rpc::RetryInfo>(status)) {
    status = With(RetryAfter(row->retry_delay), std::move(status));
  }
  return status;
}

}  // namespace

absl::Status MakeError(ErrorReason reason, absl::string_view message, const ErrorFacts& facts) {
  return WithReason(reason, absl::Status(RowOf(reason).code, message), facts);
}

absl::Status WithReason(ErrorReason reason, absl::Status status, const ErrorFacts& facts) {
  google::rpc::ErrorInfo info;
  info.set_reason(std::string(RowOf(reason).name));
  info.set_domain(kErrorDomain);
  for (const auto& [name, value] : facts) {
    (*info.mutable_metadata())[name] = CleanText(value, kMostNameText);
  }
  return With(info, std::move(status));
}

std::string ReasonOf(const absl::Status& status) {
  const auto info = DetailOf<google::rpc::ErrorInfo>(status);
  return info ? info->reason() : std::string(RowOf(ImpliedReason(status)).name);
}

absl::Status UnknownHandle(absl::string_view type, absl::string_view name,
                           absl::string_view message) {
  google::rpc::ResourceInfo resource;
  resource.set_resource_type(CleanText(type, kMostNameText));
  resource.set_resource_name(CleanText(name, kMostNameText));
  resource.set_description(CleanText(message, kMostDetailText));
  return With(resource, MakeError(ErrorReason::kUnknownHandle, message));
}

absl::Status TenantQuota(absl::string_view tenant, absl::string_view limit,
                         absl::string_view message, absl::Duration delay) {
  absl::Status status = MakeError(ErrorReason::kTenantQuota, message,
                                  {{"tenant", std::string(tenant)}, {"limit", std::string(limit)}});
  status = With(Quota(absl::StrCat("tenant:", tenant), message), std::move(status));
  // Zero is said, too: otherwise the table's delay would hold.
  return With(RetryAfter(delay), std::move(status));
}

absl::Status Precondition(ErrorReason reason, absl::string_view subject,
                          absl::string_view message) {
  google::rpc::PreconditionFailure failure;
  auto& violation = *failure.add_violations();
  violation.set_type(std::string(RowOf(reason).name));
  violation.set_subject(CleanText(subject, kMostNameText));
  violation.set_description(CleanText(message, kMostDetailText));
  return With(failure, MakeError(reason, message));
}

absl::Duration RetryDelayOf(const absl::Status& status) {
  const auto info = DetailOf<google::rpc::RetryInfo>(Complete(status));
  if (!info) return absl::ZeroDuration();
  return absl::Seconds(info->retry_delay().seconds()) +
         absl::Nanoseconds(info->retry_delay().nanos());
}

google::rpc::Status ToDetails(const absl::Status& status, absl::string_view message,
                              absl::string_view request_id) {
  absl::Status complete = Complete(status);
  if (!request_id.empty()) {
    google::rpc::RequestInfo request;
    request.set_request_id(CleanText(request_id, kMostNameText));
    complete = With(request, std::move(complete));
  }
  google::rpc::Status details;
  details.set_code(static_cast<int>(status.code()));
  details.set_message(CleanText(message, message.size()));
  complete.ForEachPayload([&details](absl::string_view url, const absl::Cord& bytes) {
    if (!absl::StartsWith(url, kTypePrefix)) return;
    // A limit where waiting does not help has no RetryInfo.
    google::rpc::RetryInfo retry;
    if (url == UrlOf<google::rpc::RetryInfo>() && retry.ParseFromString(std::string(bytes)) &&
        retry.retry_delay().seconds() == 0 && retry.retry_delay().nanos() == 0) {
      return;
    }
    auto& detail = *details.add_details();
    detail.set_type_url(std::string(url));
    detail.set_value(std::string(bytes));
  });
  // Payloads have no order of their own, and clients print the details.
  std::sort(details.mutable_details()->begin(), details.mutable_details()->end(),
            [](const auto& a, const auto& b) { return a.type_url() < b.type_url(); });
  return details;
}

void ShortenTo(std::size_t most, google::rpc::Status& details) {
  auto& list = *details.mutable_details();
  while (details.ByteSizeLong() > most && list.size() > 1) {
    // The reason counts as the shortest.
    const auto length = [](const google::protobuf::Any& detail) {
      return detail.type_url() == UrlOf<google::rpc::ErrorInfo>() ? std::size_t{0}
                                                                  : detail.ByteSizeLong();
    };
    const auto longest =
        std::max_element(list.begin(), list.end(),
                         [&](const auto& a, const auto& b) { return length(a) < length(b); });
    list.erase(longest);
  }
  if (details.ByteSizeLong() > most) details.clear_message();
  if (details.ByteSizeLong() <= most || list.empty()) return;
  google::rpc::ErrorInfo info;
  info.ParseFromString(list[0].value());
  info.clear_metadata();
  list[0].set_value(info.SerializeAsString());
}

}  // namespace warpyard::server
