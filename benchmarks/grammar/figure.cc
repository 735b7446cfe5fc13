// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "benchmarks/grammar/figure.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/time/clock.h"
#include "benchmarks/grammar/city.h"
#include "benchmarks/grammar/flight.h"
#include "benchmarks/grammar/scene.h"
#include "benchmarks/support/job_times.h"
#include "core/base/macros.h"

namespace warpyard::grammar_bench {
namespace {

constexpr float kClips[] = {1000, 3500};  // metres

using SharedWalk = std::shared_ptr<grammar::Walk>;

enum class Method { kAround, kSeen, kChanged, kVisible };
constexpr struct {
  const char* name;
  Method method;
} kMethods[] = {{"around", Method::kAround},
                {"seen", Method::kSeen},
                {"changed", Method::kChanged},
                {"visible", Method::kVisible}};  // changed, without buildings that others hide

bool IsWalk(Method method) { return method == Method::kChanged || method == Method::kVisible; }

/// What each frame took and had.
struct Series {
  std::map<std::string, std::vector<double>> milliseconds, counts;

  /// `made`: until all instances are in the memory of the device, where a renderer could be.
  void Add(const grammar::DeriveStatistics& frame, absl::Duration took) {
    double made = 0;
    for (const PhaseTime& phase : frame.phases) {
      const double time = absl::ToDoubleMilliseconds(phase.duration);
      if (phase.phase == "derive") milliseconds["derive"].push_back(time);
      if (phase.phase == "derive" || phase.phase == "compare" || phase.phase == "copy_in") {
        made += time;
      }
    }
    milliseconds["made"].push_back(made);
    // A frame in which nothing changes has no event.
    milliseconds["derive"].resize(milliseconds["made"].size());
    milliseconds["frame"].push_back(absl::ToDoubleMilliseconds(took));
    counts["buildings"].push_back(frame.buildings + frame.kept);
    counts["occluded"].push_back(frame.occluded);
    counts["derived"].push_back(frame.buildings);
    counts["nodes"].push_back(static_cast<double>(frame.nodes));
    counts["terminals"].push_back(static_cast<double>(frame.terminals));
    counts["triangles"].push_back(static_cast<double>(frame.triangles));
  }
};

std::string ListsOf(const std::map<std::string, std::vector<double>>& lists) {
  return absl::StrCat("{",
                      absl::StrJoin(lists, ", ",
                                    [](std::string* out, const auto& list) {
                                      absl::StrAppend(out, "\"", list.first, "\": [",
                                                      absl::StrJoin(list.second, ", "), "]");
                                    }),
                      "}");
}

class Flight {
 public:
  Flight(Session& session, const grammar::CompiledGrammar& city, const FigureOptions& options)
      : session_(session), city_(city), options_(options), cameras_(CamerasOf()) {
    const auto& attributes = city.info.attributes;
    kind_ = static_cast<std::uint32_t>(
        std::find_if(attributes.begin(), attributes.end(),
                     [](const auto& attribute) { return attribute.name == "kind"; }) -
        attributes.begin());
  }

  absl::StatusOr<Series> Run(Method method, float clip) {
    SharedWalk walk;
    if (IsWalk(method)) {
      walk = grammar::MakeWalk(Bounded(PartOfCity(AllOf(clip), kind_)));
    }
    // The first frame takes memory.
    WY_RETURN_IF_ERROR(Show(Method::kAround, cameras_.front(), clip, walk).status());
    Series series;
    for (const Camera& camera : cameras_) {
      const absl::Status status = AddFrame(method, camera, clip, walk, series);
      if (!status.ok()) return status;
    }
    return series;
  }

  /// The parts of the flight and the medians of their frames but the first: the camera has come
  /// from elsewhere.
  std::string PartsOf(const Series& series) const {
    std::vector<std::string> parts;
    for (int p = 0; p < static_cast<int>(std::size(kFlight)); ++p) {
      bench::Times times;
      for (std::size_t f = 0; f < cameras_.size(); ++f) {
        if (cameras_[f].part != p || cameras_[f].is_first) continue;
        for (const auto& [name, list] : series.milliseconds) times[name].push_back(list[f]);
      }
      parts.push_back(absl::StrFormat("{\"part\": \"%s\", \"frames\": %d, \"milliseconds\": %s}",
                                      kFlight[p].name, kFlight[p].frames, bench::Json(times)));
    }
    return absl::StrJoin(parts, ",\n    ");
  }

