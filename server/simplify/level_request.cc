// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/simplify/level_request.h"

#include "absl/strings/str_cat.h"
#include "core/base/exact_text.h"
#include "core/base/macros.h"
#include "core/base/status_facts.h"
#include "server/simplify/convert.h"

namespace warpyard::server {
namespace {

absl::Status CheckNumber(int triangles, int ratios) {
  const int goals = triangles + ratios;
  if (triangles != 0 && ratios != 0) {
    return InvalidField("ratios", "set beside triangles, expected one of both");
  }
  if (goals >= 1 && goals <= kMostLevels) return absl::OkStatus();
  return InvalidField(ratios == 0 ? "triangles" : "ratios",
                      absl::StrCat(goals, " goals, expected 1 to ", kMostLevels));
}

/// The number of triangles of each goal. @shape set: sets a goal of a request for one mesh
template <class Goals, class Set>
absl::Status AddGoals(const Goals& goals, const char* field, Set&& set,
                      std::uint32_t model_triangles, simplify::LevelsDescription& levels) {
  for (int i = 0; i < goals.size(); ++i) {
    // A comparison with NaN is false, so the check is written to fail then.
    if (i != 0 && !(goals[i] < goals[i - 1])) {
      return InvalidField(field,
                          absl::StrCat("goal ", i, " is ", ExactText(static_cast<double>(goals[i])),
                                       ", expected less than the one before, ",
                                       ExactText(static_cast<double>(goals[i - 1]))));
    }
    v1::SimplifyRequest one;
    set(one, goals[i]);
    WY_ASSIGN_OR_RETURN(const simplify::ResultDescription result,
                        ToResultDescription(one, model_triangles));
    levels.options.triangles.push_back(*result.options.triangles);
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<simplify::LevelsDescription> ToLevels(const v1::SimplifyLevelsRequest& request,
                                                     std::uint32_t model_triangles) {
  WY_RETURN_IF_ERROR(CheckNumber(request.triangles_size(), request.ratios_size()));
  simplify::LevelsDescription levels;
  WY_RETURN_IF_ERROR(AddGoals(
      request.triangles(), "triangles",
      [](auto& one, std::uint64_t triangles) { one.set_triangles(triangles); }, model_triangles,
      levels));
  for (const double ratio : request.ratios()) {
    if (ratio > 0 && ratio <= 1) continue;
    return InvalidField("ratios",
                        absl::StrCat(ExactText(ratio), ", expected more than 0 and at most 1"));
  }
  WY_RETURN_IF_ERROR(AddGoals(
      request.ratios(), "ratios", [](auto& one, double ratio) { one.set_ratio(ratio); },
      model_triangles, levels));
  v1::SimplifyRequest how;
  how.set_triangles(1);
  how.set_finish(request.finish());
  WY_ASSIGN_OR_RETURN(const simplify::ResultDescription result,
                      ToResultDescription(how, model_triangles));
  levels.options.finish = result.options.finish;
  levels.best_effort = request.best_effort();
  return levels;
}

}  // namespace warpyard::server
