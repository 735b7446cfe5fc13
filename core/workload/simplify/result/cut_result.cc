// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/simplify/result/cut_result.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>

#include "core/base/macros.h"

namespace warpyard::simplify {
namespace {

constexpr int kMostTries = 6;  // of errors for a number of triangles

/// What a cut keeps at least of the triangles that it may, where that is possible.
bool IsNear(std::uint64_t triangles, std::uint64_t most) { return 100 * triangles >= 99 * most; }

/// Kinds of goals whose results have about the same size, 32 of each of four forms of goals.
/// @shape pixels, error: more than 0
constexpr std::size_t kSizes = RoomHints::kKinds / 4;
static_assert(kDeepest < kSizes, "a kind for each level");
std::size_t KindOfViews(double pixels) {
  return static_cast<std::size_t>(std::clamp(std::ilogb(pixels), -10, 20) + 10);
}
std::size_t KindOfLevel(std::uint32_t level) { return kSizes + level; }
std::size_t KindOfError(double relative) {
  return 2 * kSizes + static_cast<std::size_t>(std::clamp(std::ilogb(relative), -31, 0) + 31);
}
std::size_t KindOfTriangles(std::uint32_t triangles) {
  return 3 * kSizes + static_cast<std::size_t>(std::bit_width(triangles)) % kSizes;
}

}  // namespace

CutResult::CutResult(TaskRun& run, const ModelArrays& model, ResultArrays& arrays, ModelMemo& memo)
    : model_(model), memo_(memo), room_(run, model, arrays, job_) {
  job_.model = model.view;
}

absl::Status CutResult::Make(const SimplifyOptions& options, SimplifiedMesh& result) {
  if (options.triangles.has_value()) return CutTo(*options.triangles, result);
  if (options.views.has_value()) {
    WY_RETURN_IF_ERROR(room_.TakeViews(*options.views, false));
    const std::size_t kind = KindOfViews(options.views->views.front().max_pixels);
    return Cut({.rule = CutRule::kExpanded}, kind, result);
  }
  if (options.level.has_value()) {
    return Cut(AtLevel(model_, *options.level), KindOfLevel(*options.level), result);
  }
  const double relative = *options.max_error / model_.view.frame.extent;
  const std::size_t kind = KindOfError(std::max(relative, 1e-30));
  return Cut(AtDistance(model_, *options.max_error), kind, result);
}

absl::Status CutResult::MakePrevious(const ViewGoal& goal, SimplifiedMesh& result) {
  WY_RETURN_IF_ERROR(room_.TakeViews(goal, true));
  const std::size_t kind = KindOfViews(goal.views.front().max_pixels);
  return Cut({.rule = CutRule::kExpanded}, kind, result);
}

absl::Status CutResult::Cut(const CutAt& at, std::size_t kind, SimplifiedMesh& result) {
  job_.cut.rule = at.rule;
  job_.cut.error = at.error;
  job_.cut.level_end = at.level_end;
  job_.cut.selects = false;
  ResultSize size = memo_.rooms.Room(kind);
  if (at.survivors != 0) size.triangles = static_cast<std::uint32_t>(at.survivors);
  if (size.triangles == 0) size.triangles = model_.view.triangles / 8 + 1024;
  return RunWith(size, kind, result);
}

absl::Status CutResult::CutAtRank(std::uint32_t triangles, SimplifiedMesh& result) {
  const std::size_t kind = KindOfTriangles(triangles);
  if (triangles >= model_.view.triangles) {
    return Cut({.survivors = model_.view.triangles}, kind, result);
  }
  job_.cut.rule = CutRule::kError;
  job_.cut.selects = true;
  job_.cut.rank = triangles;
  return RunWith({triangles, memo_.rooms.Room(kind).vertices}, kind, result);
}

absl::Status CutResult::RunWith(ResultSize size, std::size_t kind, SimplifiedMesh& result) {
  // A closed mesh has about half as many vertices as triangles.
  if (size.vertices == 0) size.vertices = size.triangles;
  while (true) {
    WY_RETURN_IF_ERROR(room_.Reserve(size, result));
    WY_ASSIGN_OR_RETURN(counters_, room_.Run());
    const bool fits = counters_.overflow == 0 && counters_.vertices <= room_.size().vertices;
    if (fits) {
      // 0 would mean that nothing is known.
      memo_.rooms.Learn(kind, {std::max(counters_.survivors, 1u), counters_.vertices});
      return absl::OkStatus();
    }
    if (counters_.survivors > room_.size().triangles) {
      size.triangles = counters_.survivors;
    } else if (counters_.vertices > room_.size().vertices) {
      size.vertices = counters_.vertices;
    } else {
      size.vertices = 3 * counters_.survivors;  // the table was full
    }
  }
}

absl::Status CutResult::CutTo(std::uint64_t triangles, SimplifiedMesh& result) {
  const auto most =
      static_cast<std::uint32_t>(std::min<std::uint64_t>(triangles, model_.view.triangles));
  const std::optional<std::uint32_t> asked = memo_.ranks.Find(most);
  return asked.has_value() ? CutAtRank(*asked, result) : SearchRank(most, result);
}

absl::Status CutResult::SearchRank(std::uint32_t triangles, SimplifiedMesh& result) {
  const std::uint32_t all = model_.view.triangles;
  std::uint32_t asked = triangles, best = 0;
  std::uint64_t end = std::uint64_t{all} + 1;  // what is too many
  std::uint64_t best_triangles = 0;
  for (int i = 0; i < kMostTries; ++i) {
    WY_RETURN_IF_ERROR(CutAtRank(asked, result));
    const std::uint64_t got = Triangles();
    if (got <= triangles && got >= best_triangles) {
      best = asked;
      best_triangles = got;
      if (IsNear(got, triangles) || asked == all) break;
    }
    // Triangles with locked corners are in every cut, so a smaller number changes nothing.
    if (got > triangles && std::bit_cast<float>(counters_.threshold) == kLocked) break;
    if (got > triangles) end = asked;
    const double factor =
        static_cast<double>(triangles) / static_cast<double>(std::max<std::uint64_t>(got, 1));
    const auto next = static_cast<std::uint64_t>(static_cast<double>(asked) * factor);
    const std::uint64_t bounded = std::min<std::uint64_t>({next, end - 1, all});
    if (bounded == asked) break;
    asked = static_cast<std::uint32_t>(bounded);
  }
  if (best_triangles == 0) {
    counters_ = {};  // a cut with more triangles than asked may have crowded edges
    return absl::OkStatus();
  }
  memo_.ranks.Keep(triangles, best);
  return Triangles() == best_triangles ? absl::OkStatus() : CutAtRank(best, result);
}

}  // namespace warpyard::simplify
