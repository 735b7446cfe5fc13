// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// warpyard-worlds: many worlds, one message a step: in each a box sinks to its table. Prints when
// each arrives. All worlds have the same mesh, so they are one set: it is uploaded once, and a step
// of all of them is one array of positions. A world whose box has arrived is left out of the next
// steps.

#include <chrono>
#include <cstdint>
#include <iostream>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "client_examples/support/call_error.h"
#include "client_examples/support/command_line.h"
#include "client_examples/support/connection.h"
#include "grpcpp/grpcpp.h"
#include "warpyard/v1/collision_batch_service.grpc.pb.h"

namespace v1 = warpyard::v1;
namespace client_support = warpyard::client_support;

namespace {

constexpr int kExitRefused = 1, kExitUsage = 2;
constexpr char kName[] = "warpyard-worlds";
constexpr char kHelp[] =
    "usage: warpyard-worlds [FLAG VALUE]\n"
    "\n"
    "Lets a box sink to its table in many worlds at once, and prints when each arrives.\n"
    "\n";
constexpr char kExitHelp[] = "\nExit status: 0 done, 1 no server or it refused, 2 wrong usage.\n";

// Metres and seconds. The table is at 0.
constexpr double kStep = 0.1, kSpeed = 1;
constexpr int kLastStep = 100;
constexpr std::uint32_t kMostWorlds = 65'536;  // the server's --max-worlds
constexpr double kTable[4][3] = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}};
constexpr std::uint32_t kTableVertices = 4, kBoxVertices = 8;

using Worlds = std::vector<std::uint32_t>;

double Height(std::uint32_t world, double time) { return 0.25 + 0.01 * world - kSpeed * time; }

/// The positions of some worlds, one after the other: each has a table and a box.
v1::Positions RowsAt(const Worlds& worlds, double time) {
  std::vector<double> numbers;
  for (const std::uint32_t world : worlds) {
    for (const auto& corner : kTable) numbers.insert(numbers.end(), corner, corner + 3);
    for (std::uint32_t corner = 0; corner < kBoxVertices; ++corner) {
      numbers.insert(numbers.end(), {0.2 * (corner & 1), 0.2 * (corner >> 1 & 1),
                                     Height(world, time) + 0.2 * (corner >> 2 & 1)});
    }
  }
  v1::Positions positions;
  positions.set_scalar_type(v1::SCALAR_TYPE_FLOAT64);
  positions.set_data(numbers.data(), numbers.size() * sizeof(double));
  return positions;
}

