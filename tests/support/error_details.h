// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Reads the details of errors as a client would.
#ifndef WARPYARD_TESTS_SUPPORT_ERROR_DETAILS_H_
#define WARPYARD_TESTS_SUPPORT_ERROR_DETAILS_H_

#include <optional>
#include <string>

#include "google/rpc/error_details.pb.h"
#include "google/rpc/status.pb.h"
#include "grpcpp/support/status.h"

namespace warpyard::test_support {

/// The details that a call's trailing metadata had; empty if there are none.
inline google::rpc::Status DetailsOf(const grpc::Status& status) {
  google::rpc::Status details;
  return details.ParseFromString(status.error_details()) ? details : google::rpc::Status();
}

/// The detail of a kind, if there is exactly one.
template <class Message>
std::optional<Message> Detail(const google::rpc::Status& details) {
  std::optional<Message> found;
  for (const auto& detail : details.details()) {
    if (!detail.Is<Message>()) continue;
    Message message;
    if (found || !detail.UnpackTo(&message)) return std::nullopt;
    found = message;
  }
  return found;
}

/// The reason, or why there is none.
inline std::string ReasonIn(const google::rpc::Status& details) {
  const auto info = Detail<google::rpc::ErrorInfo>(details);
  if (!info) return "not exactly one ErrorInfo";
  return info->domain() == "warpyard" ? info->reason() : "another domain: " + info->domain();
}

inline std::string ReasonIn(const grpc::Status& status) { return ReasonIn(DetailsOf(status)); }

}  // namespace warpyard::test_support

#endif  // WARPYARD_TESTS_SUPPORT_ERROR_DETAILS_H_
