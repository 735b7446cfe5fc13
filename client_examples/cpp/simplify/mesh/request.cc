// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/cpp/simplify/mesh/request.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace warpyard::cli {
namespace {

using mesh_io::ModelMesh;
using mesh_io::Primitive;
using Place = std::array<double, 3>;

constexpr float kMostValue = 1e6f;
constexpr std::size_t kMostComponents = 16;

Place PlaceOf(const Primitive& primitive, std::size_t vertex) {
  const double* const p = &primitive.positions[3 * vertex];
  // Adding 0 makes -0 and 0 the same key, as they are the same place.
  return {p[0] + 0.0, p[1] + 0.0, p[2] + 0.0};
}

template <class Number>
void Append(const std::vector<Number>& numbers, std::string& bytes) {
  bytes.append(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(Number));
}

/// An attribute as the primitives have it.
struct Channel {
  std::string name;
  v1::AttributeKind kind = v1::ATTRIBUTE_KIND_LINEAR;
  std::size_t components = 0;
  /// Numbers a vertex of what `values` returns; the first `components` of them are sent.
  std::size_t width = 0;
  /// For primitives without the attribute. @shape components
  std::vector<float> constant;
  /// Empty if the primitive has none.
  std::function<const std::vector<float>&(const Primitive&)> values;
};

/// The model of one mesh.
class ModelMaker {
 public:
  ModelMaker(const ModelMesh& mesh, const std::vector<ModelPart>& parts)
      : mesh_(mesh), parts_(parts) {}

  void SetMesh(v1::TriangleMesh& out) const {
    SetPositions(*out.mutable_positions());
    for (std::size_t group = 0; group < parts_.size(); ++group) {
      AppendTriangles(parts_[group], *out.mutable_triangles());
      if (parts_.size() == 1) continue;
      Append(std::vector<std::uint32_t>(Of(parts_[group]).Vertices(),
                                        static_cast<std::uint32_t>(group)),
             *out.mutable_vertex_groups());
    }
  }

  void AddAttributes(const AttributeWeights& weights, v1::OpenModelRequest& request) const {
    std::size_t components = 0;
    for (const Channel& channel : Channels()) {
      if (!Fits(channel) || components + channel.components > kMostComponents) continue;
      components += channel.components;
      v1::VertexAttribute& attribute = *request.add_attributes();
      attribute.set_name(channel.name);
      attribute.set_kind(channel.kind);
      attribute.set_components(static_cast<std::uint32_t>(channel.components));
      for (const ModelPart& part : parts_) {
        AppendValues(Of(part), channel, *attribute.mutable_values());
      }
      const auto weight = weights.find(WeightName(channel.name));
      if (weight != weights.end()) attribute.set_weight(weight->second);
    }
  }

  /// One byte a vertex, or empty where all primitives are parts.
  std::string Locks() const {
    absl::flat_hash_set<Place> kept;
    for (std::size_t i = 0; i < mesh_.primitives.size(); ++i) {
      const bool is_part = std::any_of(parts_.begin(), parts_.end(),
                                       [&](const ModelPart& part) { return part.primitive == i; });
      const Primitive& primitive = mesh_.primitives[i];
      for (std::size_t v = 0; !is_part && v < primitive.Vertices(); ++v) {
        kept.insert(PlaceOf(primitive, v));
      }
    }
    std::string locks;
    for (const ModelPart& part : parts_) {
      for (std::size_t v = 0; !kept.empty() && v < Of(part).Vertices(); ++v) {
        locks += kept.contains(PlaceOf(Of(part), v)) ? '\1' : '\0';
      }
    }
    return locks;
  }

 private:
  const Primitive& Of(const ModelPart& part) const { return mesh_.primitives[part.primitive]; }

  bool AnyPart(const std::function<bool(const Primitive&)>& holds) const {
    return std::any_of(parts_.begin(), parts_.end(),
                       [&](const ModelPart& part) { return holds(Of(part)); });
  }

  void SetPositions(v1::Positions& out) const {
    const bool has_doubles = AnyPart([](const Primitive& p) { return !p.positions_are_float; });
    out.set_scalar_type(has_doubles ? v1::SCALAR_TYPE_FLOAT64 : v1::SCALAR_TYPE_FLOAT32);
    for (const ModelPart& part : parts_) {
      const std::vector<double>& all = Of(part).positions;
      if (has_doubles) {
        Append(all, *out.mutable_data());
      } else {
        Append(std::vector<float>(all.begin(), all.end()), *out.mutable_data());
      }
    }
  }

