// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// bench.grammar.walk: a camera's way through a city, frame by frame. [Steinberger §10.5.2]
//
//   walk_bench FILE:PARCELS:XxYxZ[:NAME=VALUE,...]... [--clips M,M] [--pixels P] [--least-pixels P]
//     [--frames N] [--backend cpu|cuda] [--threads N] [--max-bytes N] [--machine TEXT]
//     [--commit TEXT]
//
// The camera begins in the middle of the city. It looks along x, sees a quarter of the directions
// up to the clip distance, and takes 60 pictures a second while it walks, drives, flies and turns.
// Each frame is made in three ways: all buildings, those in sight, and those that change. Instances
// go to the host, in order. Writes JSON: times of a frame, and how many buildings and instances it
// made.
#include <cmath>
#include <cstdint>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/time/clock.h"
#include "benchmarks/grammar/scene.h"
#include "benchmarks/grammar/session.h"
#include "benchmarks/support/command_line.h"
#include "benchmarks/support/job_times.h"
#include "core/api/grammar.h"
#include "core/base/macros.h"

namespace warpyard {
namespace {

using grammar::DeriveOptions;
using grammar::DeriveStatistics;
using grammar::View;

/// A part of the way. @units metres a second; degrees a second
struct Segment {
  const char* name;
  float speed;
  float rise;
  float turn;
};
constexpr Segment kSegments[] = {{"walk", 1.5f, 0, 0},
                                 {"drive", 20, 0, 0},
                                 {"rise", 0, 50, 0},
                                 {"fly", 300, 0, 0},
                                 {"turn", 0, 0, 180}};
constexpr float kFrame = 1.0f / 60;  // seconds

/// Where the camera is, and where it looks to. @units metres, radians
struct Camera {
  float x, y, z;
  float angle = 0;

  void Move(const Segment& segment) {
    x += segment.speed * kFrame * std::cos(angle);
    z += segment.speed * kFrame * std::sin(angle);
    y += segment.rise * kFrame;
    angle += segment.turn * kFrame * 3.14159265f / 180;
  }
};

View ViewOf(const Camera& camera, float clip) {
  constexpr float kHalf = 3.14159265f / 4;
  View view;
  view.position[0] = camera.x;
  view.position[1] = camera.y;
  view.position[2] = camera.z;
  const auto add = [&](float a, float c, float beyond) {
    view.planes.push_back({a, 0, c, beyond - a * camera.x - c * camera.z});
  };
  add(std::cos(camera.angle + kHalf), std::sin(camera.angle + kHalf), 0);
  add(std::cos(camera.angle - kHalf), std::sin(camera.angle - kHalf), 0);
  add(-std::cos(camera.angle), -std::sin(camera.angle), clip);
  return view;
}

class Bench {
 public:
  Bench(std::map<std::string, std::string> options, std::string command)
      : options_(std::move(options)), command_(std::move(command)) {}

  absl::Status Run(const std::vector<std::string>& words) {
    EngineOptions engine_options;
    engine_options.backend =
        options_["backend"] == "cuda" ? BackendChoice::kCuda : BackendChoice::kCpu;
    engine_options.threads = static_cast<int>(Number("threads"));
    WY_ASSIGN_OR_RETURN(engine_, Engine::Create(engine_options));
    std::vector<std::string> cells;
    for (const std::string& word : words) {
      WY_ASSIGN_OR_RETURN(const grammar_bench::Scene scene, grammar_bench::ReadScene(word));
      for (const auto clip : absl::StrSplit(options_["clips"], ',')) {
        float metres = 0;
        if (!absl::SimpleAtof(clip, &metres)) return absl::InvalidArgumentError("--clips");
        WY_RETURN_IF_ERROR(MeasureWays(scene, metres, cells));
      }
    }
    std::cout << "{\"benchmark\": \"bench.grammar.walk\",\n \"machine\": \"" << options_["machine"]
              << "\", \"commit\": \"" << options_["commit"] << "\",\n \"command\": \"walk_bench"
              << command_ << "\",\n \"frames\": [\n  " << absl::StrJoin(cells, ",\n  ") << "]}\n";
    return absl::OkStatus();
  }

 private:
  /// How a frame is made.
  enum class Way { kAll, kInSight, kChanges };

  double Number(const std::string& option) {
    double number = 0;
    return absl::SimpleAtod(options_[option], &number) ? number : 0;
  }

