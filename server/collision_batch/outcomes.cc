// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/collision_batch/outcomes.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>

#include "server/collision/convert.h"
#include "server/errors/error_details.h"
#include "server/errors/text.h"

namespace warpyard::server {
namespace {

/// A batch may have many errors, so each has a short text.
constexpr std::size_t kMostErrorText = 512;

template <class Number>
void Append(Number number, std::string* bytes) {
  bytes->append(reinterpret_cast<const char*>(&number), sizeof number);
}

/// A list that is made shorter in place: parts of it are kept, in their order.
template <class List>
class KeptParts {
 public:
  explicit KeptParts(List& list) : list_(list) {}

  /// Looks at the next part of the list. @shape keep: whether it stays
  void Next(std::size_t count, bool keep) {
    if (list_.empty()) return;  // a result without geometry
    const auto from = list_.begin() + static_cast<std::ptrdiff_t>(seen_);
    const auto to = list_.begin() + static_cast<std::ptrdiff_t>(kept_);
    if (keep && seen_ != kept_) std::copy_n(from, count, to);
    seen_ += count;
    if (keep) kept_ += count;
  }
  ~KeptParts() { list_.resize(kept_); }

 private:
  List& list_;
  std::size_t seen_ = 0, kept_ = 0;
};

}  // namespace

void SetStepError(const absl::Status& status, v1::StepError* error) {
  error->set_code(static_cast<std::uint32_t>(status.code()));
  error->set_message(CleanText(status.message(), kMostErrorText));
  error->set_reason(ReasonOf(status));
}

void SetWorlds(const ccd::SetResult& result, std::span<const absl::Status> refused,
               ccd::Report report, v1::SetOutcome* outcome) {
  const bool has_lists = report != ccd::Report::kEarliest;
  const bool has_deviations =
      std::any_of(result.worlds.begin(), result.worlds.end(),
                  [](const ccd::WorldResult& world) { return world.path_deviation.has_value(); });
  for (std::size_t row = 0; row < result.worlds.size(); ++row) {
    const ccd::WorldResult& world = result.worlds[row];
    const absl::Status& status = refused[row].ok() ? world.status : refused[row];
    double time = world.earliest_time.value_or(std::numeric_limits<double>::infinity());
    if (!status.ok()) {
      time = std::numeric_limits<double>::quiet_NaN();
      v1::WorldError& error = *outcome->add_world_errors();
      error.set_place(static_cast<std::uint32_t>(row));
      SetStepError(status, error.mutable_error());
    }
    Append(time, outcome->mutable_earliest_times());
    if (has_deviations) {
      Append(world.path_deviation.value_or(std::numeric_limits<double>::quiet_NaN()),
             outcome->mutable_path_deviations());
    }
    if (!has_lists) continue;
    Append(static_cast<std::uint32_t>(world.vertex_faces), outcome->mutable_vertex_face_counts());
    Append(static_cast<std::uint32_t>(world.edge_edges), outcome->mutable_edge_edge_counts());
  }
}

std::size_t FitWorlds(std::size_t most, ccd::Report report, const absl::Status& why,
                      ccd::SetResult& result) {
  const PairBytes each = PairBytesOf(result.all, report);
  std::size_t bytes = 0;
  KeptParts vertex_face(result.all.vertex_face);
  KeptParts edge_edge(result.all.edge_edge);
  KeptParts vertex_face_geometry(result.all.vertex_face_geometry);
  KeptParts edge_edge_geometry(result.all.edge_edge_geometry);
  for (ccd::WorldResult& world : result.worlds) {
    const std::size_t more =
        world.vertex_faces * each.vertex_face + world.edge_edges * each.edge_edge;
    const bool keep = more <= most - bytes;
    vertex_face.Next(world.vertex_faces, keep);
    edge_edge.Next(world.edge_edges, keep);
    vertex_face_geometry.Next(world.vertex_faces, keep);
    edge_edge_geometry.Next(world.edge_edges, keep);
    if (keep) {
      bytes += more;
    } else {
      world = {.status = why};
    }
  }
  return bytes;
}

}  // namespace warpyard::server
