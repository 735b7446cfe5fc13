// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/mesh_io/formats/obj_reader.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "client_examples/mesh_io/polygons.h"
#include "client_examples/mesh_io/text.h"

namespace warpyard::mesh_io {
namespace {

// Some editors begin a text with this mark. It belongs to the encoding, not to the first line.
constexpr absl::string_view kByteOrderMark = "\xef\xbb\xbf";

// The numbers of a line, the first of them in `values`.
struct Numbers {
  std::array<double, 7> values{};
  std::size_t count = 0;
};

absl::StatusOr<Numbers> ParseNumbers(absl::string_view line) {
  Numbers numbers;
  while (numbers.count < numbers.values.size()) {
    const absl::string_view token = TakeToken(line);
    if (token.empty()) break;
    double value = 0;
    if (!absl::SimpleAtod(token, &value)) {
      return absl::InvalidArgumentError(absl::StrCat(Quoted(token), " is not a number"));
    }
    if (!std::isfinite(value)) {
      return absl::InvalidArgumentError(absl::StrCat(Quoted(token), " is not finite"));
    }
    numbers.values[numbers.count++] = value;
  }
  return numbers;
}

class ObjParser {
 public:
  absl::StatusOr<ObjContents> Parse(absl::string_view contents) {
    absl::ConsumePrefix(&contents, kByteOrderMark);
    while (!contents.empty()) {
      ++line_;
      if (absl::Status status = ParseLine(TakeLine(contents)); !status.ok()) {
        return absl::InvalidArgumentError(absl::StrCat("line ", line_, ": ", status.message()));
      }
    }
    if (obj_.positions.empty()) return absl::InvalidArgumentError("no vertex (\"v x y z\") found");
    if (highest_position_.index >= Positions()) {
      return absl::InvalidArgumentError(absl::StrCat("line ", highest_position_.line, ": vertex ",
                                                     highest_position_.index + 1,
                                                     " does not exist, there are ", Positions()));
    }
    return std::move(obj_);
  }

 private:
  std::int64_t Positions() const { return static_cast<std::int64_t>(obj_.positions.size() / 3); }

  absl::Status ParseLine(absl::string_view line) {
    line = line.substr(0, line.find('#'));
    if (line.find('\\') != absl::string_view::npos) {
      return absl::InvalidArgumentError("lines continued by a backslash are not supported");
    }
    const absl::string_view keyword = TakeToken(line);
    if (keyword == "v") return ParseVertex(line);
    if (keyword == "vt") return ParseFloats(line, 1, 2, "a texture coordinate needs u v", obj_.uvs);
    if (keyword == "vn") return ParseFloats(line, 3, 3, "a normal needs x y z", obj_.normals);
    // "fo" is the old name of "f".
    if (keyword == "f" || keyword == "fo") return ParseFace(line);
    const std::string name(absl::StripAsciiWhitespace(line));
    if (keyword == "o") {
      obj_.objects.push_back(name);
      NewRun().object = obj_.objects.size() - 1;
    } else if (keyword == "usemtl") {
      NewRun().material = MaterialOf(name);
    } else if (keyword == "mtllib") {
      obj_.libraries.push_back(name);
    }
    return absl::OkStatus();
  }

  // Where no triangle has come since the last run, that run itself.
  ObjRun& NewRun() {
    if (obj_.runs.empty() || obj_.runs.back().first_corner != obj_.corners.size()) {
      ObjRun run = obj_.runs.empty() ? ObjRun{} : obj_.runs.back();
      run.first_corner = obj_.corners.size();
      obj_.runs.push_back(run);
    }
    return obj_.runs.back();
  }

  std::uint32_t MaterialOf(const std::string& name) {
    const auto [place, is_new] =
        materials_.try_emplace(name, static_cast<std::uint32_t>(obj_.materials.size()));
    if (is_new) obj_.materials.push_back(name);
    return place->second;
  }

