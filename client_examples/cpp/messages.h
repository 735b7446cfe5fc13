// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// What the commands of `warpyard` share of the service's messages.
#ifndef WARPYARD_CLIENT_EXAMPLES_CPP_MESSAGES_H_
#define WARPYARD_CLIENT_EXAMPLES_CPP_MESSAGES_H_

#include <string>

#include "absl/status/status.h"
#include "google/protobuf/message.h"
#include "grpcpp/grpcpp.h"
#include "warpyard/v1/job.pb.h"

namespace warpyard::cli {

/// The status of a call as other functions return theirs: both have the same numbers for codes.
inline absl::Status ToStatus(const grpc::Status& status) {
  return absl::Status(static_cast<absl::StatusCode>(status.error_code()), status.error_message());
}

/// Sets the deadline of a job.
void SetDeadline(double deadline_ms, v1::JobOptions& job);

double Milliseconds(const v1::PhaseDuration& phase);

/// Reads a message from a file that has it as JSON.
/// @errors those of mesh_io::ReadFile; INVALID_ARGUMENT with the path: no such message
absl::Status ReadJsonMessage(const std::string& path, google::protobuf::Message& message);

}  // namespace warpyard::cli

#endif  // WARPYARD_CLIENT_EXAMPLES_CPP_MESSAGES_H_
