// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "tests/support/oracles/query_file.h"

#include <gmpxx.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "client_examples/mesh_io/mesh_io.h"

namespace warpyard::test_support {
namespace {

namespace fs = std::filesystem;

absl::StatusOr<std::string> ReadText(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream) return absl::NotFoundError(absl::StrCat(path, ": cannot open"));
  return std::string(std::istreambuf_iterator<char>(stream), {});
}

// Splits a line at commas.
std::vector<std::string> Cells(const std::string& line) {
  std::vector<std::string> cells(1);
  for (const char c : line) {
    if (c == ',') {
      cells.emplace_back();
    } else if (c != '\r' && c != ' ') {
      cells.back() += c;
    }
  }
  return cells;
}

// The double that equals the fraction exactly; false if there is none.
bool ToExactDouble(const std::string& numerator, const std::string& denominator, double& value) {
  mpz_class num;
  mpz_class den;
  if (num.set_str(numerator, 10) != 0 || den.set_str(denominator, 10) != 0 || den == 0)
    return false;
  mpq_class rational(num, den);
  rational.canonicalize();
  value = rational.get_d();
  return mpq_class(value) == rational;
}

bool ParseRow(const std::string& line, Vec3& point, bool& truth) {
  const std::vector<std::string> cells = Cells(line);
  if (cells.size() != 7 || (cells[6] != "0" && cells[6] != "1")) return false;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (!ToExactDouble(cells[2 * axis], cells[2 * axis + 1], point[axis])) return false;
  }
  truth = cells[6] == "1";
  return true;
}

// The only file in a folder whose name ends with `ending`.
absl::StatusOr<std::string> FileEndingIn(const fs::path& folder, const std::string& ending) {
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    const std::string path = entry.path().string();
    if (path.size() >= ending.size() && path.ends_with(ending)) return path;
  }
  return absl::NotFoundError(absl::StrCat("no *", ending, " in ", folder.string()));
}

// Reads the pairs and truths of one kind, "vf" or "ee".
absl::Status ReadAnswers(const fs::path& folder, const std::string& kind,
                         std::vector<IdPair>& pairs, std::vector<bool>& touches) {
  const absl::StatusOr<std::string> pairs_path = FileEndingIn(folder / "boxes", kind + ".json");
  if (!pairs_path.ok()) return pairs_path.status();
  const absl::StatusOr<std::string> truth_path =
      FileEndingIn(folder / "mma_bool", kind + "_mma_bool.json");
  if (!truth_path.ok()) return truth_path.status();
  absl::StatusOr<std::vector<IdPair>> read_pairs = ReadPairs(*pairs_path);
  if (!read_pairs.ok()) return read_pairs.status();
  absl::StatusOr<std::vector<bool>> read_truths = ReadBooleans(*truth_path);
  if (!read_truths.ok()) return read_truths.status();
  if (read_pairs->size() != read_truths->size()) {
    return absl::InvalidArgumentError(absl::StrCat(*truth_path, ": other length than the pairs"));
  }
  pairs = *std::move(read_pairs);
  touches = *std::move(read_truths);
  return absl::OkStatus();
}

}  // namespace

std::string SharedDataFolder() { return WARPYARD_SHARED_DATA; }

std::vector<QueryFile> FindQueryFiles(const std::string& folder) {
  std::vector<QueryFile> files;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder, error)) {
    if (entry.path().extension() != ".csv") continue;
    const bool edges = entry.path().parent_path().filename() == "edge-edge";
    files.push_back({entry.path().string(), edges ? PairKind::kEdgeEdge : PairKind::kVertexFace});
  }
  std::sort(files.begin(), files.end(),
            [](const QueryFile& a, const QueryFile& b) { return a.path < b.path; });
  return files;
}

