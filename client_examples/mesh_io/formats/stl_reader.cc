// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/mesh_io/formats/stl_reader.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>

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

absl::Status TooManyTriangles() { return absl::InvalidArgumentError("too many triangles"); }

// Numbers the corners; each is a vertex of its own.
absl::Status AddTriangles(Primitive& primitive) {
  if (primitive.Vertices() > std::numeric_limits<std::uint32_t>::max()) return TooManyTriangles();
  primitive.triangles.resize(primitive.Vertices());
  for (std::size_t i = 0; i < primitive.triangles.size(); ++i) {
    primitive.triangles[i] = static_cast<std::uint32_t>(i);
  }
  primitive.positions_are_float = AllAreFloats(primitive.positions);
  return absl::OkStatus();
}

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
  Primitive primitive;
  primitive.positions.reserve(9 * std::size_t{count});
  for (std::uint32_t triangle = 0; triangle < count; ++triangle) {
    const char* const corners =
        contents.data() + kFirstTriangle + triangle * kTriangleBytes + kNormalBytes;
    for (std::size_t i = 0; i < 9; ++i) {
      const auto value = LoadLittleEndian<float>(corners + i * sizeof(float));
      if (!std::isfinite(value)) {
        return absl::InvalidArgumentError(
            absl::StrCat("triangle ", triangle, ": a coordinate is not finite"));
      }
      primitive.positions.push_back(static_cast<double>(value));
    }
  }
  if (absl::Status status = AddTriangles(primitive); !status.ok()) return status;
  Model model;
  model.meshes.push_back({"", {std::move(primitive)}});
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
    for (ModelMesh& mesh : model_.meshes) {
      if (absl::Status status = AddTriangles(mesh.primitives[0]); !status.ok()) return status;
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
      model_.meshes.push_back({std::string(absl::StripAsciiWhitespace(line)), {Primitive{}}});
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
    for (int axis = 0; axis < 3; ++axis) {
      const absl::string_view token = TakeToken(line);
      double value = 0;
      if (!absl::SimpleAtod(token, &value) || !std::isfinite(value)) {
        return absl::InvalidArgumentError(absl::StrCat(Quoted(token), " is not a finite number"));
      }
      model_.meshes.back().primitives[0].positions.push_back(value);
    }
    return absl::OkStatus();
  }

  // A solid without facets is no mesh.
  absl::Status EndSolid() {
    if (in_facet_) return absl::InvalidArgumentError("endsolid inside a facet");
    in_solid_ = false;
    if (model_.meshes.back().primitives[0].positions.empty()) model_.meshes.pop_back();
    return absl::OkStatus();
  }

  Model model_;
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
