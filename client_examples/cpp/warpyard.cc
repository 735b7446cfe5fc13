// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// warpyard collide START END: the collisions of a mesh that moves from one file to another.

#include <chrono>
#include <cstdint>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "client_examples/mesh_io/mesh_io.h"
#include "grpcpp/grpcpp.h"
#include "warpyard/v1/collision_service.grpc.pb.h"

namespace v1 = warpyard::v1;

namespace {
constexpr int kExitRefused = 1, kExitUsage = 2;
constexpr char kUsage[] =
    "usage: warpyard collide START END [--server HOST:PORT]\n"
    "    [--report collisions|earliest|candidates] [--root-finder conservative|cubic]\n"
    "    [--tolerance T] [--min-separation D] [--max-time T] [--geometry off|on]\n"
    "    [--deadline MS] [--priority low|normal|high|urgent] [--out FILE.json]\n"
    "START and END are PLY or OBJ files of a mesh with the same triangles.\n";

struct Arguments {
  std::vector<std::string> files;
  std::string server = "127.0.0.1:7843";
  std::string out;
  std::int64_t deadline_ms = 0;  // 0: none
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
  if (flag == "--geometry") {
    collision.set_with_geometry(value == "on");
    return value == "on" || value == "off";
  }
  double number;
  if (!absl::SimpleAtod(value, &number)) return false;
  if (flag == "--tolerance") collision.set_tolerance(number);
  if (flag == "--min-separation") collision.set_min_separation(number);
  if (flag == "--max-time") collision.set_max_time(number);
  if (flag == "--deadline") arguments.deadline_ms = static_cast<std::int64_t>(number);
  return flag == "--tolerance" || flag == "--min-separation" || flag == "--max-time" ||
         (flag == "--deadline" && number >= 1 && number <= 1e9);
}

bool ParseArguments(const std::vector<std::string>& words, Arguments& arguments) {
  if (words.empty() || words[0] != "collide") return false;
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (words[i].rfind("--", 0) != 0) {
      arguments.files.push_back(words[i]);
    } else if (++i == words.size() || !SetFlag(words[i - 1], words[i], arguments)) {
      std::cerr << "warpyard: " << words[i - 1] << ": no such flag, or no such value\n";
      return false;
    }
  }
  return arguments.files.size() == 2;
}

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

/// Opens a scene, runs the step and closes the scene again.
grpc::Status Collide(Arguments& arguments, const warpyard::mesh_io::Mesh& start,
                     v1::CollisionResult& result) {
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
                           std::chrono::milliseconds(arguments.deadline_ms));
  }
  v1::StreamStepsRequest request;
  request.mutable_step()->Swap(&arguments.step);
  request.mutable_step()->set_scene(scene.scene());
  const auto stream = stub->StreamSteps(&step_call);
  stream->Write(request);
  stream->WritesDone();
  v1::StreamStepsResponse part;
  while (stream->Read(&part)) {
    AppendLists(part.result(), result);
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

/// Writes a list of pairs, each `width` ids and, if there are times, its time.
void WritePairs(const std::string& ids, const std::string& times, std::size_t width,
                std::ostream& out) {
  const auto* id = reinterpret_cast<const std::uint32_t*>(ids.data());
  const auto* time = reinterpret_cast<const double*>(times.data());
  for (std::size_t pair = 0; pair < ids.size() / (4 * width); ++pair) {
    out << (pair == 0 ? "\n[" : ",\n[") << *id++;
    for (std::size_t i = 1; i < width; ++i) out << ", " << *id++;
    if (!times.empty()) out << ", " << time[pair];
    out << ']';
  }
}

/// Writes the geometry of each pair: `width` weights or parameters, and the normal.
void WriteGeometry(const std::string& places, const std::string& normals, std::size_t width,
                   std::ostream& out) {
  const auto* place = reinterpret_cast<const double*>(places.data());
  const auto* normal = reinterpret_cast<const double*>(normals.data());
  for (std::size_t pair = 0; pair < normals.size() / 24; ++pair) {
    out << (pair == 0 ? "\n[" : ",\n[");
    for (std::size_t i = 0; i < width; ++i) out << *place++ << ", ";
    for (std::size_t i = 0; i < 3; ++i) out << *normal++ << (i < 2 ? ", " : "]");
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

bool WriteJson(const std::string& path, const v1::CollisionResult& result, bool with_geometry) {
  std::ofstream out(path);
  out.precision(17);
  out << "{\"vertex_face\": [";
  WritePairs(result.vertex_face_ids(), result.vertex_face_times(), 2, out);
  out << "],\n\"edge_edge\": [";
  WritePairs(result.edge_edge_ids(), result.edge_edge_times(), 4, out);
  if (with_geometry) {
    out << "],\n\"vertex_face_geometry\": [";
    WriteGeometry(result.vertex_face_weights(), result.vertex_face_normals(), 3, out);
    out << "],\n\"edge_edge_geometry\": [";
    WriteGeometry(result.edge_edge_parameters(), result.edge_edge_normals(), 2, out);
  }
  out << "],\n\"earliest_toi\": ";
  result.has_earliest_time() ? out << result.earliest_time() : out << "null";
  out << ",\n\"statistics\": " << StatisticsJson(result.statistics()) << "}\n";
  return out.flush().good();
}

}  // namespace

int main(int argc, char** argv) {
  Arguments arguments;
  if (!ParseArguments({argv + 1, argv + argc}, arguments)) {
    std::cerr << kUsage;
    return kExitUsage;
  }
  const auto start = warpyard::mesh_io::ReadMesh(arguments.files[0]);
  const auto end = warpyard::mesh_io::ReadMesh(arguments.files[1]);
  const absl::Status read = start.ok() ? end.status() : start.status();
  if (!read.ok() || start->triangles != end->triangles) {
    std::cerr << "warpyard: " << (read.ok() ? "the triangles differ" : read.message()) << "\n";
    return kExitUsage;
  }
  SetPositions(*end, arguments.step.mutable_end());
  const bool with_geometry = arguments.step.collision().with_geometry();
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
  if (!arguments.out.empty() && !WriteJson(arguments.out, result, with_geometry)) {
    std::cerr << "warpyard: cannot write " << arguments.out << "\n";
    return kExitUsage;
  }
}
