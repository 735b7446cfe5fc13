// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/cpp/simplify/mesh/result.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace warpyard::cli {
namespace {

using mesh_io::ModelMesh;
using mesh_io::NewGeometry;
using mesh_io::Primitive;

constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

template <class Number>
std::vector<Number> NumbersOf(const std::string& bytes) {
  std::vector<Number> numbers(bytes.size() / sizeof(Number));
  std::memcpy(numbers.data(), bytes.data(), numbers.size() * sizeof(Number));
  return numbers;
}

absl::Status Misfit(absl::string_view problem) {
  return absl::InvalidArgumentError(absl::StrCat("the response does not fit the mesh: ", problem));
}

/// Puts each number back into the range that its component has in `before`.
/// @shape before, values: `width` numbers a vertex
void Clamp(const std::vector<float>& before, std::size_t width, std::vector<float>& values) {
  for (std::size_t k = 0; k < width && !values.empty(); ++k) {
    float low = before[k], high = before[k];
    for (std::size_t i = k; i < before.size(); i += width) {
      low = std::min(low, before[i]);
      high = std::max(high, before[i]);
    }
    for (std::size_t i = k; i < values.size(); i += width) {
      values[i] = std::clamp(values[i], low, high);
    }
  }
}

/// The vertices and triangles of a response, divided among the parts.
class Splitter {
 public:
  Splitter(const v1::SimplifyResponse& response, const ModelMesh& mesh,
           const std::vector<ModelPart>& parts)
      : response_(response),
        mesh_(mesh),
        parts_(parts),
        triangles_(NumbersOf<std::uint32_t>(response.mesh().triangles())),
        sources_(NumbersOf<std::uint32_t>(response.source_vertices())),
        groups_(NumbersOf<std::uint32_t>(response.mesh().vertex_groups())),
        vertices_(parts.size()) {
    if (parts.size() == 1 && groups_.empty()) groups_.assign(sources_.size(), 0);
  }

  absl::StatusOr<std::vector<NewGeometry>> Split() {
    std::vector<NewGeometry> geometries(parts_.size());
    if (triangles_.empty()) return geometries;
    absl::Status status = CheckSizes();
    if (status.ok()) status = DivideVertices(geometries);
    if (status.ok()) status = DivideTriangles(geometries);
    if (!status.ok()) return status;
    SetPositions(geometries);
    for (const v1::VertexAttribute& attribute : response_.attributes()) {
      const auto values = NumbersOf<float>(attribute.values());
      if (values.size() != attribute.components() * sources_.size()) {
        return Misfit(absl::StrCat(attribute.name(), " has not one value for each vertex"));
      }
      for (std::size_t part = 0; part < parts_.size(); ++part) {
        SetAttribute(attribute, values, part, geometries[part]);
      }
    }
    return geometries;
  }

 private:
  const Primitive& Of(std::size_t part) const { return mesh_.primitives[parts_[part].primitive]; }

  absl::Status CheckSizes() const {
    if (response_.origin_size() != 3) return Misfit("it has no origin");
    if (groups_.size() != sources_.size()) return Misfit("it has not one group for each vertex");
    if (response_.mesh().positions().data().size() != 3 * sizeof(float) * sources_.size()) {
      return Misfit("it has not one source for each vertex");
    }
    return absl::OkStatus();
  }

  /// Gives each vertex to its part, in order.
  absl::Status DivideVertices(std::vector<NewGeometry>& geometries) {
    place_.assign(sources_.size(), kNone);
    for (std::size_t v = 0; v < sources_.size(); ++v) {
      const std::uint32_t group = groups_[v];
      if (group >= parts_.size()) return Misfit(absl::StrCat("there is no group ", group));
      // Wraps round for sources before the part.
      const std::uint32_t source = sources_[v] - parts_[group].first_vertex;
      if (source >= Of(group).Vertices()) {
        return Misfit(absl::StrCat("vertex ", sources_[v], " is not in group ", group));
      }
      place_[v] = static_cast<std::uint32_t>(vertices_[group].size());
      vertices_[group].push_back(v);
      geometries[group].source_vertices.push_back(source);
    }
    return absl::OkStatus();
  }

