// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/collision/pose.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "core/base/exact_text.h"
#include "core/base/macros.h"
#include "core/base/status_facts.h"
#include "core/workload/geometry/rigid_transform.h"
#include "server/convert/mesh.h"

namespace warpyard::server {
namespace {

using geometry::RigidTransform;

/// The largest distance of an entry of R^T R from the identity.
double Distortion(const RigidTransform& transform) {
  const auto& m = transform.rows;
  double largest = 0;
  for (int i = 0; i < 3; ++i) {
    for (int j = i; j < 3; ++j) {
      const double product = m[0][i] * m[0][j] + m[1][i] * m[1][j] + m[2][i] * m[2][j];
      largest = std::max(largest, std::abs(product - (i == j ? 1 : 0)));
    }
  }
  return largest;
}

double Determinant(const RigidTransform& transform) {
  const auto& m = transform.rows;
  return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
         m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
         m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

/// What is wrong with a transform; empty if nothing is.
std::string FaultOf(const RigidTransform& transform) {
  bool in_range = true;
  for (const auto& row : transform.rows) {
    for (const double entry : row) {
      if (!std::isfinite(entry)) return "has an entry that is not finite";
      in_range &= std::abs(entry) <= kMaxCoordinate;
    }
  }
  if (!in_range) return absl::StrCat("has an entry larger than ", kMaxCoordinate, " in magnitude");
  const double distortion = Distortion(transform);
  if (!(distortion <= kRigidTolerance)) {
    return absl::StrCat("is not rigid: an entry of R^T R is ", ExactText(distortion),
                        " from the identity, at most ", kRigidTolerance, " is allowed");
  }
  if (Determinant(transform) < 0) return "is a reflection";
  return "";
}

/// Checks the size of poses. @shape bodies: of each row
absl::Status CheckSize(const v1::Pose& pose, absl::string_view field, std::size_t bodies,
                       std::size_t rows) {
  if (bodies == 0) {
    return InvalidField(field,
                        "the scene has no bodies; its mesh needs vertex_groups, for the vertices "
                        "that move all below their number");
  }
  const std::size_t expected = rows * bodies * sizeof(RigidTransform);
  if (pose.matrices().size() == expected) return absl::OkStatus();
  return InvalidField(
      absl::StrCat(field, ".matrices"),
      absl::StrCat(pose.matrices().size(), " bytes, expected ", expected, " (",
                   sizeof(RigidTransform), " for each of ", rows * bodies, " bodies)"));
}

/// Checks the transforms of a row. @shape matrices: one a body
absl::Status CheckTransforms(const char* matrices, absl::string_view field, std::size_t bodies) {
  for (std::size_t body = 0; body < bodies; ++body) {
    RigidTransform transform;
    std::memcpy(&transform, matrices + body * sizeof transform, sizeof transform);
    const std::string fault = FaultOf(transform);
    if (fault.empty()) continue;
    return InvalidField(absl::StrCat(field, ".matrices"),
                        absl::StrCat("the transform of body ", body, " ", fault));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<ccd::PoseView> ToPose(const v1::Pose& pose, absl::string_view field,
                                     std::uint32_t bodies) {
  WY_RETURN_IF_ERROR(CheckSize(pose, field, bodies, 1));
  WY_RETURN_IF_ERROR(CheckTransforms(pose.matrices().data(), field, bodies));
  return ccd::PoseView{pose.matrices().data(), bodies};
}

absl::StatusOr<ccd::PoseView> ToPoseRows(const v1::Pose& pose, absl::string_view field,
                                         std::uint32_t bodies, std::span<absl::Status> errors) {
  WY_RETURN_IF_ERROR(CheckSize(pose, field, bodies, errors.size()));
  const char* row = pose.matrices().data();
  for (absl::Status& error : errors) {
    if (error.ok()) error = CheckTransforms(row, field, bodies);
    row += bodies * sizeof(RigidTransform);
  }
  return ccd::PoseView{pose.matrices().data(), errors.size() * bodies};
}

}  // namespace warpyard::server