  absl::Status MeasureWays(const grammar_bench::Scene& scene, float clip,
                           std::vector<std::string>& cells) {
    WY_ASSIGN_OR_RETURN(const std::string text, grammar_bench::ReadText(scene.file));
    WY_ASSIGN_OR_RETURN(const grammar::CompiledGrammar compiled,
                        grammar_bench::Compile(*engine_, scene.file, text));
    DeriveOptions city = OptionsOf(scene, compiled.info);
    if (Number("max-bytes") > 0) city.max_bytes = static_cast<std::uint64_t>(Number("max-bytes"));
    city.take = [](grammar::DerivedBatch, const procedure::CancelToken&) {
      return absl::OkStatus();
    };
    for (const Way way : {Way::kAll, Way::kInSight, Way::kChanges}) {
      const auto walk = grammar::MakeWalk(city);
      const grammar::Parcel& last = city.parcels.back();
      Camera camera{last.position[0] / 2, 1.7f, last.position[2] / 2};
      for (const Segment& segment : kSegments) {
        WY_ASSIGN_OR_RETURN(std::string cell,
                            Measure({compiled.id, city, walk, way, clip}, segment, camera));
        cells.push_back(absl::StrFormat("{\"scene\": \"%s\", \"parcels\": %d, %s",
                                        collision_bench::WithoutFolders(scene.file), scene.parcels,
                                        cell));
      }
    }
    return engine_->Close(compiled.id);
  }

  struct Frame {
    ResidentId grammar;
    const DeriveOptions& city;
    std::shared_ptr<grammar::Walk> walk;
    Way way;
    float clip;
  };

  absl::StatusOr<std::string> Measure(const Frame& frame_of, const Segment& segment,
                                      Camera& camera) {
    bench::Times times;
    DeriveStatistics sum;
    std::uint64_t shown = 0;
    const bool is_slow = frame_of.way != Way::kChanges;
    const int frames = is_slow ? 5 : static_cast<int>(Number("frames"));
    for (int i = -1; i < frames; ++i) {
      View view = ViewOf(camera, frame_of.clip);
      if (frame_of.way == Way::kAll) view.planes.clear();
      view.pixels = static_cast<float>(Number("pixels"));
      view.least_pixels = static_cast<float>(Number("least-pixels"));
      const absl::Time begin = absl::Now();
      WY_ASSIGN_OR_RETURN(const DeriveStatistics frame, Show(frame_of, view));
      camera.Move(segment);
      if (i < 0) continue;  // the first one takes memory, and begins the walk
      bench::AddPhases(frame.phases, begin, times);
      sum.buildings += frame.buildings;
      sum.terminals += frame.terminals;
      shown += frame.buildings + frame.kept;
    }
    const double each = 1.0 / frames;
    constexpr const char* kWays[] = {"all", "in sight", "changes"};
    return absl::StrFormat(
        "\"way\": \"%s\", \"clip_m\": %g, \"segment\": \"%s\", \"frames\": %d, \"shown\": %.6g, "
        "\"derived\": %.6g, \"instances\": %.6g,\n   \"milliseconds\": %s}",
        kWays[static_cast<int>(frame_of.way)], frame_of.clip, segment.name, frames,
        static_cast<double>(shown) * each, sum.buildings * each,
        static_cast<double>(sum.terminals) * each, bench::Json(times));
  }

  absl::StatusOr<DeriveStatistics> Show(const Frame& frame_of, const View& view) {
    return bench::Await<DeriveStatistics>([&](auto done) {
      if (frame_of.way == Way::kChanges) {
        const grammar::TakeView take = {
            [](const grammar::ViewChange&, const procedure::CancelToken&) {
              return absl::OkStatus();
            },
            frame_of.city.take};
        grammar::Follow(*engine_, frame_of.grammar, {frame_of.walk, view, take}, {},
                        std::move(done));
        return;
      }
      DeriveOptions options = frame_of.city;
      options.view = view;
      grammar::Derive(*engine_, frame_of.grammar, std::move(options), {}, std::move(done));
    });
  }

  std::map<std::string, std::string> options_;
  const std::string command_;
  std::unique_ptr<Engine> engine_;
};

}  // namespace
}  // namespace warpyard

int main(int argc, char** argv) {
  std::vector<std::string> words;
  std::map<std::string, std::string> options = {
      {"backend", "cpu"}, {"threads", "0"},  {"frames", "30"},
      {"clips", "1000"},  {"pixels", "935"}, {"least-pixels", "1"},
      {"max-bytes", "0"}, {"machine", ""},   {"commit", ""}};
  std::string command;
  if (!warpyard::collision_bench::ReadCommandLine(argc, argv, words, options, command) ||
      words.empty()) {
    std::cerr
        << "usage: walk_bench FILE:PARCELS:XxYxZ[:NAME=VALUE,...]... [--clips M,M] [--pixels P] "
           "[--least-pixels P] [--frames N] [--backend cpu|cuda] [--threads N] "
           "[--max-bytes N] [--machine TEXT] [--commit TEXT]\n";
    return 2;
  }
  const absl::Status status = warpyard::Bench(std::move(options), command).Run(words);
  if (status.ok()) return 0;
  std::cerr << status << "\n";
  return 1;
}
