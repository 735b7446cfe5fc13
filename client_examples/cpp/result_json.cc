// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/cpp/result_json.h"

#include <cstddef>
#include <cstdint>

#include "absl/strings/str_cat.h"
#include "client_examples/cpp/messages.h"

namespace warpyard::cli {
namespace {

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

std::string TraversalJson(const v1::TraversalStatistics& t) {
  return absl::StrCat("{\"visited_node_pairs\": ", t.visited_node_pairs(),
                      ", \"triangle_pairs\": ", t.triangle_pairs(),
                      ", \"front_pairs\": ", t.front_pairs(), ", \"steals\": ", t.steals(),
                      ", \"rounds\": ", t.rounds(),
                      ", \"from_front\": ", t.from_front() ? "true" : "false", "}");
}

std::string PhaseTimesJson(const google::protobuf::RepeatedPtrField<v1::PhaseDuration>& phases) {
  std::string json;
  for (const v1::PhaseDuration& phase : phases) {
    absl::StrAppend(&json, json.empty() ? "" : ", ", "\"", phase.phase(),
                    "\": ", Milliseconds(phase));
  }
  return absl::StrCat("{", json, "}");
}

}  // namespace

std::string StatisticsJson(const v1::CollisionStatistics& s) {
  return absl::StrCat("{\"vertices\": ", s.vertices(), ", \"edges\": ", s.edges(),
                      ", \"triangles\": ", s.triangles(),
                      ", \"vertex_face_candidates\": ", s.vertex_face_candidates(),
                      ", \"edge_edge_candidates\": ", s.edge_edge_candidates(),
                      ", \"capped_pairs\": ", s.capped_pairs(),
                      s.has_traversal() ? ", \"traversal\": " + TraversalJson(s.traversal()) : "",
                      ", \"phases_ms\": ", PhaseTimesJson(s.phases()), "}");
}

void WriteJson(const v1::CollisionResult& result, bool with_geometry, std::ostream& out) {
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
}

}  // namespace warpyard::cli
