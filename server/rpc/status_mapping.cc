// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/rpc/status_mapping.h"

#include <algorithm>
#include <cstddef>
#include <string>

#include "server/errors/error_details.h"
#include "server/errors/text.h"

namespace warpyard::server {
namespace {

constexpr std::size_t kMaxMessageBytes = 2048;
// Clients refuse metadata of more than 8 KiB by default. The rest is for other entries, such as
// grpc-status, and those that a proxy adds.
constexpr std::size_t kMaxMetadataBytes = 7168;

/// The size of a text in the header grpc-message, where gRPC writes other bytes than printable
/// ASCII as three.
std::size_t EncodedSize(absl::string_view text) {
  const auto is_plain = [](char c) { return c >= ' ' && c <= '~' && c != '%'; };
  const auto plain = static_cast<std::size_t>(std::count_if(text.begin(), text.end(), is_plain));
  return plain + 3 * (text.size() - plain);
}

/// How many bytes of details fit beside a text: gRPC writes three bytes of them as four characters.
std::size_t RoomForDetails(absl::string_view text) {
  return (kMaxMetadataBytes - EncodedSize(text)) / 4 * 3;
}
static_assert(3 * kMaxMessageBytes < kMaxMetadataBytes);

constexpr bool SameCode(absl::StatusCode absl_code, grpc::StatusCode grpc_code) {
  return static_cast<int>(absl_code) == static_cast<int>(grpc_code);
}

static_assert(SameCode(absl::StatusCode::kOk, grpc::StatusCode::OK));
static_assert(SameCode(absl::StatusCode::kCancelled, grpc::StatusCode::CANCELLED));
static_assert(SameCode(absl::StatusCode::kUnknown, grpc::StatusCode::UNKNOWN));
static_assert(SameCode(absl::StatusCode::kInvalidArgument, grpc::StatusCode::INVALID_ARGUMENT));
static_assert(SameCode(absl::StatusCode::kDeadlineExceeded, grpc::StatusCode::DEADLINE_EXCEEDED));
static_assert(SameCode(absl::StatusCode::kNotFound, grpc::StatusCode::NOT_FOUND));
static_assert(SameCode(absl::StatusCode::kAlreadyExists, grpc::StatusCode::ALREADY_EXISTS));
static_assert(SameCode(absl::StatusCode::kPermissionDenied, grpc::StatusCode::PERMISSION_DENIED));
static_assert(SameCode(absl::StatusCode::kResourceExhausted, grpc::StatusCode::RESOURCE_EXHAUSTED));
static_assert(SameCode(absl::StatusCode::kFailedPrecondition,
                       grpc::StatusCode::FAILED_PRECONDITION));
static_assert(SameCode(absl::StatusCode::kAborted, grpc::StatusCode::ABORTED));
static_assert(SameCode(absl::StatusCode::kOutOfRange, grpc::StatusCode::OUT_OF_RANGE));
static_assert(SameCode(absl::StatusCode::kUnimplemented, grpc::StatusCode::UNIMPLEMENTED));
static_assert(SameCode(absl::StatusCode::kInternal, grpc::StatusCode::INTERNAL));
static_assert(SameCode(absl::StatusCode::kUnavailable, grpc::StatusCode::UNAVAILABLE));
static_assert(SameCode(absl::StatusCode::kDataLoss, grpc::StatusCode::DATA_LOSS));
static_assert(SameCode(absl::StatusCode::kUnauthenticated, grpc::StatusCode::UNAUTHENTICATED));

}  // namespace

grpc::Status ToGrpcStatus(const absl::Status& status, absl::string_view request_id) {
  if (status.ok()) return grpc::Status::OK;
  // code() maps numbers without a name to kUnknown.
  const std::string message = CleanText(status.message(), kMaxMessageBytes);
  google::rpc::Status details = ToDetails(status, message, request_id);
  ShortenTo(RoomForDetails(message), details);
  return grpc::Status(static_cast<grpc::StatusCode>(status.code()), message,
                      details.SerializeAsString());
}

}  // namespace warpyard::server