  absl::Status ParseVertex(absl::string_view line) {
    const absl::StatusOr<Numbers> numbers = ParseNumbers(line);
    if (!numbers.ok()) return numbers.status();
    const auto& [values, count] = *numbers;
    if (count < 3) return absl::InvalidArgumentError("a vertex needs x y z");
    obj_.positions.insert(obj_.positions.end(), values.begin(), values.begin() + 3);
    if (Positions() > std::numeric_limits<std::uint32_t>::max()) {
      return absl::InvalidArgumentError("too many vertices");
    }
    // x y z r g b; a single number after x y z is a weight, which curves use.
    const bool has_colour = count >= 6;
    if (!has_colour && obj_.colours.empty()) return absl::OkStatus();
    obj_.colours.resize(4 * static_cast<std::size_t>(Positions()), 1.0f);
    for (std::size_t i = 0; has_colour && i < 3; ++i) {
      obj_.colours[obj_.colours.size() - 4 + i] = static_cast<float>(values[3 + i]);
    }
    return absl::OkStatus();
  }

  // Appends `width` numbers, zeros where only `least` or more are given.
  static absl::Status ParseFloats(absl::string_view line, std::size_t least, std::size_t width,
                                  absl::string_view needed, std::vector<float>& out) {
    const absl::StatusOr<Numbers> numbers = ParseNumbers(line);
    if (!numbers.ok()) return numbers.status();
    if (numbers->count < least) return absl::InvalidArgumentError(needed);
    for (std::size_t i = 0; i < width; ++i) {
      out.push_back(static_cast<float>(numbers->values[i]));
      if (!std::isfinite(out.back())) return absl::InvalidArgumentError("a number is not finite");
    }
    return absl::OkStatus();
  }

  // An index of a face into a list that has `count` entries so far.
  absl::StatusOr<std::uint32_t> ParseIndex(absl::string_view token, std::int64_t count,
                                           ObjHighest& highest) {
    std::int64_t index = 0;
    if (!absl::SimpleAtoi(token, &index) || index == 0) {
      return absl::InvalidArgumentError(
          absl::StrCat(Quoted(token), " is not a vertex of a face (indices count from 1)"));
    }
    // Negative indices count back from the last entry so far.
    index = index > 0 ? index - 1 : index + count;
    if (index < 0 || index >= ObjCorner::kNone) {
      return absl::InvalidArgumentError(
          absl::StrCat(Quoted(token), " is out of range, ", count, " vertices so far"));
    }
    if (index > highest.index) highest = {index, line_};
    return static_cast<std::uint32_t>(index);
  }

  // A corner in one of the forms v, v/vt, v//vn, v/vt/vn.
  absl::StatusOr<ObjCorner> ParseCorner(absl::string_view token) {
    struct List {
      std::int64_t count;
      ObjHighest& highest;
      std::uint32_t ObjCorner::*index;
    };
    const std::array<List, 3> lists = {
        {{Positions(), highest_position_, &ObjCorner::position},
         {static_cast<std::int64_t>(obj_.uvs.size() / 2), obj_.highest_uv, &ObjCorner::uv},
         {static_cast<std::int64_t>(obj_.normals.size() / 3), obj_.highest_normal,
          &ObjCorner::normal}}};
    ObjCorner corner;
    for (const List& list : lists) {
      const absl::string_view part = token.substr(0, token.find('/'));
      if (!part.empty() || list.index == &ObjCorner::position) {
        const absl::StatusOr<std::uint32_t> index = ParseIndex(part, list.count, list.highest);
        if (!index.ok()) return index.status();
        corner.*list.index = *index;
      }
      if (part.size() == token.size()) return corner;
      token.remove_prefix(part.size() + 1);
    }
    return corner;
  }

  absl::Status ParseFace(absl::string_view line) {
    polygon_.clear();
    while (true) {
      const absl::string_view token = TakeToken(line);
      if (token.empty()) break;
      const absl::StatusOr<ObjCorner> corner = ParseCorner(token);
      if (!corner.ok()) return corner.status();
      polygon_.push_back(*corner);
    }
    if (polygon_.size() < 3) {
      return absl::InvalidArgumentError(
          absl::StrCat("a face needs at least 3 vertices, not ", polygon_.size()));
    }
    if (obj_.runs.empty()) NewRun();
    AppendFan(polygon_, obj_.corners);
    return absl::OkStatus();
  }

  ObjContents obj_;
  std::size_t line_ = 0;
  // A face may come before its vertices, so the range is checked at the end.
  ObjHighest highest_position_;
  absl::flat_hash_map<std::string, std::uint32_t> materials_;
  std::vector<ObjCorner> polygon_;
};

}  // namespace

absl::StatusOr<ObjContents> ParseObj(absl::string_view contents) {
  return ObjParser().Parse(contents);
}

}  // namespace warpyard::mesh_io
