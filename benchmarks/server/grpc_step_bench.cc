// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// bench.server.collision.step: the time of a unary Step beyond its computation and the transport of
// its bytes; prints JSON.
//
// A server in this process serves one scene on loopback. The benchmark alternates between three
// measurements, so that all of them see the same state of the machine: the step through gRPC, the
// same step through the same engine without gRPC, and requests and responses of the same sizes with
// a service that does nothing. Positions are float32.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "absl/time/clock.h"
#include "benchmarks/server/raw_step.h"
#include "benchmarks/server/step_input.h"
#include "benchmarks/support/command_line.h"
#include "benchmarks/support/engine_runs.h"
#include "core/api/collision.h"
#include "core/engine/engine.h"
#include "grpcpp/security/server_credentials.h"
#include "grpcpp/server_builder.h"
#include "server/server.h"
#include "warpyard/v1/collision_service.grpc.pb.h"

namespace warpyard::collision_bench {
namespace {

constexpr char kUsage[] =
    "usage: grpc_step_bench SCENE... [--backend cpu|cuda|auto] [--threads N]\n"
    "         [--reports earliest,collisions] [--order sorted|any] [--start kept|sent]\n"
    "         [--tolerance T] [--repeat N] [--machine TEXT] [--commit TEXT]\n"
    "SCENE: cloth-ball-like, funnel-like, bart-N, cloth-N (N triangles: 64, 100k, 10m), or\n"
    "       NAME=START,END (two mesh files)\n"
    "With --start kept only the end is sent, and the scene steps back, untimed, in between.\n";

constexpr Named<v1::Report> kWireReports[] = {{"earliest", v1::REPORT_EARLIEST},
                                              {"collisions", v1::REPORT_COLLISIONS},
                                              {"candidates", v1::REPORT_CANDIDATES}};

struct Arguments {
  std::vector<std::string> scenes;
  std::map<std::string, std::string> options{
      {"backend", "auto"}, {"threads", "0"},  {"reports", "earliest,collisions"},
      {"order", "sorted"}, {"start", "kept"}, {"tolerance", "1e-6"},
      {"repeat", "50"},    {"machine", ""},   {"commit", ""}};
  std::string command = "grpc_step_bench";
};

bool Parse(int argc, char** argv, Arguments& arguments) {
  return ReadCommandLine(argc, argv, arguments.scenes, arguments.options, arguments.command) &&
         !arguments.scenes.empty();
}

double Milliseconds(const google::protobuf::Duration& duration) {
  return static_cast<double>(duration.seconds()) * 1e3 + duration.nanos() * 1e-6;
}

/// Samples of measures, by name. @units milliseconds
class Samples {
 public:
  void Add(const std::string& name, double value) { values_[name].push_back(value); }

  /// Runs `work`, records its time, and returns it.
  template <class Work>
  double Time(const std::string& name, Work work) {
    const absl::Time begin = absl::Now();
    work();
    const double time = absl::ToDoubleMilliseconds(absl::Now() - begin);
    Add(name, time);
    return time;
  }

  double Median(const std::string& name) const {
    std::vector<double> values = values_.at(name);
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
  }

  std::string ToJson() const {
    std::string json = "{";
    for (const auto& [name, values] : values_) {
      absl::StrAppend(&json, json.size() == 1 ? "" : ",\n     ", "\"", name,
                      "\": ", Spread(values));
    }
    return json + "}";
  }

 private:
  std::map<std::string, std::vector<double>> values_;
};

/// The servers, which live as long as the process, and the two ways to run a step.
class Bench {
 public:
  explicit Bench(const Arguments& arguments) : arguments_(arguments) {
    server::ServerOptions options;
    options.listen = "127.0.0.1:0";
    options.metrics.clear();
    options.engine.backend = ValueOf(kBackends, Option("backend"));
    options.engine.threads = std::atoi(Option("threads").c_str());
    auto engine = OrExit(Engine::Create(options.engine));
    engine_ = engine.get();
    server_ = OrExit(server::Server::Start(options, std::move(engine)));
    stub_ = v1::CollisionService::NewStub(NewChannel(server_->port()));
    bytes_ = std::make_unique<RawStub>(NewChannel(server_->port()));
    grpc::ServerBuilder builder;
    int port = 0;
    builder.AddListeningPort("127.0.0.1:0", grpc::InsecureServerCredentials(), &port);
    builder.SetMaxReceiveMessageSize(-1);
    builder.SetMaxSendMessageSize(-1);
    builder.RegisterService(&transport_service_);
    transport_server_ = builder.BuildAndStart();
    transport_ = std::make_unique<RawStub>(NewChannel(port));
  }

