// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/simplify/level_request.h"

#include <cmath>
#include <functional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/base/exact_text.h"
#include "core/base/macros.h"
#include "core/base/status_facts.h"
#include "server/simplify/convert.h"

namespace warpyard::server {
namespace {

/// @errors INVALID_ARGUMENT: the request must have 1 to 32 goals, all in one list
absl::Status CheckNumber(const v1::SimplifyLevelsRequest& request) {
  const std::pair<const char*, int> lists[] = {{"triangles", request.triangles_size()},
                                               {"ratios", request.ratios_size()},
                                               {"max_errors", request.max_errors_size()}};
  const char* given = nullptr;
  for (const auto& [field, goals] : lists) {
    if (goals == 0) continue;
    if (given != nullptr) {
      return InvalidField(
          field,
          absl::StrCat("set beside ", given, ", expected one of triangles, ratios and max_errors"));
    }
    given = field;
    if (goals > kMostLevels) {
      return InvalidField(field, absl::StrCat(goals, " goals, expected 1 to ", kMostLevels));
    }
  }
  if (given != nullptr) return absl::OkStatus();
  return InvalidField("triangles",
                      absl::StrCat("0 goals, and none in ratios and max_errors, expected 1 to ",
                                   kMostLevels, " in one of them"));
}

/// Checks that each goal is coarser than the one before. @shape is_coarser: compares two goals;
///     how: the same in words
template <class Goals, class IsCoarser>
absl::Status CheckOrder(const Goals& goals, const char* field, IsCoarser is_coarser,
                        const char* how) {
  for (int i = 1; i < goals.size(); ++i) {
    // A comparison with NaN is false, so the check is written to fail then.
    if (is_coarser(goals[i], goals[i - 1])) continue;
    return InvalidField(
        field,
        absl::StrCat("goal ", i, " is ", ExactText(static_cast<double>(goals[i])), ", expected ",
                     how, " than the one before, ", ExactText(static_cast<double>(goals[i - 1]))));
  }
  return absl::OkStatus();
}

/// The number of triangles of each goal. @shape set: sets a goal of a request for one mesh
template <class Goals, class Set>
absl::Status AddGoals(const Goals& goals, const char* field, Set&& set,
                      std::uint32_t model_triangles, simplify::LevelsDescription& levels) {
  for (const auto goal : goals) {
    v1::SimplifyRequest one;
    set(one, goal);
    WY_ASSIGN_OR_RETURN(const simplify::ResultDescription result,
                        ToResultDescription(one, model_triangles));
    levels.options.triangles.push_back(*result.options.triangles);
  }
  return CheckOrder(goals, field, std::less<>(), "less");
}

absl::Status AddErrors(const v1::SimplifyLevelsRequest& request,
                       simplify::LevelsDescription& levels) {
  for (int i = 0; i < request.max_errors_size(); ++i) {
    const double error = request.max_errors(i);
    if (std::isfinite(error) && error >= 0) continue;
    return InvalidField("max_errors", absl::StrCat("goal ", i, " is ", ExactText(error),
                                                   ", expected finite and not negative"));
  }
  WY_RETURN_IF_ERROR(CheckOrder(request.max_errors(), "max_errors", std::greater<>(), "greater"));
  levels.options.max_errors.assign(request.max_errors().begin(), request.max_errors().end());
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<simplify::LevelsDescription> ToLevels(const v1::SimplifyLevelsRequest& request,
                                                     std::uint32_t model_triangles) {
  WY_RETURN_IF_ERROR(CheckNumber(request));
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
  WY_RETURN_IF_ERROR(AddErrors(request, levels));
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
