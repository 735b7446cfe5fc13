// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// warpyard-robot-cell: an arm over a table swings until it meets a post. Prints the first
// collision. The cell is uploaded once; after that a step is one 3x4 matrix for each body that
// moves. Behind a proxy the cell outlives its server: it is uploaded again where it was lost.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <iostream>
#include <string>
#include <tuple>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "client_examples/support/call_error.h"
#include "client_examples/support/command_line.h"
#include "client_examples/support/connection.h"
#include "client_examples/support/session.h"
#include "grpcpp/grpcpp.h"
#include "warpyard/v1/collision_service.grpc.pb.h"

namespace v1 = warpyard::v1;
namespace client_support = warpyard::client_support;

namespace {

using Point = std::array<double, 3>;
using Matrix = std::array<double, 12>;  // 3x4, row by row

constexpr int kExitRefused = 1, kExitUsage = 2;
constexpr char kName[] = "warpyard-robot-cell";
constexpr char kHelp[] =
    "usage: warpyard-robot-cell [FLAG VALUE]\n"
    "\n"
    "Swings a robot's arm over a table until it meets a post, one step a pose, and prints where.\n"
    "\n";
constexpr char kExitHelp[] = "\nExit status: 0 done, 1 no server or it refused, 2 wrong usage.\n";

struct Body {
  const char* name;
  Point corners[2];  // low and high, in metres
};

/// The bodies when all joints are at 0, with gaps at the joints. The table and
/// the post never move, so they come last.
constexpr Body kBodies[] = {{"base", {{-0.1, -0.1, 0.01}, {0.1, 0.1, 0.4}}},
                            {"upper arm", {{0.1, -0.05, 0.45}, {0.6, 0.05, 0.55}}},
                            {"forearm", {{0.8, -0.05, 0.45}, {1.2, 0.05, 0.55}}},
                            {"table", {{-1.5, -1.5, -0.05}, {1.5, 1.5, 0.0}}},
                            {"post", {{-0.05, 0.95, 0.01}, {0.05, 1.05, 0.9}}}};
constexpr std::uint32_t kStaticBodies = 2;
constexpr Point kShoulder = {0, 0, 0.5}, kElbow = {0.7, 0, 0.5};
constexpr int kRaiseSteps = 10, kSwingSteps = 40, kSteps = kRaiseSteps + kSwingSteps;
constexpr std::uint32_t kVertices = 8, kTriangles = 12;  // of a box

/// The rigid transform that applies b first and then a.
Matrix operator*(const Matrix& a, const Matrix& b) {
  Matrix product{};
  for (std::size_t row = 0; row < 3; ++row) {
    for (std::size_t column = 0; column < 4; ++column) {
      double& entry = product[4 * row + column];
      for (std::size_t k = 0; k < 3; ++k) entry += a[4 * row + k] * b[4 * k + column];
      if (column == 3) entry += a[4 * row + 3];
    }
  }
  return product;
}

Matrix TurnAboutZ(double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  return {c, -s, 0, 0, s, c, 0, 0, 0, 0, 1, 0};
}

Matrix TurnAboutY(double angle, const Point& pivot) {
  const double c = std::cos(angle), s = std::sin(angle), x = pivot[0], z = pivot[2];
  return {c, 0, s, x - c * x - s * z, 0, 1, 0, 0, -s, 0, c, z + s * x - c * z};
}

double BaseAngle(double step) { return 0.05 * std::max(0.0, step - kRaiseSteps); }

/// The path: the arm is raised with the forearm level, then it swings. The pose moves each body of
/// the arm from its uploaded place to its place after the step.
v1::Pose PoseAfter(int step) {
  const double raised = 0.02 * std::min(step, kRaiseSteps);
  const Matrix swing = TurnAboutZ(BaseAngle(step));
  const Matrix upper = swing * TurnAboutY(-raised, kShoulder);
  const Matrix matrices[] = {swing, upper, upper * TurnAboutY(raised, kElbow)};
  v1::Pose pose;
  pose.set_matrices(matrices, sizeof matrices);
  return pose;
}

v1::TriangleMesh CellMesh() {
  std::vector<float> positions;
  std::vector<std::uint32_t> triangles, groups;
  for (const Body& body : kBodies) {
    const auto first = static_cast<std::uint32_t>(groups.size());
    for (std::uint32_t corner = 0; corner < kVertices; ++corner) {
      for (std::size_t axis = 0; axis < 3; ++axis) {
        positions.push_back(static_cast<float>(body.corners[corner >> axis & 1][axis]));
      }
      groups.push_back(first / kVertices);
    }
    constexpr std::uint32_t kSides[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                            {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
    for (const auto& [a, b, c, d] : kSides) {
      for (const std::uint32_t v : {a, b, c, a, c, d}) triangles.push_back(first + v);
    }
  }
  v1::TriangleMesh mesh;
  mesh.mutable_positions()->set_scalar_type(v1::SCALAR_TYPE_FLOAT32);
  mesh.mutable_positions()->set_data(positions.data(), positions.size() * sizeof(float));
  mesh.set_triangles(triangles.data(), triangles.size() * sizeof(std::uint32_t));
  mesh.set_vertex_groups(groups.data(), groups.size() * sizeof(std::uint32_t));
  return mesh;
}

/// Time and bodies of the earliest pair.
std::tuple<double, std::uint32_t, std::uint32_t> FirstPair(const v1::CollisionResult& result) {
  std::tuple<double, std::uint32_t, std::uint32_t> first{2, 0, 0};
  const auto add = [&first](double time, std::uint32_t a, std::uint32_t b) {
    first = std::min(first, {time, std::min(a, b), std::max(a, b)});
  };
  const auto* ids = reinterpret_cast<const std::uint32_t*>(result.vertex_face_ids().data());
  const auto* times = reinterpret_cast<const double*>(result.vertex_face_times().data());
  for (std::size_t i = 0; i < result.vertex_face_times().size() / sizeof(double); ++i) {
    add(times[i], ids[2 * i] / kVertices, ids[2 * i + 1] / kTriangles);
  }
  ids = reinterpret_cast<const std::uint32_t*>(result.edge_edge_ids().data());
  times = reinterpret_cast<const double*>(result.edge_edge_times().data());
  for (std::size_t i = 0; i < result.edge_edge_times().size() / sizeof(double); ++i) {
    add(times[i], ids[4 * i] / kVertices, ids[4 * i + 2] / kVertices);
  }
  return first;
}

/// How far the arm moved.
struct Swing {
  int step = 0;       ///< the last step; bodies met in it if the result has an earliest time
  double strays = 0;  ///< the largest path deviation
  v1::CollisionResult result;
};

/// Takes one step. The cell starts at the end of its last step. A new scene has no last step, so
/// its request tells where the cell starts.
grpc::Status TakeStep(v1::CollisionService::Stub& stub, client_support::Resident& scene,
                      Swing& swing) {
  using client_support::Resident;
  v1::StepResponse response;
  const grpc::Status status =
      scene.Call(absl::Seconds(5), [&](grpc::ClientContext& call, const Resident::Handle& handle) {
        v1::StepRequest request;
        request.set_scene(handle.name);
        *request.mutable_end_pose() = PoseAfter(swing.step);
        const bool begins = handle.is_new || swing.step == 1;
        if (begins) *request.mutable_start_pose() = PoseAfter(swing.step - 1);
        return stub.Step(&call, request, &response);
      });
  swing.result.Swap(response.mutable_result());
  swing.strays = std::max(swing.strays, swing.result.path_deviation());
  return status;
}

/// Steps through the path up to the first collision.
grpc::Status FollowPath(v1::CollisionService::Stub& stub, client_support::Resident& scene,
                        Swing& swing) {
  for (swing.step = 1; swing.step <= kSteps; ++swing.step) {
    const grpc::Status status = TakeStep(stub, scene, swing);
    if (!status.ok() || swing.result.has_earliest_time()) return status;
  }
  return grpc::Status::OK;
}

/// Opens the cell as a scene, follows the path some times and closes the scene.
grpc::Status RunCell(v1::CollisionService::Stub& stub, std::uint32_t swings, Swing& swing) {
  v1::OpenSceneRequest open;
  *open.mutable_mesh() = CellMesh();
  open.set_group_rule(v1::GROUP_RULE_DIFFERENT);
  open.set_static_vertices(kStaticBodies * kVertices);
  client_support::Resident scene([&](grpc::ClientContext& call, std::string& name) {
    v1::OpenSceneResponse opened;
    const grpc::Status status = stub.OpenScene(&call, open, &opened);
    name = opened.scene();
    return status;
  });
  grpc::Status status;
  for (std::uint32_t i = 0; i < swings && status.ok(); ++i) {
    status = FollowPath(stub, scene, swing);
  }
  // If this fails, the server closes the scene some time.
  scene.Close([&](grpc::ClientContext& call, const client_support::Resident::Handle& handle) {
    v1::CloseSceneRequest close;
    close.set_scene(handle.name);
    v1::CloseSceneResponse closed;
    return stub.CloseScene(&call, close, &closed);
  });
  return status;
}

client_support::Flag SwingsFlag(std::uint32_t& swings) {
  return {"--swings", "N", "times that the arm swings (default 1)", "a number from 1 on",
          [&swings](const std::string& word) {
            return absl::SimpleAtoi(word, &swings) && swings >= 1;
          }};
}

void Print(const Swing& swing) {
  if (swing.result.has_earliest_time()) {
    const auto [time, a, b] = FirstPair(swing.result);
    std::cout << absl::StreamFormat("step %d of %d: %s and %s meet, base at %.3f rad\n", swing.step,
                                    kSteps, kBodies[a].name, kBodies[b].name,
                                    BaseAngle(swing.step - 1 + time));
  } else {
    std::cout << absl::StreamFormat("no collision in %d steps\n", kSteps);
  }
  // The path of each of two bodies may deviate by this much, so bodies that keep more than twice it
  // apart are safe.
  std::cout << absl::StreamFormat("straight paths stray from arcs by at most %.2f mm a body\n",
                                  1000 * swing.strays);
}

int Refused(absl::string_view message) {
  std::cerr << kName << ": " << message << "\n";
  return kExitRefused;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  client_support::Endpoint server;
  std::uint32_t swings = 1;
  const std::vector<client_support::Flag> flags =
      client_support::WithEndpointFlags(server, {SwingsFlag(swings)});
  const client_support::ProgramTexts program = {kName, kHelp, kExitHelp, kExitUsage};
  if (const auto exit = client_support::ReadFlagsAlone(program, flags, words)) return *exit;
  const auto channel = client_support::Connect(server, client_support::Route::kAnyServer);
  if (!channel.ok()) return Refused(channel.status().message());
  const auto stub = v1::CollisionService::NewStub(*channel);
  Swing swing;
  const grpc::Status status = RunCell(*stub, swings, swing);
  if (!status.ok()) return Refused(client_support::Explain(status));
  Print(swing);
}