  void AppendTriangles(const ModelPart& part, std::string& out) const {
    const std::vector<std::uint32_t>& all = Of(part).triangles;
    std::vector<std::uint32_t> triangles;
    triangles.reserve(all.size());
    for (std::size_t i = 0; i + 2 < all.size(); i += 3) {
      const std::uint32_t* const c = &all[i];
      if (c[0] == c[1] || c[1] == c[2] || c[0] == c[2]) continue;
      for (std::size_t k = 0; k < 3; ++k) triangles.push_back(part.first_vertex + c[k]);
    }
    Append(triangles, out);
  }

  std::vector<Channel> Channels() const {
    const auto normals = [](const Primitive& p) -> const std::vector<float>& {
      return p.normals.values;
    };
    const auto colours = [](const Primitive& p) -> const std::vector<float>& {
      return p.colours.values;
    };
    const bool has_alpha = AnyPart(
        [](const Primitive& p) { return !p.colours.values.empty() && !p.colours_are_opaque; });
    std::vector<Channel> channels = {
        {kNormals, v1::ATTRIBUTE_KIND_NORMAL, 3, 3, {0, 0, 1}, normals},
        {kColours, v1::ATTRIBUTE_KIND_LINEAR, has_alpha ? 4u : 3u, 4, {1, 1, 1, 1}, colours}};
    std::size_t sets = 0;
    for (const ModelPart& part : parts_) sets = std::max(sets, Of(part).uvs.size());
    for (std::size_t set = 0; set < sets; ++set) {
      const auto uvs = [set](const Primitive& p) -> const std::vector<float>& {
        static const std::vector<float> kNone;
        return set < p.uvs.size() ? p.uvs[set].values : kNone;
      };
      channels.push_back({UvsName(set), v1::ATTRIBUTE_KIND_LINEAR, 2, 2, {0, 0}, uvs});
    }
    return channels;
  }

  /// Whether a part has the attribute, with numbers that the service takes.
  bool Fits(const Channel& channel) const {
    const auto is_large = [](float value) { return !(std::fabs(value) <= kMostValue); };
    return AnyPart([&](const Primitive& p) { return !channel.values(p).empty(); }) &&
           !AnyPart([&](const Primitive& p) {
             const std::vector<float>& values = channel.values(p);
             return std::any_of(values.begin(), values.end(), is_large);
           });
  }

  static void AppendValues(const Primitive& primitive, const Channel& channel, std::string& out) {
    const std::vector<float>& values = channel.values(primitive);
    std::vector<float> sent;
    sent.reserve(primitive.Vertices() * channel.components);
    for (std::size_t v = 0; v < primitive.Vertices(); ++v) {
      const float* const from =
          values.empty() ? channel.constant.data() : &values[v * channel.width];
      sent.insert(sent.end(), from, from + channel.components);
    }
    Append(sent, out);
  }

  const ModelMesh& mesh_;
  const std::vector<ModelPart>& parts_;
};

}  // namespace

std::string UvsName(std::size_t set) { return set == 0 ? kUvs : absl::StrCat(kUvs, "_", set); }

std::string WeightName(const std::string& attribute) {
  return attribute.substr(0, attribute.find('_'));
}

std::vector<ModelPart> PartsOf(const ModelMesh& mesh) {
  std::vector<ModelPart> parts;
  std::size_t vertices = 0;
  for (std::size_t i = 0; i < mesh.primitives.size(); ++i) {
    const Primitive& primitive = mesh.primitives[i];
    if (!primitive.pinned_by.empty() || primitive.triangles.empty()) continue;
    parts.push_back({i, static_cast<std::uint32_t>(vertices)});
    vertices += primitive.Vertices();
  }
  return parts;
}

bool HaveSurface(const ModelMesh& mesh, const std::vector<ModelPart>& parts) {
  return std::any_of(parts.begin(), parts.end(), [&](const ModelPart& part) {
    const Primitive& primitive = mesh.primitives[part.primitive];
    const std::vector<std::uint32_t>& corners = primitive.triangles;
    for (std::size_t i = 0; i + 2 < corners.size(); i += 3) {
      const Place a = PlaceOf(primitive, corners[i]), b = PlaceOf(primitive, corners[i + 1]),
                  c = PlaceOf(primitive, corners[i + 2]);
      if (a != b && b != c && a != c) return true;
    }
    return false;
  });
}

absl::StatusOr<v1::OpenModelRequest> RequestOf(const ModelMesh& mesh,
                                               const std::vector<ModelPart>& parts,
                                               const AttributeWeights& weights) {
  std::size_t vertices = 0;
  for (const ModelPart& part : parts) vertices += mesh.primitives[part.primitive].Vertices();
  if (vertices > std::numeric_limits<std::uint32_t>::max()) {
    return absl::InvalidArgumentError("too many vertices for one mesh");
  }
  const ModelMaker maker(mesh, parts);
  v1::OpenModelRequest request;
  maker.SetMesh(*request.mutable_mesh());
  maker.AddAttributes(weights, request);
  request.set_locked_vertices(maker.Locks());
  return request;
}

}  // namespace warpyard::cli
