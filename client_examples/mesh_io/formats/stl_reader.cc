// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/mesh_io/formats/stl_reader.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "client_examples/mesh_io/text.h"

namespace warpyard::mesh_io {
namespace {

// A binary file: a header, the number of triangles, and for each of them a normal, three corners
// and two bytes without a meaning.
constexpr std::size_t kHeaderBytes = 80;
constexpr std::size_t kFirstTriangle = kHeaderBytes + sizeof(std::uint32_t);
constexpr std::size_t kNormalBytes = 12;
constexpr std::size_t kTriangleBytes = 50;

// Makes corners at one position one vertex. @shape Number: as the file has coordinates
template <class Number>
class Welder {
 public:
  // A closed surface has about half as many vertices as triangles.
  void Reserve(std::size_t triangles) {
    vertices_.reserve(triangles / 2);
    primitive_.triangles.reserve(3 * triangles);
    primitive_.positions.reserve(3 * (triangles / 2));
  }

  void AddCorner(std::array<Number, 3> place) {
    // Adding 0 makes -0 and 0 the same key, as they are the same place.
    for (Number& coordinate : place) coordinate += Number{0};
    const auto [vertex, is_new] =
        vertices_.try_emplace(place, static_cast<std::uint32_t>(vertices_.size()));
    primitive_.triangles.push_back(vertex->second);
    if (!is_new) return;
    for (const Number coordinate : place) {
      primitive_.positions.push_back(static_cast<double>(coordinate));
    }
  }

  bool IsEmpty() const { return vertices_.empty(); }

  // The primitive of all corners; the next one begins.
  absl::StatusOr<Primitive> Take() {
    // The corners' bound is the vertices', too.
    if (primitive_.triangles.size() > std::numeric_limits<std::uint32_t>::max()) {
      return absl::InvalidArgumentError("too many triangles");
    }
    primitive_.positions_are_float = AllAreFloats(primitive_.positions);
    vertices_.clear();
    return std::exchange(primitive_, Primitive());
  }

 private:
  absl::flat_hash_map<std::array<Number, 3>, std::uint32_t> vertices_;
  Primitive primitive_;
};

// How many triangles a binary file holds, if its length fits.
std::optional<std::uint32_t> BinaryTriangles(absl::string_view contents) {
  if (contents.size() < kFirstTriangle) return std::nullopt;
  const auto count = LoadLittleEndian<std::uint32_t>(contents.data() + kHeaderBytes);
  if ((contents.size() - kFirstTriangle) / kTriangleBytes != count) return std::nullopt;
  return (contents.size() - kFirstTriangle) % kTriangleBytes == 0 ? std::optional(count)
                                                                  : std::nullopt;
}

absl::StatusOr<Model> ParseBinary(absl::string_view contents, std::uint32_t count) {
  if (count == 0) return absl::InvalidArgumentError("there are no triangles");
  Welder<float> welder;
  welder.Reserve(count);
  for (std::uint32_t triangle = 0; triangle < count; ++triangle) {
    const char* const corners =
        contents.data() + kFirstTriangle + triangle * kTriangleBytes + kNormalBytes;
    for (std::size_t corner = 0; corner < 3; ++corner) {
      std::array<float, 3> place;
      for (std::size_t axis = 0; axis < 3; ++axis) {
        place[axis] = LoadLittleEndian<float>(corners + (3 * corner + axis) * sizeof(float));
        if (!std::isfinite(place[axis])) {
          return absl::InvalidArgumentError(
              absl::StrCat("triangle ", triangle, ": a coordinate is not finite"));
        }
      }
      welder.AddCorner(place);
    }
  }
  absl::StatusOr<Primitive> primitive = welder.Take();
  if (!primitive.ok()) return primitive.status();
  Model model;
  model.meshes.push_back({"", {*std::move(primitive)}});
  return model;
}

class AsciiParser {
 public:
  absl::StatusOr<Model> Parse(absl::string_view contents) {
    while (!contents.empty()) {
      ++line_;
      if (absl::Status status = ParseLine(TakeLine(contents)); !status.ok()) {
        return absl::InvalidArgumentError(absl::StrCat("line ", line_, ": ", status.message()));
      }
    }
    if (in_solid_) {
      return absl::InvalidArgumentError(
          absl::StrCat("line ", line_, ": the file ends too early (no \"endsolid\")"));
    }
    if (model_.meshes.empty()) return absl::InvalidArgumentError("there are no triangles");
    return std::move(model_);
  }

 private:
  absl::Status ParseLine(absl::string_view line) {
    const std::string keyword = absl::AsciiStrToLower(TakeToken(line));
    if (keyword.empty()) return absl::OkStatus();
    if (!in_solid_) {
      if (keyword != "solid") return absl::InvalidArgumentError("expected: solid NAME");
      in_solid_ = true;
      name_ = std::string(absl::StripAsciiWhitespace(line));
      return absl::OkStatus();
    }
    if (keyword == "vertex") return ParseVertex(line);
    if (keyword == "endfacet" && corners_ != 3) {
      return absl::InvalidArgumentError(absl::StrCat("a facet has 3 vertices, not ", corners_));
    }
    if (keyword == "facet" || keyword == "endfacet") {
      if (in_facet_ == (keyword == "facet")) {
        return absl::InvalidArgumentError(absl::StrCat("unexpected ", Quoted(keyword)));
      }
      in_facet_ = !in_facet_;
      corners_ = 0;
      return absl::OkStatus();
    }
    if (keyword == "endsolid") return EndSolid();
    if (keyword == "outer" || keyword == "endloop") return absl::OkStatus();
    return absl::InvalidArgumentError(absl::StrCat("unknown keyword ", Quoted(keyword)));
  }

  absl::Status ParseVertex(absl::string_view line) {
    if (!in_facet_) return absl::InvalidArgumentError("vertex outside a facet");
    ++corners_;
    std::array<double, 3> place;
    for (double& value : place) {
      const absl::string_view token = TakeToken(line);
      if (!absl::SimpleAtod(token, &value) || !std::isfinite(value)) {
        return absl::InvalidArgumentError(absl::StrCat(Quoted(token), " is not a finite number"));
      }
    }
    welder_.AddCorner(place);
    return absl::OkStatus();
  }

  // A solid without facets is no mesh.
  absl::Status EndSolid() {
    if (in_facet_) return absl::InvalidArgumentError("endsolid inside a facet");
    in_solid_ = false;
    if (welder_.IsEmpty()) return absl::OkStatus();
    absl::StatusOr<Primitive> primitive = welder_.Take();
    if (!primitive.ok()) return primitive.status();
    model_.meshes.push_back({std::move(name_), {*std::move(primitive)}});
    return absl::OkStatus();
  }

  Model model_;
  // The solid that is being read.
  std::string name_;
  Welder<double> welder_;
  std::size_t line_ = 0;
  std::size_t corners_ = 0;
  bool in_solid_ = false;
  bool in_facet_ = false;
};

}  // namespace

absl::StatusOr<Model> ParseStl(absl::string_view contents) {
  if (const auto count = BinaryTriangles(contents)) return ParseBinary(contents, *count);
  if (absl::StartsWithIgnoreCase(contents.substr(0, 5), "solid")) {
    return AsciiParser().Parse(contents);
  }
  return absl::InvalidArgumentError(
      absl::StrCat("neither \"solid\" nor a binary STL file, whose ", contents.size(),
                   " bytes would be 84 and 50 for each of the triangles that it announces"));
}

}  // namespace warpyard::mesh_io