  void Run() {
    std::cout << "{\"benchmark\": \"bench.server.collision.step\",\n"
              << " \"backend\": \"" << engine_->BackendDescription() << "\", \"machine\": \""
              << Option("machine") << "\", \"commit\": \"" << Option("commit")
              << "\",\n \"command\": \"" << arguments_.command << "\",\n \"cells\": [";
    for (const std::string& scene : arguments_.scenes) {
      Open(MakeInput(scene));
      const std::string name = scene.substr(0, scene.find('='));
      for (const auto report : absl::StrSplit(Option("reports"), ',')) {
        std::cerr << name << ", " << report << "\n";
        std::cout << separator_
                  << absl::StrFormat("\n  {\"scene\": \"%s\", \"report\": \"%s\",\n   ", name,
                                     report)
                  << Cell(std::string(report)) << "}" << std::flush;
        separator_ = ",";
      }
      Close();
    }
    std::cout << "\n]}\n";
  }

 private:
  const std::string& Option(const std::string& name) const { return arguments_.options.at(name); }
  bool SendsStart() const { return Option("start") == "sent"; }

  /// Opens the scene twice, so that neither way benefits from the other's caches.
  void Open(Input input) {
    input_ = std::move(input);
    v1::OpenSceneRequest request;
    *request.mutable_mesh()->mutable_positions() = input_.Message(0);
    request.mutable_mesh()->set_triangles(BytesOf(input_.triangles));
    request.mutable_mesh()->set_vertex_groups(BytesOf(input_.vertex_groups));
    collision::SceneDescription description;
    description.positions = input_.View(0);
    description.triangles = input_.triangles;
    description.vertex_groups = input_.vertex_groups;
    if (!input_.vertex_groups.empty()) {
      request.set_group_rule(v1::GROUP_RULE_DIFFERENT);
      description.group_rule = ccd::GroupRule::kDifferent;
    }
    v1::OpenSceneResponse response;
    grpc::ClientContext context;
    ExitUnlessOk(stub_->OpenScene(&context, request, &response));
    scene_name_ = response.scene();
    scene_ = OrExit(OpenAndWait(*engine_, description)).id;
  }

  void Close() {
    v1::CloseSceneRequest request;
    request.set_scene(scene_name_);
    v1::CloseSceneResponse response;
    grpc::ClientContext context;
    ExitUnlessOk(stub_->CloseScene(&context, request, &response));
    static_cast<void>(engine_->Close(scene_));
  }

  /// The step between two frames, as a message and for the engine.
  v1::StepRequest Request(int from, const std::string& report) const {
    v1::StepRequest request;
    request.set_scene(scene_name_);
    *request.mutable_end() = input_.Message(1 - from);
    if (SendsStart()) *request.mutable_start() = input_.Message(from);
    request.mutable_collision()->set_report(ValueOf(kWireReports, report));
    request.mutable_collision()->set_unsorted(Option("order") == "any");
    request.mutable_collision()->set_tolerance(std::atof(Option("tolerance").c_str()));
    return request;
  }
  SceneStep Description(int from, const std::string& report) const {
    SceneStep step{scene_, {input_.View(1 - from), std::nullopt, {}}};
    if (SendsStart()) step.step.start = input_.View(from);
    step.step.options.report = ValueOf(kReports, report);
    step.step.options.unsorted = Option("order") == "any";
    step.step.options.tolerance = std::atof(Option("tolerance").c_str());
    return step;
  }

