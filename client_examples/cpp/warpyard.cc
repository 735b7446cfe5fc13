// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// warpyard collide START END: the collisions of a mesh that moves from one file to another.
// warpyard simplify IN OUT: coarser meshes (simplify/command.cc).
// warpyard grammar check FILE, warpyard grammar derive FILE: buildings (grammar/command.cc).
// warpyard token: a token for warpyard-server --tokens (token.cc).
// warpyard health: whether a server serves (health.cc).

#include <chrono>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "client_examples/cpp/collide_flags.h"
#include "client_examples/cpp/command.h"
#include "client_examples/cpp/grammar/flags.h"
#include "client_examples/cpp/result_json.h"
#include "client_examples/cpp/simplify/flags.h"
#include "client_examples/mesh_io/mesh_io.h"
#include "client_examples/support/call_error.h"
#include "client_examples/support/connection.h"
#include "grpcpp/grpcpp.h"
#include "warpyard/v1/collision_service.grpc.pb.h"

namespace warpyard::cli {
namespace {

void SetPositions(const warpyard::mesh_io::Mesh& mesh, v1::Positions* positions) {
  const auto set = [&](const auto& numbers, v1::ScalarType scalar_type) {
    positions->set_scalar_type(scalar_type);
    positions->set_data(numbers.data(), numbers.size() * sizeof(numbers[0]));
  };
  if (!mesh.positions_are_float) return set(mesh.positions, v1::SCALAR_TYPE_FLOAT64);
  set(std::vector<float>(mesh.positions.begin(), mesh.positions.end()), v1::SCALAR_TYPE_FLOAT32);
}

/// Appends the lists of a part.
void AppendLists(const v1::CollisionResult& part, v1::CollisionResult& result) {
  result.mutable_vertex_face_ids()->append(part.vertex_face_ids());
  result.mutable_vertex_face_times()->append(part.vertex_face_times());
  result.mutable_vertex_face_weights()->append(part.vertex_face_weights());
  result.mutable_vertex_face_normals()->append(part.vertex_face_normals());
  result.mutable_edge_edge_ids()->append(part.edge_edge_ids());
  result.mutable_edge_edge_times()->append(part.edge_edge_times());
  result.mutable_edge_edge_parameters()->append(part.edge_edge_parameters());
  result.mutable_edge_edge_normals()->append(part.edge_edge_normals());
}

/// Runs the step of a scene as a stream, since the lists may be larger than one message can be.
grpc::Status StreamStep(v1::CollisionService::Stub& stub, const CollideArguments& arguments,
                        const std::string& scene, v1::CollisionResult& result) {
  grpc::ClientContext call;
  if (arguments.deadline_ms > 0) {
    const std::chrono::duration<double, std::milli> deadline(arguments.deadline_ms);
    call.set_deadline(std::chrono::system_clock::now() +
                      std::chrono::ceil<std::chrono::nanoseconds>(deadline));
  }
  v1::StreamStepsRequest request;
  *request.mutable_step() = arguments.step;
  request.mutable_step()->set_scene(scene);
  const auto stream = stub.StreamSteps(&call);
  stream->Write(request);
  stream->WritesDone();
  v1::StreamStepsResponse part;
  while (stream->Read(&part)) {
    AppendLists(part.result(), result);
    if (!part.last_part()) continue;
    *result.mutable_statistics() = part.result().statistics();
    if (part.result().has_earliest_time()) result.set_earliest_time(part.result().earliest_time());
  }
  return stream->Finish();
}

/// Opens a scene, runs the step and closes the scene again.
absl::Status Collide(const CollideArguments& arguments, const mesh_io::Mesh& start,
                     v1::CollisionResult& result) {
  const auto channel = client_support::Connect(arguments.server);
  if (!channel.ok()) return channel.status();
  const auto stub = v1::CollisionService::NewStub(*channel);
  v1::OpenSceneRequest open = arguments.open;
  SetPositions(start, open.mutable_mesh()->mutable_positions());
  open.mutable_mesh()->set_triangles(start.triangles.data(), start.triangles.size() * 4);
  *open.mutable_job() = arguments.step.job();
  v1::OpenSceneResponse scene;
  grpc::ClientContext open_call, close_call;
  grpc::Status status = stub->OpenScene(&open_call, open, &scene);
  if (status.ok()) {
    status = StreamStep(*stub, arguments, scene.scene(), result);
    v1::CloseSceneRequest close;
    close.set_scene(scene.scene());
    v1::CloseSceneResponse closed;
    stub->CloseScene(&close_call, close, &closed);
  }
  return client_support::ToStatus(status);
}

/// Reads START, and END into the step of the arguments.
absl::Status ReadFrames(CollideArguments& arguments, mesh_io::Mesh& start) {
  auto first = mesh_io::ReadMesh(arguments.files[0]);
  if (!first.ok()) return first.status();
  const auto end = mesh_io::ReadMesh(arguments.files[1]);
  if (!end.ok()) return end.status();
  if (absl::Status same = mesh_io::CheckFrames(arguments.files, *first, *end); !same.ok()) {
    return same;
  }
  start = *std::move(first);
  SetPositions(*end, arguments.step.mutable_end());
  return absl::OkStatus();
}

/// Prints what the report asks for: pairs, times, or only the earliest time.
void Print(const v1::CollisionResult& result, v1::Report report) {
  const std::string earliest =
      result.has_earliest_time() ? absl::StrCat(result.earliest_time()) : "none";
  if (report == v1::REPORT_EARLIEST) {
    std::cout << "earliest " << earliest << "\n";
    return;
  }
  std::cout << result.vertex_face_ids().size() / 8 << " vertex-face and "
            << result.edge_edge_ids().size() / 16 << " edge-edge pairs";
  if (report != v1::REPORT_CANDIDATES) std::cout << ", earliest " << earliest;
  std::cout << "\n" << StatisticsJson(result.statistics()) << "\n";
}

int RunCollide(const std::vector<std::string>& words) {
  CollideArguments arguments;
  if (absl::Status parsed = ParseCollide(words, arguments); !parsed.ok()) {
    return FailUsage(parsed, "collide");
  }
  mesh_io::Mesh start;
  if (absl::Status read = ReadFrames(arguments, start); !read.ok()) return Fail(read, kExitUsage);
  v1::CollisionResult result;
  if (absl::Status done = Collide(arguments, start, result); !done.ok()) {
    return Fail(done, kExitRefused);
  }
  const v1::CollisionOptions& options = arguments.step.collision();
  Print(result, options.report());
  if (arguments.out.empty()) return 0;
  std::ofstream out(arguments.out);
  WriteJson(result, options.with_geometry(), out);
  if (out.flush().good()) return 0;
  return Fail(absl::UnavailableError(absl::StrCat(arguments.out, ": cannot write")), kExitUsage);
}

struct Command {
  const char* name;
  int (*run)(const std::vector<std::string>& words);
  std::string (*help)();
};
constexpr Command kCommands[] = {{"collide", RunCollide, CollideHelp},
                                 {"simplify", RunSimplify, SimplifyHelp},
                                 {"grammar", RunGrammar, GrammarHelp},
                                 {"token", RunToken, TokenHelp},
                                 {"health", RunHealth, HealthHelp}};

int Run(const std::vector<std::string>& words) {
  const bool wants_help = client_support::WantsHelp(words);
  for (const Command& command : kCommands) {
    if (words.empty() || words[0] != command.name) continue;
    if (!wants_help) return command.run({words.begin() + 1, words.end()});
    std::cout << command.help();
    return 0;
  }
  if (wants_help) {
    std::cout << CollideHelp();
    return 0;
  }
  const std::string found = words.empty() ? "no command" : words[0] + ": no such command";
  return FailUsage(
      absl::InvalidArgumentError(found + ", expected collide, simplify, grammar, token or health"),
      "collide");
}

}  // namespace
}  // namespace warpyard::cli

int main(int argc, char** argv) { return warpyard::cli::Run({argv + 1, argv + argc}); }
