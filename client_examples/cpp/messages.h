// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// What the commands of `warpyard` share of the service's messages.
#ifndef WARPYARD_CLIENT_EXAMPLES_CPP_MESSAGES_H_
#define WARPYARD_CLIENT_EXAMPLES_CPP_MESSAGES_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "client_examples/support/call_error.h"
#include "google/protobuf/message.h"
#include "grpcpp/grpcpp.h"
#include "warpyard/v1/job.pb.h"

namespace warpyard::cli {

using client_support::ToStatus;

/// Sets the deadline of a job.
void SetDeadline(double deadline_ms, v1::JobOptions& job);

double Milliseconds(const v1::PhaseDuration& phase);

/// "1 rule", "2 rules".
std::string Counted(std::uint64_t count, const std::string& one);

/// Reads a message from a file that has it as JSON.
/// @errors those of mesh_io::ReadFilledFile; INVALID_ARGUMENT with the path, and with line and
/// column where the file is no JSON: no such message; one line
absl::Status ReadJsonMessage(const std::string& path, google::protobuf::Message& message);

}  // namespace warpyard::cli

#endif  // WARPYARD_CLIENT_EXAMPLES_CPP_MESSAGES_H_