  std::string Cell(const std::string& report) {
    const v1::StepRequest request = Request(0, report), back = Request(1, "earliest");
    const SceneStep step = Description(0, report), step_back = Description(1, "earliest");
    const grpc::ByteBuffer request_bytes = Serialized(request);
    // Messages are reused and keep their memory, as in a simulation's loop.
    v1::StepResponse response, ignored;
    grpc::ByteBuffer response_bytes;
    ccd::CollisionResult result;
    const auto go_back = [&] {
      if (!SendsStart()) CallStep(back, &ignored);
    };
    Samples samples;
    const int repeat = std::atoi(Option("repeat").c_str());
    for (int i = -1; i < repeat; ++i) {
      if (i == 0) samples = {};  // the first round makes room for lists and connects
      const double bytes_ms =
          samples.Time("step_of_bytes", [&] { bytes_->Step(request_bytes, &response_bytes); });
      const double bytes_phases_ms = PhasesOf(Parsed(&response_bytes));
      samples.Add("step_of_bytes_beyond_phases", bytes_ms - bytes_phases_ms);
      go_back();
      const double step_ms = samples.Time("step", [&] { CallStep(request, &response); });
      samples.Add("step_beyond_phases", step_ms - PhasesOf(response, &samples));
      go_back();
      const std::size_t response_size = response.ByteSizeLong();
      transport_service_.SetResponseBytes(response_size);
      samples.Time("transport", [&] { transport_->Step(request_bytes, &response_bytes); });
      const double engine_ms =
          samples.Time("engine", [&] { result = OrExit(StepAndWait(*engine_, step)); });
      AddEngine(result, engine_ms, samples);
      if (!SendsStart()) OrExit(StepAndWait(*engine_, step_back));
    }
    CheckSame(response.result(), result);
    return ToJson(response, request_bytes.Length(), samples);
  }

  void CallStep(const v1::StepRequest& request, v1::StepResponse* response) {
    grpc::ClientContext context;
    ExitUnlessOk(stub_->Step(&context, request, response));
  }

  /// The sum of the phases. Records them in `samples`, if given.
  static double PhasesOf(const v1::StepResponse& response, Samples* samples = nullptr) {
    double sum = 0;
    for (const v1::PhaseDuration& phase : response.result().statistics().phases()) {
      const double time = Milliseconds(phase.duration());
      if (samples != nullptr) samples->Add("phase_" + phase.phase(), time);
      sum += time;
    }
    return sum;
  }

  static void AddEngine(const ccd::CollisionResult& result, double engine_ms, Samples& samples) {
    double sum = 0;
    for (const PhaseTime& phase : result.statistics.phases) {
      sum += absl::ToDoubleMilliseconds(phase.duration);
    }
    samples.Add("engine_beyond_phases", engine_ms - sum);
  }

  static void CheckSame(const v1::CollisionResult& wire, const ccd::CollisionResult& result) {
    if (wire.vertex_face_ids().size() == 8 * result.vertex_face.size() &&
        wire.edge_edge_ids().size() == 16 * result.edge_edge.size() &&
        wire.has_earliest_time() == result.earliest_time.has_value()) {
      return;
    }
    std::cerr << "gRPC and the engine gave different results\n";
    std::exit(1);
  }

  static std::string ToJson(const v1::StepResponse& response, std::size_t request_bytes,
                            const Samples& samples) {
    const double transport = samples.Median("transport");
    const double beside = transport + samples.Median("engine_beyond_phases");
    const v1::CollisionStatistics& s = response.result().statistics();
    return absl::StrFormat(
        "\"vertices\": %u, \"triangles\": %u, \"request_bytes\": %u, \"response_bytes\": %u,\n"
        "   \"milliseconds\":\n    %s,\n"
        "   \"overhead_ms\": {\"of_medians\": %.4g, \"beyond_phases\": %.4g, "
        "\"beyond_phases_without_client\": %.4g}",
        s.vertices(), s.triangles(), request_bytes, response.ByteSizeLong(), samples.ToJson(),
        samples.Median("step") - transport - samples.Median("engine"),
        samples.Median("step_beyond_phases") - beside,
        samples.Median("step_of_bytes_beyond_phases") - beside);
  }

  const Arguments& arguments_;
  Engine* engine_ = nullptr;  // the server's
  std::unique_ptr<server::Server> server_;
  std::unique_ptr<v1::CollisionService::Stub> stub_;
  std::unique_ptr<RawStub> bytes_;
  TransportService transport_service_;
  std::unique_ptr<grpc::Server> transport_server_;
  std::unique_ptr<RawStub> transport_;
  Input input_;
  std::string scene_name_;
  ResidentId scene_;
  const char* separator_ = "";
};

int Main(int argc, char** argv) { return RunBench<Bench, Arguments>(argc, argv, kUsage); }

}  // namespace
}  // namespace warpyard::collision_bench

int main(int argc, char** argv) { return warpyard::collision_bench::Main(argc, argv); }