 private:
  /// All that a camera of the flight can see.
  Rectangle AllOf(float clip) const {
    Rectangle all = AroundOf(cameras_.front(), clip);
    for (const Camera& camera : cameras_) {
      const Rectangle around = AroundOf(camera, clip);
      all.least_x = std::min(all.least_x, around.least_x);
      all.most_x = std::max(all.most_x, around.most_x);
    }
    return all;
  }

  static Rectangle AroundOf(const Camera& camera, float clip) {
    constexpr float kWidth = 50;  // of a building and more: its corner may be outside
    const float reach = kReach * clip + kWidth, x = camera.position[0], z = camera.position[2];
    return {x - reach, z - reach, x + reach, z + reach};
  }

  grammar::DeriveOptions Bounded(grammar::DeriveOptions options) const {
    if (options_.max_bytes > 0) options.max_bytes = options_.max_bytes;
    return options;
  }

  absl::Status AddFrame(Method method, const Camera& camera, float clip, const SharedWalk& walk,
                        Series& series) {
    WY_ASSIGN_OR_RETURN(const Timed timed, Show(method, camera, clip, walk));
    series.Add(timed.statistics, timed.took);
    return absl::OkStatus();
  }

  struct Timed {
    grammar::DeriveStatistics statistics;
    absl::Duration took;
  };

  absl::StatusOr<Timed> Show(Method method, const Camera& camera, float clip,
                             const SharedWalk& walk) {
    const Planes planes = method == Method::kAround ? Planes::kAround : Planes::kFrustum;
    grammar::View view = ViewOf(camera, clip, planes);
    view.hide_occluded = method == Method::kVisible;
    if (IsWalk(method)) {
      const absl::Time begin = absl::Now();
      WY_ASSIGN_OR_RETURN(auto statistics, session_.Show(city_.id, walk, view));
      return Timed{std::move(statistics), absl::Now() - begin};
    }
    // A layout knows which lots are near: only these are asked for. A walk gets all of the city.
    grammar::DeriveOptions options = Bounded(PartOfCity(AroundOf(camera, clip), kind_));
    options.view = view;
    // So that instances are put in order, as in a walk.
    options.take = [](grammar::DerivedBatch, const procedure::CancelToken&) {
      return absl::OkStatus();
    };
    const absl::Time begin = absl::Now();
    WY_ASSIGN_OR_RETURN(auto statistics, session_.Derive(city_.id, options));
    return Timed{std::move(statistics), absl::Now() - begin};
  }

  Session& session_;
  const grammar::CompiledGrammar& city_;
  const FigureOptions& options_;
  const std::vector<Camera> cameras_;
  std::uint32_t kind_ = 0;
};

}  // namespace

absl::Status WriteSeries(const FigureOptions& options, Session& session, std::ostream& out) {
  WY_ASSIGN_OR_RETURN(const std::string text, ReadText(options.folder + "/city.wyg"));
  WY_ASSIGN_OR_RETURN(const grammar::CompiledGrammar city, session.Compile("city.wyg", text));
  Flight flight(session, city, options);
  const char* separator = "[\n  ";
  for (const float clip : kClips) {
    std::vector<double> seen;
    for (const auto& [name, method] : kMethods) {
      WY_ASSIGN_OR_RETURN(const Series series, flight.Run(method, clip));
      out << separator
          << absl::StrFormat("{\"clip_m\": %g, \"method\": \"%s\",\n   \"parts\": [%s],\n   ", clip,
                             name, flight.PartsOf(series))
          << "\"frames\": {\"milliseconds\": " << ListsOf(series.milliseconds)
          << ",\n    \"counts\": " << ListsOf(series.counts) << "}}" << std::flush;
      separator = ",\n  ";
      std::vector<double> buildings = series.counts.at("buildings");
      const std::vector<double>& occluded = series.counts.at("occluded");
      std::ranges::transform(buildings, occluded, buildings.begin(), std::plus<>());
      if (IsWalk(method) && buildings != seen) {
        return absl::InternalError("the buildings of a walk are not those that the camera sees");
      }
      seen = std::move(buildings);
    }
  }
  out << "]";
  return session.Close(city.id);
}

}  // namespace warpyard::grammar_bench