  absl::Status DivideTriangles(std::vector<NewGeometry>& geometries) const {
    if (triangles_.size() % 3 != 0) return Misfit("indices do not come in threes");
    for (std::size_t i = 0; i < triangles_.size(); ++i) {
      const std::uint32_t corner = triangles_[i];
      if (corner >= place_.size()) return Misfit(absl::StrCat("there is no vertex ", corner));
      const std::uint32_t group = groups_[triangles_[i - i % 3]];
      if (groups_[corner] != group) return Misfit("a triangle has corners of several groups");
      geometries[group].triangles.push_back(place_[corner]);
    }
    return absl::OkStatus();
  }

  void SetPositions(std::vector<NewGeometry>& geometries) const {
    const auto positions = NumbersOf<float>(response_.mesh().positions().data());
    for (std::size_t part = 0; part < parts_.size(); ++part) {
      for (const std::size_t v : vertices_[part]) {
        for (std::size_t k = 0; k < 3; ++k) {
          geometries[part].positions.push_back(response_.origin(static_cast<int>(k)) +
                                               positions[3 * v + k]);
        }
      }
    }
  }

  /// Sets the attribute of a part, if its primitive has it.
  void SetAttribute(const v1::VertexAttribute& attribute, const std::vector<float>& all,
                    std::size_t part, NewGeometry& geometry) const {
    const std::size_t components = attribute.components();
    const Primitive& primitive = Of(part);
    // The numbers of the part's vertices, `width` for each, whatever travelled.
    const auto gather = [&](std::size_t width, float missing) {
      std::vector<float> values;
      for (const std::size_t v : vertices_[part]) {
        for (std::size_t k = 0; k < width; ++k) {
          values.push_back(k < components ? all[v * components + k] : missing);
        }
      }
      return values;
    };
    if (attribute.name() == kNormals && !primitive.normals.values.empty()) {
      geometry.normals = gather(3, 0);
    }
    if (attribute.name() == kColours && !primitive.colours.values.empty()) {
      geometry.colours = gather(4, 1);
      Clamp(primitive.colours.values, 4, geometry.colours);
    }
    for (std::size_t set = 0; set < primitive.uvs.size(); ++set) {
      if (attribute.name() != UvsName(set)) continue;
      geometry.uvs.resize(std::max(geometry.uvs.size(), set + 1));
      geometry.uvs[set] = gather(2, 0);
      Clamp(primitive.uvs[set].values, 2, geometry.uvs[set]);
    }
  }

  const v1::SimplifyResponse& response_;
  const ModelMesh& mesh_;
  const std::vector<ModelPart>& parts_;
  std::vector<std::uint32_t> triangles_, sources_, groups_;
  std::vector<std::vector<std::size_t>> vertices_;  ///< of each part: those of the response
  std::vector<std::uint32_t> place_;                ///< of each vertex, in its part
};

}  // namespace

absl::StatusOr<std::vector<NewGeometry>> SplitResponse(const v1::SimplifyResponse& response,
                                                       const ModelMesh& mesh,
                                                       const std::vector<ModelPart>& parts) {
  return Splitter(response, mesh, parts).Split();
}

absl::Status ReplaceBy(const v1::SimplifyResponse& response, const std::vector<ModelPart>& parts,
                       ModelMesh& mesh) {
  const absl::StatusOr<std::vector<NewGeometry>> geometries = SplitResponse(response, mesh, parts);
  if (!geometries.ok()) return geometries.status();
  for (std::size_t part = 0; part < parts.size(); ++part) {
    Primitive& primitive = mesh.primitives[parts[part].primitive];
    absl::Status status = mesh_io::ReplaceGeometry((*geometries)[part], primitive);
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

}  // namespace warpyard::cli
