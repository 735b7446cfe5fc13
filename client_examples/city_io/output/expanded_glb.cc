// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/city_io/output/expanded_glb.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "absl/strings/str_cat.h"
#include "client_examples/city_io/groups.h"
#include "client_examples/city_io/output/glb_file.h"

namespace warpyard::city_io {
namespace {

/// Of the arrays for one vertex: position, normal and building.
constexpr std::uint64_t kVertexBytes = 28;

std::uint64_t ArrayBytes(const City& city) {
  std::uint64_t bytes = 0;
  for (const Instance& instance : city.instances) {
    const UnitMesh& mesh = city.MeshOf(instance);
    bytes += kVertexBytes * mesh.positions.size() + 4 * mesh.triangles.size();
  }
  return bytes;
}

class ExpandedGlb {
 public:
  explicit ExpandedGlb(const City& city) : city_(city), groups_(city.instances, GroupBy::kPaint) {
    if (groups_.groups().empty()) return;
    file_.UseExtension("EXT_mesh_features", false);
    Json primitives = Json::array();
    for (const Group& group : groups_.groups()) primitives.push_back(PrimitiveOf(group));
    file_.json()["meshes"] = {{{"name", "city"}, {"primitives", std::move(primitives)}}};
    file_.AddNode({{"name", "city"}, {"mesh", 0}});
  }

  std::uint64_t Bytes() const { return file_.Bytes(); }

  absl::Status Write(std::ostream& out) const {
    if (absl::Status head = file_.WriteHead(out); !head.ok()) return head;
    for (const Group& group : groups_.groups()) WriteArrays(group, out);
    return absl::OkStatus();
  }

 private:
  /// Calls a function with each placed mesh of a group and the instance that it is of.
  template <class Function>
  void ForEach(const Group& group, Function function) const {
    PlacedMesh placed;
    for (const std::uint32_t member : group.members) {
      const Instance& instance = city_.instances[member];
      Place(city_.MeshOf(instance), instance, placed);
      function(placed, instance);
    }
  }

  Json PrimitiveOf(const Group& group) {
    std::size_t vertices = 0, corners = 0, buildings = 0;
    std::uint32_t last = 0;
    std::array<Vector, 2> box{};
    ForEach(group, [&](const PlacedMesh& placed, const Instance& instance) {
      if (vertices == 0) box = {placed.positions[0], placed.positions[0]};
      if (vertices == 0 || instance.building != last) ++buildings;
      last = instance.building;
      for (const Vector& position : placed.positions) {
        for (std::size_t axis = 0; axis < 3; ++axis) {
          box[0][axis] = std::min(box[0][axis], position[axis]);
          box[1][axis] = std::max(box[1][axis], position[axis]);
        }
      }
      vertices += placed.positions.size();
      corners += placed.triangles.size();
    });
    const std::size_t positions = file_.AddArray(kVertexVectors, vertices);
    file_.Accessor(positions)["min"] = box[0];
    file_.Accessor(positions)["max"] = box[1];
    const std::size_t normals = file_.AddArray(kVertexVectors, vertices);
    const std::size_t features = file_.AddArray(kVertexNumbers, vertices);
    const Json feature = {{"featureCount", buildings}, {"attribute", 0}};
    // Materials without a name are those of meshes, of which the first one's has to do here.
    const std::uint16_t mesh = city_.instances[group.members[0]].mesh;
    return {
        {"attributes", {{"POSITION", positions}, {"NORMAL", normals}, {"_FEATURE_ID_0", features}}},
        {"indices", file_.AddArray(kIndices, corners)},
        {"material", file_.AddMaterial(city_.PaintName(mesh, group.key.material), group.key.color)},
        {"extensions", {{"EXT_mesh_features", {{"featureIds", Json::array({feature})}}}}}};
  }

  void WriteArrays(const Group& group, std::ostream& out) const {
    ForEach(group, [&](const PlacedMesh& placed, const Instance&) {
      for (const Vector& position : placed.positions) WriteRaw(position, out);
    });
    ForEach(group, [&](const PlacedMesh& placed, const Instance&) {
      for (const Vector& normal : placed.normals) WriteRaw(normal, out);
    });
    ForEach(group, [&](const PlacedMesh& placed, const Instance& instance) {
      const auto building = static_cast<float>(instance.building);
      for (std::size_t i = 0; i < placed.positions.size(); ++i) WriteRaw(building, out);
    });
    std::uint32_t first = 0;
    ForEach(group, [&](const PlacedMesh& placed, const Instance&) {
      for (const std::uint32_t vertex : placed.triangles) WriteRaw(first + vertex, out);
      first += static_cast<std::uint32_t>(placed.positions.size());
    });
  }

  const City& city_;
  Groups groups_;
  GlbFile file_;
};

absl::Status CheckBudget(std::uint64_t bytes, std::uint64_t most_bytes) {
  if (bytes <= most_bytes) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("expanded, the city takes ", bytes,
                                                 " bytes, more than the budget of ", most_bytes));
}

}  // namespace

absl::Status WriteExpandedGlb(const City& city, std::uint64_t most_bytes, std::ostream& out) {
  if (absl::Status checked = CheckCity(city); !checked.ok()) return checked;
  // The arrays alone are counted fast; then comes the exact size.
  absl::Status budget = CheckBudget(ArrayBytes(city), most_bytes);
  if (!budget.ok()) return budget;
  const ExpandedGlb glb(city);
  budget = CheckBudget(glb.Bytes(), most_bytes);
  return budget.ok() ? glb.Write(out) : budget;
}

}  // namespace warpyard::city_io