v1::TriangleMesh Mesh() {
  std::vector<std::uint32_t> triangles = {0, 1, 2, 0, 2, 3}, groups(kTableVertices, 0);
  groups.insert(groups.end(), kBoxVertices, 1);
  constexpr std::uint32_t kSides[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                          {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
  for (const auto& [a, b, c, d] : kSides) {
    for (const std::uint32_t v : {a, b, c, a, c, d}) triangles.push_back(kTableVertices + v);
  }
  v1::TriangleMesh mesh;
  *mesh.mutable_positions() = RowsAt({0}, 0);
  mesh.set_triangles(triangles.data(), triangles.size() * sizeof(std::uint32_t));
  mesh.set_vertex_groups(groups.data(), groups.size() * sizeof(std::uint32_t));
  return mesh;
}

/// When the box of each world arrives, once it has.
using Arrivals = std::vector<std::optional<double>>;

void SetDeadline(grpc::ClientContext& call) {
  call.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(30));
}

grpc::Status ErrorOf(const v1::StepError& error) {
  return {static_cast<grpc::StatusCode>(error.code()), error.message()};
}

grpc::Status BadAnswer(const char* what) {
  return {grpc::StatusCode::INTERNAL, absl::StrFormat("the server's answer has %s", what)};
}

/// Takes the times of the boxes that arrived in a step of `moving` worlds.
grpc::Status TakeTimes(const v1::StepBatchResponse& response, const Worlds& moving, int step,
                       Arrivals& arrivals) {
  if (response.sets_size() != 1) return BadAnswer("no outcome for the set");
  const v1::SetOutcome& outcome = response.sets(0);
  if (outcome.has_error()) return ErrorOf(outcome.error());
  if (outcome.world_errors_size() != 0) return ErrorOf(outcome.world_errors(0).error());
  if (outcome.earliest_times().size() != moving.size() * sizeof(double)) {
    return BadAnswer("not one time for each world");
  }
  const auto* times = reinterpret_cast<const double*>(outcome.earliest_times().data());
  for (std::size_t i = 0; i < moving.size(); ++i) {
    // Infinity: nothing touches.
    if (times[i] <= 1) arrivals[moving[i]] = kStep * (step - 1 + times[i]);
  }
  return grpc::Status::OK;
}

/// One step of the worlds whose boxes have not arrived.
grpc::Status StepWorlds(v1::CollisionBatchService::Stub& stub, const std::string& set, int step,
                        Arrivals& arrivals) {
  Worlds moving;
  for (std::uint32_t w = 0; w < arrivals.size(); ++w) {
    if (!arrivals[w]) moving.push_back(w);
  }
  if (moving.empty()) return grpc::Status::OK;
  v1::StepBatchRequest request;
  v1::SetStep& asked = *request.add_sets();
  asked.set_set(set);
  asked.mutable_worlds()->Add(moving.begin(), moving.end());
  *asked.mutable_end() = RowsAt(moving, kStep * step);
  asked.mutable_collision()->set_report(v1::REPORT_EARLIEST);
  v1::StepBatchResponse response;
  grpc::ClientContext call;
  SetDeadline(call);
  const grpc::Status status = stub.StepBatch(&call, request, &response);
  return status.ok() ? TakeTimes(response, moving, step, arrivals) : status;
}

/// Opens all worlds as a set, steps them and closes them.
grpc::Status RunWorlds(v1::CollisionBatchService::Stub& stub, Arrivals& arrivals) {
  Worlds all(arrivals.size());
  std::iota(all.begin(), all.end(), 0u);
  v1::OpenScenesRequest open;
  *open.mutable_mesh() = Mesh();
  open.set_worlds(static_cast<std::uint32_t>(all.size()));
  *open.mutable_starts() = RowsAt(all, 0);
  open.set_group_rule(v1::GROUP_RULE_DIFFERENT);
  v1::OpenScenesResponse opened;
  grpc::ClientContext open_call, close_call;
  SetDeadline(open_call);
  grpc::Status status = stub.OpenScenes(&open_call, open, &opened);
  if (!status.ok()) return status;
  for (int step = 1; step <= kLastStep && status.ok(); ++step) {
    status = StepWorlds(stub, opened.set(), step, arrivals);
  }
  v1::CloseScenesRequest close;
  close.set_set(opened.set());
  v1::CloseScenesResponse closed;
  SetDeadline(close_call);
  stub.CloseScenes(&close_call, close, &closed);
  return status;
}

/// Connects and runs all worlds. Returns why that is not possible, or nothing.
std::string ConnectAndRun(const client_support::Endpoint& server, Arrivals& arrivals) {
  const auto channel = client_support::Connect(server);
  if (!channel.ok()) return std::string(channel.status().message());
  const grpc::Status status = RunWorlds(*v1::CollisionBatchService::NewStub(*channel), arrivals);
  return status.ok() ? std::string() : client_support::Explain(status);
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  client_support::Endpoint server;
  std::uint32_t worlds = 64;
  std::vector<client_support::Flag> flags = client_support::WithEndpointFlags(server);
  flags.push_back({"--worlds", "N", "how many worlds (64)", "a number from 1 to 65536",
                   [&worlds](const std::string& value) {
                     return absl::SimpleAtoi(value, &worlds) && worlds >= 1 &&
                            worlds <= kMostWorlds;
                   }});
  const client_support::ProgramTexts program = {kName, kHelp, kExitHelp, kExitUsage};
  if (const auto exit = client_support::ReadFlagsAlone(program, flags, words)) return *exit;
  Arrivals arrivals(worlds);
  if (const std::string error = ConnectAndRun(server, arrivals); !error.empty()) {
    std::cerr << kName << ": " << error << "\n";
    return kExitRefused;
  }
  for (std::size_t w = 0; w < arrivals.size(); ++w) {
    if (!arrivals[w]) continue;
    std::cout << absl::StreamFormat("world %d: arrives after %.4f s\n", w, *arrivals[w]);
  }
}
