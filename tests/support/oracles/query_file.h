// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Reads the files of the shared data: queries with exact answers, lists of pairs and of booleans.
#ifndef WARPYARD_TESTS_SUPPORT_ORACLES_QUERY_FILE_H_
#define WARPYARD_TESTS_SUPPORT_ORACLES_QUERY_FILE_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "tests/support/motion.h"
#include "tests/support/oracles/brute_force.h"

namespace warpyard::test_support {

/// A query and whether it touches in [0, 1].
struct LabelledQuery {
  Query query;
  bool touches = false;
};

/// The folder of the shared data; it may not exist (then use GTEST_SKIP).
std::string SharedDataFolder();

/// A CSV file below a folder, with the kind that its folder's name says; the list is sorted.
struct QueryFile {
  std::string path;
  PairKind kind = PairKind::kVertexFace;
};
std::vector<QueryFile> FindQueryFiles(const std::string& folder);

/// Reads a CSV file: 8 rows a query (vertex, f0, f1, f2 or a0, a1, b0, b1 at t = 0, then at t = 1),
/// each x numerator, x denominator, y ..., z ..., truth.
/// @errors INVALID_ARGUMENT: not that, or a coordinate is not exactly a double
absl::StatusOr<std::vector<LabelledQuery>> ReadQueries(const QueryFile& file);

/// Reads a JSON array of arrays of two ids.
absl::StatusOr<std::vector<IdPair>> ReadPairs(const std::string& path);

/// Reads a JSON array of booleans.
absl::StatusOr<std::vector<bool>> ReadBooleans(const std::string& path);

/// A scene of the shared data with its exact answers.
struct SharedScene {
  Motion motion;
  /// @shape vertex, face (the triangle's index): pairs that touch, and pairs that nearly do
  std::vector<IdPair> vertex_face;
  std::vector<bool> vertex_face_touches;
  /// @shape edge, edge (ids of UniqueEdges)
  std::vector<IdPair> edge_edge;
  std::vector<bool> edge_edge_touches;
};

/// Reads a scene ("cloth-ball" or "armadillo-rollers").
absl::StatusOr<SharedScene> ReadSharedScene(const std::string& name);

}  // namespace warpyard::test_support

#endif  // WARPYARD_TESTS_SUPPORT_ORACLES_QUERY_FILE_H_
