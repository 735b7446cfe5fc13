// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Errors with their details as google.rpc defines them.
//
// A detail travels as a payload of absl::Status under its type URL, so functions between the maker
// of an error and the end of the call know nothing of details. For an error about a field use
// InvalidField of core/base/status_facts.h.
#ifndef WARPYARD_SERVER_ERRORS_ERROR_DETAILS_H_
#define WARPYARD_SERVER_ERRORS_ERROR_DETAILS_H_

#include <map>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "google/rpc/status.pb.h"
#include "server/errors/error_reason.h"

namespace warpyard::server {

/// The domain of all reasons.
inline constexpr char kErrorDomain[] = "warpyard";
/// Longer texts in details are shortened; the message of the error has them in full.
inline constexpr std::size_t kMostDetailText = 512;

/// Further facts of a reason.
using ErrorFacts = std::map<std::string, std::string>;

/// An error with the code of its reason.
absl::Status MakeError(ErrorReason reason, absl::string_view message, const ErrorFacts& facts = {});

/// Gives an error a reason; its code and text stay.
absl::Status WithReason(ErrorReason reason, absl::Status status, const ErrorFacts& facts = {});

/// The reason of an error: the one that it was given, or else the implied one.
std::string ReasonOf(const absl::Status& status);

/// A handle of a client that names nothing.
/// @shape type: "scene", "upload"; name: as the client gave it
/// @errors NOT_FOUND
absl::Status UnknownHandle(absl::string_view type, absl::string_view name,
                           absl::string_view message);

/// A tenant has reached one of its limits. @shape limit: "jobs", "bytes", "rate"; delay: zero if
/// waiting does not help
/// @errors RESOURCE_EXHAUSTED
absl::Status TenantQuota(absl::string_view tenant, absl::string_view limit,
                         absl::string_view message, absl::Duration delay);

/// @shape type, subject: what kind of condition which thing does not meet
/// @errors FAILED_PRECONDITION
absl::Status Precondition(ErrorReason reason, absl::string_view subject, absl::string_view message);

/// How long the client should wait before it sends the request again; zero: it need not try.
absl::Duration RetryDelayOf(const absl::Status& status);

/// The error with all details that its reason, its facts and its payloads give.
/// @shape status: not OK; request_id: empty if the error belongs to no call; message: of the
///     status, as the call sends it
google::rpc::Status ToDetails(const absl::Status& status, absl::string_view message,
                              absl::string_view request_id);

/// Removes details, the longest first and the reason never, until all fit. @units bytes
void ShortenTo(std::size_t most, google::rpc::Status& details);

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_ERRORS_ERROR_DETAILS_H_
