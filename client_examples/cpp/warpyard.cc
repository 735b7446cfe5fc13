// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// warpyard collide START END: the collisions of a mesh that moves from one file to another.

#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <string>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "client_examples/mesh_io/mesh_io.h"
#include "grpcpp/grpcpp.h"
#include "warpyard/v1/collision_service.grpc.pb.h"

namespace {

namespace v1 = warpyard::v1;
using warpyard::mesh_io::Mesh;

constexpr int kExitRefused = 1;
constexpr int kExitUsage = 2;
constexpr char kUsage[] =
    "usage: warpyard collide START END [--server HOST:PORT]\n"
    "           [--report collisions|earliest|candidates] [--root-finder conservative|cubic]\n"
    "           [--tolerance T] [--deadline MS] [--priority low|normal|high|urgent]\n"
    "           [--out FILE.json]\n"
    "START and END are PLY or OBJ files of a mesh with the same triangles.\n";

struct Arguments {
  std::vector<std::string> files;
  std::string server = "127.0.0.1:7843";
  std::string out;
  double deadline_ms = 0;  // 0: none
  v1::StepRequest step;
};

bool SetEnum(const char* field, const std::string& value, google::protobuf::Message& message) {
  const auto* descriptor = message.GetDescriptor()->FindFieldByName(field);
  const auto* number = descriptor->enum_type()->FindValueByName(absl::AsciiStrToUpper(value));
  if (number == nullptr) return false;
  message.GetReflection()->SetEnum(&message, descriptor, number);
  return true;
}

/// Reads one flag; false: it is unknown, or its value is wrong.
bool SetFlag(const std::string& flag, const std::string& value, Arguments& arguments) {
  v1::CollisionOptions& collision = *arguments.step.mutable_collision();
  v1::JobOptions& job = *arguments.step.mutable_job();
  if (flag == "--server") return !(arguments.server = value).empty();
  if (flag == "--out") return !(arguments.out = value).empty();
  if (flag == "--report") return SetEnum("report", "report_" + value, collision);
  if (flag == "--root-finder") return SetEnum("root_finder", "root_finder_" + value, collision);
  if (flag == "--priority") return SetEnum("priority", "priority_" + value, job);
  double number;
  if (!absl::SimpleAtod(value, &number)) return false;
  if (flag == "--tolerance") collision.set_tolerance(number);
  if (flag == "--deadline") arguments.deadline_ms = number;
  return flag == "--tolerance" || (flag == "--deadline" && number >= 1 && number <= 1e9);
}

bool ParseArguments(const std::vector<std::string>& words, Arguments& arguments) {
  if (words.empty() || words[0] != "collide") return false;
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (words[i].rfind("--", 0) != 0) {
      arguments.files.push_back(words[i]);
    } else if (i + 1 == words.size() || !SetFlag(words[i], words[i + 1], arguments)) {
      std::fprintf(stderr, "warpyard: %s: no such flag, or no such value\n", words[i].c_str());
      return false;
    } else {
      ++i;
    }
  }
  return arguments.files.size() == 2;
}

void SetPositions(const Mesh& mesh, v1::Positions* positions) {
  if (mesh.positions_are_float) {
    const std::vector<float> floats(mesh.positions.begin(), mesh.positions.end());
    positions->set_scalar_type(v1::SCALAR_TYPE_FLOAT32);
    positions->set_data(floats.data(), floats.size() * sizeof(float));
  } else {
    positions->set_scalar_type(v1::SCALAR_TYPE_FLOAT64);
    positions->set_data(mesh.positions.data(), mesh.positions.size() * sizeof(double));
  }
}

/// Opens a scene, runs the step and closes the scene again.
grpc::Status Collide(Arguments& arguments, const Mesh& start, v1::CollisionResult& result) {
  const auto stub = v1::CollisionService::NewStub(
      grpc::CreateChannel(arguments.server, grpc::InsecureChannelCredentials()));
  v1::OpenSceneRequest open;
  SetPositions(start, open.mutable_mesh()->mutable_positions());
  open.mutable_mesh()->set_triangles(start.triangles.data(), start.triangles.size() * 4);
  *open.mutable_job() = arguments.step.job();
  v1::OpenSceneResponse scene;
  grpc::ClientContext open_call;
  grpc::Status status = stub->OpenScene(&open_call, open, &scene);
  if (!status.ok()) return status;

  // One step as a stream, since the lists may be larger than one message.
  grpc::ClientContext step_call;
  if (arguments.deadline_ms > 0) {
    step_call.set_deadline(std::chrono::system_clock::now() +
                           std::chrono::milliseconds(std::lround(arguments.deadline_ms)));
  }
  v1::StreamStepsRequest request;
  request.mutable_step()->Swap(&arguments.step);
  request.mutable_step()->set_scene(scene.scene());
  const auto stream = stub->StreamSteps(&step_call);
  stream->Write(request);
  stream->WritesDone();
  v1::StreamStepsResponse part;
  while (stream->Read(&part)) {
    result.mutable_vertex_face_ids()->append(part.result().vertex_face_ids());
    result.mutable_vertex_face_times()->append(part.result().vertex_face_times());
    result.mutable_edge_edge_ids()->append(part.result().edge_edge_ids());
    result.mutable_edge_edge_times()->append(part.result().edge_edge_times());
    if (!part.last_part()) continue;
    *result.mutable_statistics() = part.result().statistics();
    if (part.result().has_earliest_time()) result.set_earliest_time(part.result().earliest_time());
  }
  status = stream->Finish();

  v1::CloseSceneRequest close;
  close.set_scene(scene.scene());
  v1::CloseSceneResponse closed;
  grpc::ClientContext close_call;
  stub->CloseScene(&close_call, close, &closed);
  return status;
}

