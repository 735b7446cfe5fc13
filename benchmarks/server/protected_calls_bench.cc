// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// bench.server.protected: what TLS and metrics cost a service of small and of large jobs; prints
// JSON.
//
// Two servers in this process, one in plain text and one with TLS, answer the same steps on
// loopback in turn, so that both see the same state of the machine. A small step has 1 KiB of
// positions and 64 calls are in flight; a large request has 12 MB. It is measured as a job, a step
// of a scene of 333,333 triangles, one at a time; and, 4 in flight, with a scene that does not
// exist, so that the time is that of its bytes alone. The metrics are measured apart: the time of
// all that the series of a call and its job count, as part of the processor time of a small step.
#include <sys/resource.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "benchmarks/server/call_rounds.h"
#include "benchmarks/support/command_line.h"
#include "benchmarks/support/engine_runs.h"
#include "core/api/collision.h"
#include "server/jobs/job_watch.h"
#include "server/metrics/metrics.h"
#include "server/server.h"

namespace warpyard::collision_bench {
namespace {

constexpr char kUsage[] =
    "usage: protected_calls_bench --cert FILE --key FILE [--threads N] [--rounds N]\n"
    "         [--seconds N] [--machine TEXT] [--commit TEXT]\n"
    "The certificate (PEM) must be valid for localhost and signed by itself:\n"
    "  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2\n"
    "    -keyout key.pem -out cert.pem -subj /CN=localhost -addext subjectAltName=DNS:localhost\n";
constexpr int kSmallTriangles = 14;  // of three vertices of 12 bytes, at both ends: 1,008 bytes
constexpr int kSmallInFlight = 64;
constexpr int kLargeTriangles = 333'333;
constexpr std::size_t kLargeBytes = std::size_t{kLargeTriangles} * 36;
constexpr int kLargeInFlight = 4;

struct Arguments {
  std::vector<std::string> words;
  std::map<std::string, std::string> options{{"cert", ""},    {"key", ""},      {"threads", "1"},
                                             {"rounds", "7"}, {"seconds", "3"}, {"machine", ""},
                                             {"commit", ""}};
  std::string command = "protected_calls_bench";
};

bool Parse(int argc, char** argv, Arguments& arguments) {
  return ReadCommandLine(argc, argv, arguments.words, arguments.options, arguments.command) &&
         arguments.words.empty() && !arguments.options["cert"].empty();
}

std::string ReadFile(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Time of the processors that this process has taken, in seconds.
double ProcessorSeconds() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

/// A server and a client of it, who has opened scenes of triangles that do not meet.
class Side {
 public:
  Side(const Arguments& arguments, bool is_protected) {
    server::ServerOptions options;
    options.listen = "127.0.0.1:0";
    options.metrics.clear();
    options.engine.backend = BackendChoice::kCpu;
    options.engine.threads = std::atoi(arguments.options.at("threads").c_str());
    if (is_protected) {
      options.security.tls.certificate = arguments.options.at("cert");
      options.security.tls.key = arguments.options.at("key");
    }
    server_ = OrExit(server::Server::Start(options, OrExit(Engine::Create(options.engine))));
    grpc::SslCredentialsOptions tls;
    tls.pem_root_certs = ReadFile(arguments.options.at("cert"));
    const auto credentials =
        is_protected ? grpc::SslCredentials(tls) : grpc::InsecureChannelCredentials();
    stub_ = v1::CollisionService::NewStub(
        grpc::CreateChannel(absl::StrCat("localhost:", server_->port()), credentials));
    Open(kSmallTriangles, small_);
    *small_.mutable_start() = small_.end();
    Open(kLargeTriangles, large_);
    unknown_ = large_;
    unknown_.set_scene("scene-0");
  }

  /// Small steps a second.
  double Small(absl::Duration time) {
    return Round(small_, kSmallInFlight, time, grpc::StatusCode::OK);
  }
  /// Bytes of large steps a second, in MB.
  double Large(absl::Duration time) {
    return Round(large_, 1, time, grpc::StatusCode::OK) * kLargeBytes * 1e-6;
  }
  /// Bytes a second without work on them, in MB.
  double Bytes(absl::Duration time) {
    return Round(unknown_, kLargeInFlight, time, grpc::StatusCode::NOT_FOUND) * kLargeBytes * 1e-6;
  }

 private:
  /// Opens a scene, and makes its step.
  void Open(int triangles, v1::StepRequest& step) {
    std::vector<float> positions;
    std::vector<std::uint32_t> corners;
    for (int i = 0; i < triangles; ++i) {
      const float x = 10.0f * static_cast<float>(i);
      positions.insert(positions.end(), {x, 0, 0, x + 1, 0, 0, x, 1, 0});
      for (int corner = 0; corner < 3; ++corner) {
        corners.push_back(static_cast<std::uint32_t>(3 * i + corner));
      }
    }
    v1::OpenSceneRequest open;
    v1::Positions& at = *open.mutable_mesh()->mutable_positions();
    at.set_scalar_type(v1::SCALAR_TYPE_FLOAT32);
    at.set_data({reinterpret_cast<const char*>(positions.data()), positions.size() * 4});
    open.mutable_mesh()->set_triangles(
        {reinterpret_cast<const char*>(corners.data()), corners.size() * 4});
    grpc::ClientContext context;
    v1::OpenSceneResponse opened;
    const grpc::Status status = stub_->OpenScene(&context, open, &opened);
    if (!status.ok()) {
      std::cerr << status.error_message() << "\n";
      std::exit(1);
    }
    step.set_scene(opened.scene());
    *step.mutable_end() = at;
  }

  double Round(const v1::StepRequest& request, int in_flight, absl::Duration time,
               grpc::StatusCode expected) {
    CallRound round(*stub_, request, in_flight);
    const double rate = round.Run(time, expected);
    if (round.wrong() == 0) return rate;
    std::cerr << round.wrong() << " calls ended with another status than expected\n";
    std::exit(1);
  }

  std::unique_ptr<server::Server> server_;
  std::unique_ptr<v1::CollisionService::Stub> stub_;
  v1::StepRequest small_, large_, unknown_;
};

/// Nanoseconds of all that the metrics of a small step count.
double MetricsNs() {
  constexpr int kCalls = 100'000;
  server::Metrics metrics({"1", "cpu", "service"});
  server::JobSeries& jobs = metrics.AddJobs("step", collision::kStepPhases);
  server::MethodSeries& method = metrics.AddMethod("warpyard.v1.CollisionService/Step");
  PhaseTimes phases;
  for (const std::string_view phase : collision::kStepPhases) {
    phases.push_back({phase, absl::Microseconds(7)});
  }
  const absl::Time begin = absl::Now();
  for (int i = 0; i < kCalls; ++i) {
    method.Started();
    method.Received(1024);
    const auto watch = std::make_shared<server::JobWatch>(jobs, JobOptions());
    watch->OnStart(absl::Microseconds(3));
    watch->End(absl::OkStatus(), absl::InfiniteFuture());
    jobs.Phases(phases);
    method.Sent(200);
    method.Completed(absl::StatusCode::kOk, absl::Microseconds(90));
  }
  return absl::ToDoubleNanoseconds(absl::Now() - begin) / kCalls;
}

class Bench {
 public:
  explicit Bench(const Arguments& arguments)
      : arguments_(arguments), plain_(arguments, false), tls_(arguments, true) {}

  void Run() {
    const absl::Duration time = absl::Seconds(std::atoi(Option("seconds")));
    const int rounds = std::atoi(Option("rounds"));
    Measure(time, false);  // warms up
    for (int round = 0; round < rounds; ++round) {
      std::cerr << "round " << round + 1 << " of " << rounds << "\n";
      Measure(time, true);
    }
    Print();
  }

 private:
  const char* Option(const char* name) const { return arguments_.options.at(name).c_str(); }

  /// One of two numbers for each side.
  struct Pair {
    double plain, tls;

    double LossPercent() const { return 100 * (1 - tls / plain); }
  };

  /// Measures both sides, the first one in turn.
  template <class Measure>
  Pair Both(Measure&& measure) {
    Pair pair;
    if (tls_first_) pair.tls = measure(tls_);
    pair.plain = measure(plain_);
    if (!tls_first_) pair.tls = measure(tls_);
    return pair;
  }

  void Measure(absl::Duration time, bool keep) {
    tls_first_ = !tls_first_;
    double call_us = 0;
    const Pair small = Both([&](Side& side) {
      const double begin = ProcessorSeconds();
      const double rate = side.Small(time);
      if (&side == &plain_) {
        call_us = (ProcessorSeconds() - begin) * 1e6 / (rate * absl::ToDoubleSeconds(time));
      }
      return rate;
    });
    const Pair large = Both([&](Side& side) { return side.Large(time); });
    const Pair bytes = Both([&](Side& side) { return side.Bytes(time); });
    const double metrics_ns = MetricsNs();
    if (!keep) return;
    const std::pair<const char*, double> measures[] = {
        {"small_plain_per_s", small.plain},
        {"small_tls_per_s", small.tls},
        {"small_tls_loss_percent", small.LossPercent()},
        {"large_plain_mb_per_s", large.plain},
        {"large_tls_mb_per_s", large.tls},
        {"large_tls_loss_percent", large.LossPercent()},
        {"bytes_plain_mb_per_s", bytes.plain},
        {"bytes_tls_mb_per_s", bytes.tls},
        {"bytes_tls_loss_percent", bytes.LossPercent()},
        {"small_plain_processor_us", call_us},
        {"metrics_ns_per_call", metrics_ns},
        {"metrics_percent_of_processor", 0.1 * metrics_ns / call_us}};
    for (const auto& [name, value] : measures) samples_[name].push_back(value);
  }

  void Print() const {
    std::cout << "{\"benchmark\": \"bench.server.protected\",\n \"machine\": \""
              << Option("machine") << "\", \"commit\": \"" << Option("commit")
              << "\",\n \"command\": \"" << arguments_.command << "\",\n \"measures\": {";
    const char* separator = "\n  ";
    for (const auto& [name, values] : samples_) {
      std::cout << separator << "\"" << name << "\": " << Spread(values);
      separator = ",\n  ";
    }
    std::cout << "}}\n";
  }

  const Arguments& arguments_;
  Side plain_, tls_;
  bool tls_first_ = false;
  std::map<std::string, std::vector<double>> samples_;
};

}  // namespace
}  // namespace warpyard::collision_bench

int main(int argc, char** argv) {
  namespace bench = warpyard::collision_bench;
  return bench::RunBench<bench::Bench, bench::Arguments>(argc, argv, bench::kUsage);
}
