// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// bench.engine.collision.static: steps of a small scene above a large one that never moves, such as
// a floor. Contenders by turns in the same run: the small scene alone, both with static vertices,
// and both with the positions of all vertices in each step. Prints JSON: times by phase.
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_format.h"
#include "benchmarks/scenes/moving_scene.h"
#include "benchmarks/support/command_line.h"
#include "benchmarks/support/engine_runs.h"
#include "core/api/collision.h"
#include "core/engine/engine.h"

namespace warpyard::collision_bench {
namespace {

constexpr char kUsage[] =
    "usage: static_bench MOVING STATIC [--backend cpu|cuda|auto] [--threads N] [--steps N]\n"
    "         [--report earliest|collisions] [--machine TEXT] [--commit TEXT]\n"
    "MOVING, STATIC: generated scenes: cloth-1k cloth-1m, ...\n";

/// Consecutive frames of the scene that moves, which steps go through in turn.
constexpr int kFrames = 8;

struct Arguments {
  std::vector<std::string> scenes;
  std::map<std::string, std::string> options{{"backend", "auto"}, {"threads", "0"},
                                             {"steps", "200"},    {"report", "earliest"},
                                             {"machine", ""},     {"commit", ""}};
  std::string command = "static_bench";
  int steps = 0;
};

/// Returns false for a wrong command line.
bool Parse(int argc, char** argv, Arguments& arguments) {
  return ReadCommandLine(argc, argv, arguments.scenes, arguments.options, arguments.command) &&
         absl::SimpleAtoi(arguments.options.at("steps"), &arguments.steps) && arguments.steps > 0 &&
         arguments.scenes.size() == 2;
}

/// A scene that moves, and below it one that does not.
struct Both {
  scenes::MovingScene moving, all;
  std::uint32_t static_vertices = 0;

  Both(scenes::MovingScene above, const scenes::MovingScene& below)
      : moving(std::move(above)), all(moving) {
    const std::vector<float>& floor = below.frames[0];
    static_vertices = static_cast<std::uint32_t>(floor.size() / 3);
    const auto first = static_cast<std::uint32_t>(moving.Vertices());
    for (const std::uint32_t corner : below.triangles) all.triangles.push_back(corner + first);
    for (std::vector<float>& frame : all.frames) {
      frame.insert(frame.end(), floor.begin(), floor.end());
    }
  }
};

/// An open scene that steps through its frames.
class Contender {
 public:
  Contender(Engine& engine, std::string name, const scenes::MovingScene& mesh,
            std::uint32_t static_vertices)
      : name_(std::move(name)), engine_(engine) {
    collision::SceneDescription scene;
    scene.positions = View(mesh.frames[0]);
    scene.triangles = mesh.triangles;
    scene.static_vertices = static_vertices;
    for (const std::vector<float>& frame : mesh.frames) {
      frames_.push_back(View(frame));
      frames_.back().vertices -= static_vertices;  // the last ones
    }
    id_ = OrExit(OpenAndWait(engine, scene)).id;
  }
  ~Contender() { engine_.Close(id_).IgnoreError(); }

  /// Steps through all frames; the step back to the first one does not count.
  void Run(ccd::Report report) {
    for (std::size_t frame = 0; frame < frames_.size(); ++frame) {
      SceneStep step{id_, {frames_[frame], std::nullopt, {}}};
      step.step.options.report = report;
      if (frame == 0) {
        step.step.start = frames_[0];
        OrExit(StepAndWait(engine_, step));
      } else {
        OrExit(samples_.Run(engine_, step));
      }
    }
  }

  void Forget() { samples_ = {}; }

  std::string ToJson() const {
    return absl::StrFormat("{\"as\": \"%s\", \"ms\": %s}", name_, samples_.ToJson());
  }

 private:
  static ccd::PositionsView View(const std::vector<float>& frame) {
    return {ccd::ScalarType::kFloat32, frame.data(), frame.size() / 3};
  }

  const std::string name_;
  Engine& engine_;
  std::vector<ccd::PositionsView> frames_;
  ResidentId id_{};
  StepSamples samples_;
};

class Bench {
 public:
  explicit Bench(const Arguments& arguments)
      : arguments_(arguments), report_(ValueOf(kReports, arguments.options.at("report"))) {
    engine_ = OrExit(Engine::Create(EngineOptionsOf(arguments.options)));
  }

  void Run() {
    const Both both(OrExit(scenes::MakeScene(arguments_.scenes[0], kFrames)),
                    OrExit(scenes::MakeScene(arguments_.scenes[1], 2)));
    Contender alone(*engine_, "alone", both.moving, 0);
    Contender fixed(*engine_, "static", both.all, both.static_vertices);
    Contender sent(*engine_, "sent", both.all, 0);
    Contender* const contenders[] = {&alone, &fixed, &sent};
    // The first frames make lists grow.
    for (Contender* const contender : contenders) contender->Run(report_);
    for (Contender* const contender : contenders) contender->Forget();
    for (int step = 0; step < arguments_.steps; step += kFrames - 1) {
      for (Contender* const contender : contenders) contender->Run(report_);
    }
    const auto& options = arguments_.options;
    std::cout << absl::StreamFormat(
        "{\"benchmark\": \"bench.engine.collision.static\",\n \"backend\": \"%s\", "
        "\"machine\": \"%s\", \"commit\": \"%s\",\n \"command\": \"%s\",\n"
        " \"triangles_that_move\": %d, \"static_triangles\": %d,\n \"contenders\": [",
        engine_->BackendDescription(), options.at("machine"), options.at("commit"),
        arguments_.command, both.moving.Triangles(),
        both.all.Triangles() - both.moving.Triangles());
    const char* separator = "\n  ";
    for (const Contender* const contender : contenders) {
      std::cout << separator << contender->ToJson();
      separator = ",\n  ";
    }
    std::cout << "\n]}\n";
  }

 private:
  const Arguments& arguments_;
  const ccd::Report report_;
  std::unique_ptr<Engine> engine_;
};

}  // namespace
}  // namespace warpyard::collision_bench

int main(int argc, char** argv) {
  namespace bench = warpyard::collision_bench;
  return bench::RunBench<bench::Bench, bench::Arguments>(argc, argv, bench::kUsage);
}