/// Writes a list of pairs, each `width` vertex or face ids and, if there are times, its time.
void WritePairs(std::FILE* file, const std::string& ids, const std::string& times,
                std::size_t width) {
  for (std::size_t pair = 0; pair < ids.size() / (4 * width); ++pair) {
    std::fputs(pair == 0 ? "\n[" : ",\n[", file);
    for (std::size_t i = 0; i < width; ++i) {
      std::uint32_t id;
      std::memcpy(&id, ids.data() + 4 * (pair * width + i), sizeof(id));
      std::fprintf(file, i == 0 ? "%u" : ", %u", id);
    }
    double time;
    if (!times.empty()) {
      std::memcpy(&time, times.data() + 8 * pair, sizeof(time));
      std::fprintf(file, ", %.17g", time);
    }
    std::fputc(']', file);
  }
}

/// The statistics as JSON, with the phases as an object in milliseconds.
std::string StatisticsJson(const v1::CollisionStatistics& s) {
  std::string phases;
  for (const v1::PhaseDuration& phase : s.phases()) {
    const double ms =
        1e3 * static_cast<double>(phase.duration().seconds()) + 1e-6 * phase.duration().nanos();
    absl::StrAppend(&phases, phases.empty() ? "" : ", ", "\"", phase.phase(), "\": ", ms);
  }
  return absl::StrCat("{\"vertices\": ", s.vertices(), ", \"edges\": ", s.edges(),
                      ", \"triangles\": ", s.triangles(),
                      ", \"vertex_face_candidates\": ", s.vertex_face_candidates(),
                      ", \"edge_edge_candidates\": ", s.edge_edge_candidates(),
                      ", \"capped_pairs\": ", s.capped_pairs(), ", \"phases_ms\": {", phases, "}}");
}

bool WriteJson(const std::string& path, const v1::CollisionResult& result) {
  std::FILE* file = std::fopen(path.c_str(), "w");
  if (file == nullptr) return false;
  std::fputs("{\"vertex_face\": [", file);
  WritePairs(file, result.vertex_face_ids(), result.vertex_face_times(), 2);
  std::fputs("],\n\"edge_edge\": [", file);
  WritePairs(file, result.edge_edge_ids(), result.edge_edge_times(), 4);
  std::fputs("],\n\"earliest_toi\": ", file);
  std::fprintf(file, result.has_earliest_time() ? "%.17g" : "null", result.earliest_time());
  std::fprintf(file, ",\n\"statistics\": %s}\n", StatisticsJson(result.statistics()).c_str());
  return std::fclose(file) == 0;
}

}  // namespace

int main(int argc, char** argv) {
  Arguments arguments;
  if (!ParseArguments({argv + 1, argv + argc}, arguments)) {
    std::fputs(kUsage, stderr);
    return kExitUsage;
  }
  const auto start = warpyard::mesh_io::ReadMesh(arguments.files[0]);
  const auto end = warpyard::mesh_io::ReadMesh(arguments.files[1]);
  if (!start.ok() || !end.ok() || start->triangles != end->triangles) {
    const absl::Status status = !start.ok() ? start.status() : end.status();
    std::cerr << "warpyard: " << (status.ok() ? "the files differ in triangles" : status.message())
              << "\n";
    return kExitUsage;
  }
  SetPositions(*end, arguments.step.mutable_end());
  v1::CollisionResult result;
  const grpc::Status status = Collide(arguments, *start, result);
  if (!status.ok()) {
    std::cerr << "warpyard: " << status.error_message() << "\n";
    return kExitRefused;
  }
  std::cout << result.vertex_face_ids().size() / 8 << " vertex-face and "
            << result.edge_edge_ids().size() / 16 << " edge-edge pairs, earliest "
            << (result.has_earliest_time() ? absl::StrCat(result.earliest_time()) : "none") << "\n"
            << StatisticsJson(result.statistics()) << "\n";
  if (!arguments.out.empty() && !WriteJson(arguments.out, result)) {
    std::cerr << "warpyard: cannot write " << arguments.out << "\n";
    return kExitUsage;
  }
  return 0;
}
