// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/ccd/group_matrix.h"

#include "absl/strings/str_cat.h"
#include "core/base/status_facts.h"

namespace warpyard::ccd {

absl::Status CheckGroupMatrix(GroupRule rule, std::span<const std::uint32_t> vertex_groups,
                              std::span<const std::uint64_t> matrix) {
  if (rule != GroupRule::kMatrix) {
    if (matrix.empty()) return absl::OkStatus();
    return InvalidField("group_matrix", "given, but the group rule is not the matrix");
  }
  if (vertex_groups.empty()) {
    return InvalidField("group_matrix", "the mesh has no groups");
  }
  if (matrix.empty() || matrix.size() > kMostMatrixGroups) {
    return InvalidField("group_matrix",
                        absl::StrCat(matrix.size(), " rows, expected 1 to ", kMostMatrixGroups));
  }
  for (std::size_t a = 0; a < matrix.size(); ++a) {
    for (std::size_t b = 0; b < kMostMatrixGroups; ++b) {
      if ((matrix[a] >> b & 1) == 0) continue;
      if (b < matrix.size() && (matrix[b] >> a & 1) != 0) continue;
      return InvalidField(
          "group_matrix",
          absl::StrCat("row ", a, " has bit ", b, ", but ",
                       b < matrix.size() ? absl::StrCat("row ", b, " does not have bit ", a)
                                         : absl::StrCat("there are ", matrix.size(), " rows")));
    }
  }
  for (std::size_t v = 0; v < vertex_groups.size(); ++v) {
    if (vertex_groups[v] < matrix.size()) continue;
    return InvalidField("group_matrix",
                        absl::StrCat("vertex ", v, " is in group ", vertex_groups[v],
                                     ", but there are ", matrix.size(), " rows"));
  }
  return absl::OkStatus();
}

}  // namespace warpyard::ccd