absl::StatusOr<std::vector<LabelledQuery>> ReadQueries(const QueryFile& file) {
  std::ifstream stream(file.path);
  if (!stream) return absl::NotFoundError(absl::StrCat(file.path, ": cannot open"));
  std::vector<LabelledQuery> queries;
  std::string line;
  std::size_t row = 0;
  for (; std::getline(stream, line); ++row) {
    if (row % 8 == 0) queries.push_back({{file.kind, {}, {}}, false});
    LabelledQuery& query = queries.back();
    std::array<Vec3, 4>& frame = row % 8 < 4 ? query.query.start : query.query.end;
    bool truth = false;
    if (!ParseRow(line, frame[row % 4], truth) || (row % 8 != 0 && truth != query.touches)) {
      return absl::InvalidArgumentError(absl::StrCat(file.path, ":", row + 1, ": bad row"));
    }
    query.touches = truth;
  }
  if (row % 8 != 0) return absl::InvalidArgumentError(absl::StrCat(file.path, ": ends in a query"));
  return queries;
}

absl::StatusOr<std::vector<IdPair>> ReadPairs(const std::string& path) {
  const absl::StatusOr<std::string> text = ReadText(path);
  if (!text.ok()) return text.status();
  std::vector<std::uint32_t> numbers;
  const char* const end = text->data() + text->size();
  for (const char* at = text->data(); at < end;) {
    if (*at < '0' || *at > '9') {
      ++at;
      continue;
    }
    std::uint32_t number = 0;
    const auto [next, error] = std::from_chars(at, end, number);
    if (error != std::errc()) return absl::InvalidArgumentError(absl::StrCat(path, ": bad number"));
    numbers.push_back(number);
    at = next;
  }
  if (numbers.size() % 2 != 0) return absl::InvalidArgumentError(absl::StrCat(path, ": odd count"));
  std::vector<IdPair> pairs(numbers.size() / 2);
  for (std::size_t i = 0; i < pairs.size(); ++i) pairs[i] = {numbers[2 * i], numbers[2 * i + 1]};
  return pairs;
}

absl::StatusOr<std::vector<bool>> ReadBooleans(const std::string& path) {
  const absl::StatusOr<std::string> text = ReadText(path);
  if (!text.ok()) return text.status();
  std::vector<bool> booleans;
  // "t" is only in "true" and "f" only in "false".
  for (const char c : *text) {
    if (c == 't' || c == 'f') booleans.push_back(c == 't');
  }
  return booleans;
}

absl::StatusOr<SharedScene> ReadSharedScene(const std::string& name) {
  const fs::path folder = fs::path(SharedDataFolder()) / "ccd" / name;
  std::vector<std::string> frames;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder / "frames", error)) {
    frames.push_back(entry.path().string());
  }
  if (frames.size() != 2) return absl::NotFoundError(absl::StrCat("no scene in ", folder.string()));
  std::sort(frames.begin(), frames.end());
  const absl::StatusOr<mesh_io::Mesh> start = mesh_io::ReadMesh(frames[0]);
  if (!start.ok()) return start.status();
  const absl::StatusOr<mesh_io::Mesh> end = mesh_io::ReadMesh(frames[1]);
  if (!end.ok()) return end.status();
  SharedScene scene;
  scene.motion = {start->positions, end->positions, start->triangles, {}};
  if (absl::Status status = ReadAnswers(folder, "vf", scene.vertex_face, scene.vertex_face_touches);
      !status.ok()) {
    return status;
  }
  if (absl::Status status = ReadAnswers(folder, "ee", scene.edge_edge, scene.edge_edge_touches);
      !status.ok()) {
    return status;
  }
  // The files number vertices, edges and faces in one sequence.
  const auto vertices = static_cast<std::uint32_t>(scene.motion.Vertices());
  const auto edges = static_cast<std::uint32_t>(UniqueEdges(scene.motion.triangles).size());
  for (IdPair& pair : scene.vertex_face) pair[1] -= vertices + edges;
  for (IdPair& pair : scene.edge_edge) pair = {pair[0] - vertices, pair[1] - vertices};
  return scene;
}

}  // namespace warpyard::test_support
