// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "benchmarks/simplification/view_clients.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <memory>
#include <numbers>

#include "absl/status/status.h"
#include "absl/strings/str_format.h"
#include "absl/time/clock.h"
#include "benchmarks/support/closed_loop.h"
#include "benchmarks/support/samples.h"

namespace warpyard {
namespace {

class Client {
 public:
  Client(Engine& engine, const Eyes& eyes, const ViewLoad& load, double turn)
      : engine_(engine), eyes_(eyes), load_(load), turn_(turn) {}

  void Start() {
    stopped_ = false;
    running_ = true;
    latencies_ms_.clear();
    triangles_ = 0;
    Send();
  }
  void Stop() { stopped_ = true; }
  bool Runs() const { return running_; }
  /// @scope after it has stopped
  const std::vector<double>& LatenciesMs() const { return latencies_ms_; }
  double Triangles() const { return triangles_; }  ///< of all its cuts
  const absl::Status& status() const { return status_; }

 private:
  void Send() {
    turn_ += 0.01;
    begin_ = absl::Now();
    simplify::Simplify(engine_, load_.model, eyes_.Seen(turn_, load_.pixels), {},
                       [this](absl::StatusOr<simplify::SimplifiedMesh> result) {
                         latencies_ms_.push_back(absl::ToDoubleMilliseconds(absl::Now() - begin_));
                         status_.Update(result.status());
                         if (result.ok()) {
                           triangles_ += static_cast<double>(result->triangles.size()) / 3;
                         }
                         if (stopped_ || !status_.ok()) {
                           running_ = false;
                         } else {
                           Send();
                         }
                       });
  }

  Engine& engine_;
  const Eyes& eyes_;
  const ViewLoad& load_;
  double turn_;
  absl::Time begin_;
  std::vector<double> latencies_ms_;
  double triangles_ = 0;
  absl::Status status_;
  std::atomic<bool> stopped_ = false, running_ = false;
};

}  // namespace

Eyes::Eyes(const std::vector<float>& positions) {
  double middle[3], side = 0;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    double low = std::numeric_limits<double>::max(), high = -low;
    for (std::size_t i = axis; i < positions.size(); i += 3) {
      low = std::min(low, static_cast<double>(positions[i]));
      high = std::max(high, static_cast<double>(positions[i]));
    }
    middle[axis] = (low + high) / 2;
    side = std::max(side, high - low);
  }
  middle_ = {middle[0], middle[1], middle[2]};
  side_ = side;
}

simplify::ResultDescription Eyes::Seen(double turn, double pixels) const {
  const double angle = 2 * std::numbers::pi * turn;
  simplify::View view;
  view.forward = {-std::sin(angle), 0, -std::cos(angle)};
  view.eye = {middle_.x - 2 * side_ * view.forward.x, middle_.y,
              middle_.z - 2 * side_ * view.forward.z};
  view.near = side_ / 100;
  view.max_pixels = pixels;
  simplify::ResultDescription wanted;
  wanted.options.finish = simplify::Finish::kCut;
  wanted.options.views = simplify::ViewGoal{{view}};
  return wanted;
}

absl::StatusOr<std::string> RunViewClients(Engine& engine, const Eyes& eyes, const ViewLoad& load) {
  std::vector<std::unique_ptr<Client>> clients;
  for (std::size_t i = 0; i < load.clients; ++i) {
    const double turn = static_cast<double>(i) / static_cast<double>(load.clients);
    clients.push_back(std::make_unique<Client>(engine, eyes, load, turn));
  }
  collision_bench::RunClosedLoop(clients, load.duration / 4);  // to warm up
  const absl::Duration took = collision_bench::RunClosedLoop(clients, load.duration);
  std::vector<double> latencies;
  double triangles = 0;
  for (const auto& client : clients) {
    if (!client->status().ok()) return client->status();
    latencies.insert(latencies.end(), client->LatenciesMs().begin(), client->LatenciesMs().end());
    triangles += client->Triangles();
  }
  const auto views = static_cast<double>(latencies.size());
  return absl::StrFormat(
      "{\"pixels\": %g, \"clients\": %d, \"triangles\": %.0f, \"views_per_second\": %.5g, "
      "\"latency_ms\": {\"median\": %.4g, \"p99\": %.4g, \"max\": %.4g}}",
      load.pixels, load.clients, triangles / views, views / absl::ToDoubleSeconds(took),
      bench::Median(latencies), bench::Quantile(latencies, 0.99), bench::Quantile(latencies, 1));
}

}  // namespace warpyard
