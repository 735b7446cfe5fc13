// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/simplify/result/measure.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/base/macros.h"
#include "core/workload/simplify/model/build_model.h"

namespace warpyard::simplify {
namespace {

/// A model that is fit for samples and searches.
class Search {
 public:
  absl::Status Link(TaskRun& run, const ModelView& model) {
    device::Backend& backend = run.backend();
    view_.frame = model.frame;
    view_.leaves = model.leaves;
    view_.nodes = model.nodes;
    view_.triangles = model.triangles;
    view_.corners = model.corners;
    view_.parents = model.parents;
    view_.places = model.places;
    WY_RETURN_IF_ERROR(Take(backend, std::size_t{model.nodes} + 1, children_, view_.first_child));
    WY_RETURN_IF_ERROR(Take(backend, model.nodes, siblings_, view_.sibling));
    WY_RETURN_IF_ERROR(Take(backend, model.nodes, reach_, view_.reach));
    WY_RETURN_IF_ERROR(Take(backend, model.leaves, first_, view_.first_triangle));
    WY_RETURN_IF_ERROR(Take(backend, model.triangles, next_, view_.next_triangle));
    WY_RETURN_IF_ERROR(areas_.Reserve(backend, model.triangles));
    view_.areas = areas_.data();
    WY_RETURN_IF_ERROR(run.Reserve(model.triangles));
    SimplifyJob job{};
    job.measure.from = view_;
    WY_ASSIGN_OR_RETURN(const Counters counters, run(SimplifyTask::kLink, job));
    if (counters.parts <= kMostParts) return absl::OkStatus();
    return absl::FailedPreconditionError(absl::StrCat("distance_samples: a mesh has ",
                                                      counters.parts, " parts, and at most ",
                                                      kMostParts, " can be measured"));
  }
  const SearchView& view() const { return view_; }

 private:
  Array<std::uint32_t> children_, siblings_, reach_, first_, next_;
  Array<std::uint64_t> areas_;
  SearchView view_{};
};

absl::StatusOr<OneWayDistance> MeasureOneWay(TaskRun& run, const Search& from, const Search& to,
                                             std::uint32_t samples) {
  device::Backend& backend = run.backend();
  Array<float> squares;
  WY_RETURN_IF_ERROR(squares.Reserve(backend, samples));
  WY_RETURN_IF_ERROR(run.Reserve(1));
  SimplifyJob job{};
  job.measure = {from.view(), to.view(), samples, squares.data()};
  WY_RETURN_IF_ERROR(run(SimplifyTask::kMeasure, job).status());
  std::vector<float> all(samples);
  WY_RETURN_IF_ERROR(backend.CopyOut(all.data(), squares.data(), samples * sizeof(float)));
  double sum = 0, most = 0;
  for (const double square : all) {
    sum += square;
    most = std::max(most, square);
  }
  const double extent = to.view().frame.extent;
  return OneWayDistance{extent * std::sqrt(sum / samples), extent * std::sqrt(most)};
}

}  // namespace

absl::StatusOr<SurfaceDistance> MeasureDistance(TaskRun& run, const ModelArrays& model,
                                                const SimplifiedMesh& result,
                                                std::uint32_t samples) {
  const ModelInput input{
      {geometry::ScalarType::kFloat32, result.positions.data(), result.positions.size() / 3},
      result.triangles};
  absl::StatusOr<ModelArrays> simplified = BuildModel(run, input);
  if (absl::IsInvalidArgument(simplified.status())) {
    return absl::FailedPreconditionError("distance_samples: the result has no area to measure");
  }
  WY_RETURN_IF_ERROR(simplified.status());
  Search original, coarser;
  WY_RETURN_IF_ERROR(original.Link(run, model.view));
  WY_RETURN_IF_ERROR(coarser.Link(run, simplified->view));
  SurfaceDistance distance;
  distance.samples = samples;
  WY_ASSIGN_OR_RETURN(distance.from_model, MeasureOneWay(run, original, coarser, samples));
  WY_ASSIGN_OR_RETURN(distance.from_result, MeasureOneWay(run, coarser, original, samples));
  return distance;
}

}  // namespace warpyard::simplify
