// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/cpp/simplify/report.h"

#include <algorithm>
#include <cstdint>

#include "absl/strings/str_cat.h"
#include "client_examples/cpp/messages.h"
#include "nlohmann/json.hpp"

namespace warpyard::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string ShortfallName(v1::Shortfall shortfall) {
  switch (shortfall) {
    case v1::SHORTFALL_TOPOLOGY:
      return "topology";
    case v1::SHORTFALL_TIME:
      return "time";
    default:
      return "none";
  }
}

/// Sums over the meshes of a file; those of sizes count each copy.
struct Totals {
  explicit Totals(const FileReport& report)
      : input_triangles(report.kept.triangles),
        triangles(report.kept.triangles),
        vertices(report.kept.vertices) {
    for (const MeshOutcome& mesh : report.meshes) {
      const v1::SimplifyStatistics& s = mesh.statistics;
      input_triangles += mesh.copies * s.input_triangles();
      cut_triangles += mesh.copies * s.cut_triangles();
      triangles += mesh.copies * mesh.triangles;
      vertices += mesh.copies * mesh.vertices;
      error = std::max(error, mesh.error);
      passes += s.passes();
      expanded_nodes += s.expanded_nodes();
      shortfall = std::max(shortfall, s.shortfall());
      missed += s.shortfall() > v1::SHORTFALL_NONE;
      for (const v1::PhaseDuration& phase : s.phases()) {
        Json& sum = phases_ms[phase.phase()];
        sum = (sum.is_null() ? 0 : sum.get<double>()) + Milliseconds(phase);
      }
    }
  }

  std::uint64_t input_triangles, triangles, vertices;
  std::uint64_t cut_triangles = 0, passes = 0, expanded_nodes = 0;
  double error = 0;
  v1::Shortfall shortfall = v1::SHORTFALL_NONE;
  std::uint64_t missed = 0;  ///< meshes with a shortfall
  Json phases_ms = Json::object();
};

Json ToJson(const Verification& v) {
  return {{"samples", kVerifySamples},
          {"rms", v.Rms()},
          {"max", v.Max()},
          {"diagonal", v.distance.diagonal},
          {"rms_percent", v.distance.RmsPercent()},
          {"max_percent", v.distance.HausdorffPercent()},
          {"border_edges", v.result.border_edges},
          {"input_border_edges", v.input.border_edges},
          {"non_manifold_edges", v.result.non_manifold_edges},
          {"input_non_manifold_edges", v.input.non_manifold_edges},
          {"degenerate_triangles", v.Degenerate()}};
}

Json ToJson(const FileReport& report) {
  const Totals totals(report);
  Json json = {{"input_triangles", totals.input_triangles},
               {"cut_triangles", totals.cut_triangles},
               {"triangles", totals.triangles},
               {"vertices", totals.vertices},
               {"max_error", totals.error},
               {"passes", totals.passes},
               {"expanded_nodes", totals.expanded_nodes},
               {"shortfall", ShortfallName(totals.shortfall)},
               {"phases_ms", totals.phases_ms}};
  if (report.kept.triangles > 0) json["kept_triangles"] = report.kept.triangles;
  for (const MeshOutcome& mesh : report.meshes) {
    if (report.meshes.size() == 1) break;
    json["meshes"].push_back({{"mesh", mesh.label},
                              {"copies", mesh.copies},
                              {"input_triangles", mesh.statistics.input_triangles()},
                              {"triangles", mesh.triangles},
                              {"vertices", mesh.vertices},
                              {"max_error", mesh.error},
                              {"shortfall", ShortfallName(mesh.statistics.shortfall())}});
  }
  if (report.verification) json["verification"] = ToJson(*report.verification);
  return json;
}

/// Names of other formats may not be UTF-8.
std::string Dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

std::string TextOf(const FileReport& report) {
  const Totals totals(report);
  std::string text = absl::StrCat(totals.triangles, " of ", totals.input_triangles, " triangles, ",
                                  totals.vertices, " vertices");
  if (totals.missed == 0) return text;
  absl::StrAppend(&text, "; the goal was not reached: ", ShortfallName(totals.shortfall));
  if (report.meshes.size() == 1) return text;
  return absl::StrCat(text, " (", totals.missed, " of ", report.meshes.size(), " meshes)");
}

std::string StatisticsJson(const FileReport& report) { return Dump(ToJson(report)); }

std::string StatisticsJson(const std::vector<FileReport>& levels) {
  Json json = {{"lods", Json::array()}};
  for (const FileReport& level : levels) {
    Json entry = {{"file", level.path}};
    entry.update(ToJson(level));
    json["lods"].push_back(std::move(entry));
  }
  return Dump(json);
}

}  // namespace warpyard::cli
