// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/cpp/simplify/goals.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace warpyard::cli {
namespace {

constexpr double kMostError = std::numeric_limits<double>::max();

/// Something that meshes share, for all copies of a mesh together.
struct Claim {
  std::uint64_t size = 0;
  std::uint64_t copies = 1;
};

/// The part of a size, and at least `least`.
std::uint64_t PartOf(std::uint64_t size, double ratio, std::uint64_t least) {
  return std::max(least, static_cast<std::uint64_t>(ratio * static_cast<double>(size)));
}

/// Shares of `total`: the same part of each size, but at least `least`.
std::vector<std::uint64_t> Share(const std::vector<Claim>& claims, std::uint64_t least,
                                 std::uint64_t total) {
  const auto sum = [&](double ratio) {
    double all = 0;
    for (const Claim& claim : claims) {
      all +=
          static_cast<double>(claim.copies) * static_cast<double>(PartOf(claim.size, ratio, least));
    }
    return all;
  };
  // The largest ratio that fits, between two that halve their distance; all of it if that fits.
  double fits = 0, too_much = 1;
  if (sum(1) <= static_cast<double>(total)) fits = 1;
  for (int step = 0; step < 60 && fits < 1; ++step) {
    const double middle = (fits + too_much) / 2;
    (sum(middle) <= static_cast<double>(total) ? fits : too_much) = middle;
  }
  std::vector<std::uint64_t> shares;
  for (const Claim& claim : claims) shares.push_back(PartOf(claim.size, fits, least));
  return shares;
}

std::uint64_t Less(std::uint64_t total, std::uint64_t kept) {
  return total - std::min(total, kept);
}

}  // namespace

std::vector<v1::SimplifyRequest> ShareGoal(const v1::SimplifyRequest& goal,
                                           const std::vector<MeshSize>& meshes,
                                           const KeptSize& kept) {
  std::vector<v1::SimplifyRequest> goals(meshes.size(), goal);
  const bool is_one = meshes.size() == 1 && meshes[0].copies == 1;
  const auto share = [&](std::uint64_t MeshSize::*size, std::uint64_t least, std::uint64_t total) {
    std::vector<Claim> claims;
    for (const MeshSize& mesh : meshes) claims.push_back({mesh.*size, mesh.copies});
    // A mesh alone gets all of it, and the service sees the number of the command line.
    if (is_one) return std::vector<std::uint64_t>{std::max(least, total)};
    return Share(claims, least, total);
  };
  if (goal.goal_case() == v1::SimplifyRequest::kTriangles && goal.triangles() > 0) {
    const auto shares = share(&MeshSize::triangles, 1, Less(goal.triangles(), kept.triangles));
    for (std::size_t i = 0; i < goals.size(); ++i) goals[i].set_triangles(shares[i]);
  }
  if (goal.goal_case() == v1::SimplifyRequest::kMaxBytes && goal.max_bytes() >= kLeastBytes) {
    const std::uint64_t kept_bytes = 12 * (kept.triangles + kept.vertices);
    const auto shares = share(&MeshSize::bytes, kLeastBytes, Less(goal.max_bytes(), kept_bytes));
    for (std::size_t i = 0; i < goals.size(); ++i) goals[i].set_max_bytes(shares[i]);
  }
  for (std::size_t i = 0; i < goals.size() && goal.goal_case() == v1::SimplifyRequest::kMaxError;
       ++i) {
    if (meshes[i].scale > 0) goals[i].set_max_error(goal.max_error() / meshes[i].scale);
  }
  return goals;
}

v1::SimplifyRequest HalfOf(const v1::SimplifyRequest& goal, std::uint64_t triangles) {
  v1::SimplifyRequest half = goal;
  half.set_triangles(std::max<std::uint64_t>(1, triangles / 2));
  return half;
}

bool IsForChain(const v1::SimplifyRequest& goal) {
  return goal.has_triangles() || goal.has_ratio() || goal.max_error() > 0;
}

v1::SimplifyRequest GoalAfter(const v1::SimplifyRequest& goal, std::size_t levels,
                              std::uint64_t triangles) {
  if (!IsForChain(goal) || !goal.has_max_error()) return HalfOf(goal, triangles);
  v1::SimplifyRequest next = goal;
  next.set_max_error(std::min(std::ldexp(goal.max_error(), static_cast<int>(levels)), kMostError));
  return next;
}

v1::SimplifyLevelsRequest ChainOf(const v1::SimplifyRequest& goal, std::uint64_t model_triangles,
                                  std::size_t levels) {
  v1::SimplifyLevelsRequest chain;
  chain.set_finish(goal.finish());
  chain.set_best_effort(goal.best_effort());
  if (goal.has_job()) *chain.mutable_job() = goal.job();
  if (goal.has_ratio()) {
    double ratio = goal.ratio();
    do {
      chain.add_ratios(ratio);
      ratio /= 2;
    } while (chain.ratios_size() < static_cast<int>(levels) &&
             ratio * static_cast<double>(model_triangles) >= 1);
    return chain;
  }
  if (goal.has_max_error()) {
    double error = goal.max_error();
    do {
      chain.add_max_errors(error);
      error *= 2;
    } while (chain.max_errors_size() < static_cast<int>(levels) && error <= kMostError);
    return chain;
  }
  // Halves of a goal beyond the model would be the whole model, too.
  std::uint64_t triangles = std::min(goal.triangles(), model_triangles);
  do {
    chain.add_triangles(triangles);
    triangles /= 2;
  } while (chain.triangles_size() < static_cast<int>(levels) && triangles >= 1);
  return chain;
}

double LargestScale(const std::array<double, 16>& transform) {
  // The transform's columns, of its linear part, and the products of them: a symmetric matrix whose
  // eigenvalues are the squares.
  std::array<std::array<double, 3>, 3> a{};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      for (std::size_t row = 0; row < 3; ++row) {
        a[i][j] += transform[4 * i + row] * transform[4 * j + row];
      }
    }
  }
  // The largest eigenvalue in closed form (O. K. Smith, Eigenvalues of a symmetric 3 x 3 matrix,
  // 1961).
  const double mean = (a[0][0] + a[1][1] + a[2][2]) / 3;
  double spread = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    a[i][i] -= mean;
    for (std::size_t j = 0; j < 3; ++j) spread += a[i][j] * a[i][j];
  }
  spread = std::sqrt(spread / 6);
  if (!(spread > 0)) return std::sqrt(mean);
  const double determinant = a[0][0] * (a[1][1] * a[2][2] - a[1][2] * a[2][1]) -
                             a[0][1] * (a[1][0] * a[2][2] - a[1][2] * a[2][0]) +
                             a[0][2] * (a[1][0] * a[2][1] - a[1][1] * a[2][0]);
  const double cosine = std::clamp(determinant / (2 * spread * spread * spread), -1.0, 1.0);
  return std::sqrt(mean + 2 * spread * std::cos(std::acos(cosine) / 3));
}

}  // namespace warpyard::cli
