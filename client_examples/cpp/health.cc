// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// warpyard health [--service NAME]: asks whether a server serves, for the probes of containers.

#include <chrono>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "client_examples/cpp/command.h"
#include "client_examples/support/call_error.h"
#include "client_examples/support/command_line.h"
#include "client_examples/support/connection.h"
#include "grpc/health/v1/health.grpc.pb.h"
#include "grpcpp/grpcpp.h"

namespace warpyard::cli {
namespace {

namespace health = grpc::health::v1;

constexpr int kMostDeadlineMs = 60'000;

struct HealthArguments {
  client_support::Endpoint server;
  std::string service;  ///< empty: the whole server
  int deadline_ms = 1000;
};

std::vector<client_support::Flag> HealthFlags(HealthArguments& arguments) {
  const auto set_deadline = [&arguments](const std::string& word) {
    return absl::SimpleAtoi(word, &arguments.deadline_ms) && arguments.deadline_ms > 0 &&
           arguments.deadline_ms <= kMostDeadlineMs;
  };
  return client_support::WithEndpointFlags(
      arguments.server,
      {client_support::TextFlag("--service", "NAME",
                                "one service, such as warpyard.v1.CollisionService (default: the "
                                "whole server)",
                                arguments.service),
       {"--deadline", "MS",
        absl::StrCat("the answer must come within so many milliseconds after the connection, for "
                     "which the limit is three seconds (default ",
                     arguments.deadline_ms, ")"),
        absl::StrCat("milliseconds, from 1 to ", kMostDeadlineMs), set_deadline}});
}

absl::StatusOr<health::HealthCheckResponse> Check(const HealthArguments& arguments) {
  const auto channel = client_support::Connect(arguments.server);
  if (!channel.ok()) return channel.status();
  grpc::ClientContext call;
  call.set_deadline(std::chrono::system_clock::now() +
                    std::chrono::milliseconds(arguments.deadline_ms));
  health::HealthCheckRequest request;
  request.set_service(arguments.service);
  health::HealthCheckResponse response;
  const grpc::Status status = health::Health::NewStub(*channel)->Check(&call, request, &response);
  if (status.ok()) return response;
  if (status.error_code() != grpc::StatusCode::NOT_FOUND) return client_support::ToStatus(status);
  return absl::NotFoundError(
      absl::StrCat("--service: ", arguments.server.address, " has no service ", arguments.service));
}

}  // namespace

std::string HealthHelp() {
  HealthArguments defaults;
  return absl::StrCat(
      "usage: warpyard health [FLAG VALUE]...\n"
      "\n"
      "Asks a server whether it serves (grpc.health.v1), and prints the answer. A server that "
      "drains\n"
      "or has lost all its devices is NOT_SERVING.\n"
      "\n",
      client_support::FlagsHelp(HealthFlags(defaults)),
      "\n"
      "Exit status: 0 SERVING, 1 another answer or none, 2 wrong usage.\n");
}

int RunHealth(const std::vector<std::string>& words) {
  HealthArguments arguments;
  const auto others = client_support::ParseFlags(HealthFlags(arguments), words);
  if (!others.ok()) return FailUsage(others.status(), "health");
  if (!others->empty()) {
    return FailUsage(
        absl::InvalidArgumentError(absl::StrCat("health: ", others->front(), ": flags only")),
        "health");
  }
  const absl::StatusOr<health::HealthCheckResponse> response = Check(arguments);
  if (absl::IsInvalidArgument(response.status())) return Fail(response.status(), kExitUsage);
  if (!response.ok()) return Fail(response.status(), kExitRefused);
  std::cout << health::HealthCheckResponse::ServingStatus_Name(response->status()) << "\n";
  return response->status() == health::HealthCheckResponse::SERVING ? 0 : kExitRefused;
}

}  // namespace warpyard::cli
