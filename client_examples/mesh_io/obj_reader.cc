// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/mesh_io/obj_reader.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "client_examples/mesh_io/text.h"

namespace warpyard::mesh_io {
namespace {

// Some editors begin a text with this mark. It belongs to the encoding, not to the first line.
constexpr absl::string_view kByteOrderMark = "\xef\xbb\xbf";

class ObjParser {
 public:
  absl::StatusOr<Mesh> Parse(absl::string_view contents) {
    absl::ConsumePrefix(&contents, kByteOrderMark);
    while (!contents.empty()) {
      ++line_;
      if (absl::Status status = ParseLine(TakeLine(contents)); !status.ok()) {
        return absl::InvalidArgumentError(absl::StrCat("line ", line_, ": ", status.message()));
      }
    }
    if (mesh_.positions.empty()) return absl::InvalidArgumentError("no vertex (\"v x y z\") found");
    if (largest_index_ >= Vertices()) {
      return absl::InvalidArgumentError(absl::StrCat("line ", largest_index_line_, ": vertex ",
                                                     largest_index_ + 1,
                                                     " does not exist, there are ", Vertices()));
    }
    return std::move(mesh_);
  }

 private:
  std::int64_t Vertices() const { return static_cast<std::int64_t>(mesh_.positions.size() / 3); }

  absl::Status ParseLine(absl::string_view line) {
    line = line.substr(0, line.find('#'));
    if (line.find('\\') != absl::string_view::npos) {
      return absl::InvalidArgumentError("lines continued by a backslash are not supported");
    }
    const absl::string_view keyword = TakeToken(line);
    if (keyword == "v") return ParseVertex(line);
    // "fo" is the old name of "f".
    if (keyword == "f" || keyword == "fo") return ParseFace(line);
    return absl::OkStatus();
  }

  absl::Status ParseVertex(absl::string_view line) {
    for (int axis = 0; axis < 3; ++axis) {
      const absl::string_view token = TakeToken(line);
      double value = 0;
      if (token.empty()) return absl::InvalidArgumentError("a vertex needs x y z");
      if (!absl::SimpleAtod(token, &value)) {
        return absl::InvalidArgumentError(absl::StrCat(Quoted(token), " is not a number"));
      }
      if (!std::isfinite(value)) {
        return absl::InvalidArgumentError(absl::StrCat(Quoted(token), " is not finite"));
      }
      mesh_.positions.push_back(value);
    }
    if (Vertices() > std::numeric_limits<std::uint32_t>::max()) {
      return absl::InvalidArgumentError("too many vertices");
    }
    return absl::OkStatus();
  }

  absl::Status ParseFace(absl::string_view line) {
    polygon_.clear();
    while (true) {
      const absl::string_view token = TakeToken(line);
      if (token.empty()) break;
      std::int64_t index = 0;
      if (!absl::SimpleAtoi(token.substr(0, token.find('/')), &index) || index == 0) {
        return absl::InvalidArgumentError(
            absl::StrCat(Quoted(token), " is not a vertex of a face (indices count from 1)"));
      }
      // Negative indices count back from the last vertex so far.
      index = index > 0 ? index - 1 : index + Vertices();
      if (index < 0 || index >= std::numeric_limits<std::uint32_t>::max()) {
        return absl::InvalidArgumentError(
            absl::StrCat(Quoted(token), " is out of range, ", Vertices(), " vertices so far"));
      }
      if (index > largest_index_) {
        largest_index_ = index;
        largest_index_line_ = line_;
      }
      polygon_.push_back(static_cast<std::uint32_t>(index));
    }
    if (polygon_.size() < 3) {
      return absl::InvalidArgumentError(
          absl::StrCat("a face needs at least 3 vertices, not ", polygon_.size()));
    }
    AppendFan(polygon_, mesh_.triangles);
    return absl::OkStatus();
  }

  Mesh mesh_;
  std::size_t line_ = 0;
  // A face may come before its vertices, so the range is checked at the end.
  std::int64_t largest_index_ = -1;
  std::size_t largest_index_line_ = 0;
  std::vector<std::uint32_t> polygon_;
};

}  // namespace

absl::StatusOr<Mesh> ParseObj(absl::string_view contents) { return ObjParser().Parse(contents); }

}  // namespace warpyard::mesh_io
