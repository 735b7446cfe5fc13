// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/city_io/output/instanced_glb.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>

#include "absl/strings/str_cat.h"
#include "client_examples/city_io/groups.h"
#include "client_examples/city_io/output/glb_file.h"

namespace warpyard::city_io {
namespace {

/// The number of buildings of a group, whose instances are in the order of buildings.
std::size_t BuildingsOf(const City& city, const Group& group) {
  std::size_t buildings = 0;
  std::uint32_t last = 0;
  for (const std::uint32_t member : group.members) {
    const std::uint32_t building = city.instances[member].building;
    if (buildings == 0 || building != last) ++buildings;
    last = building;
  }
  return buildings;
}

class InstancedGlb {
 public:
  explicit InstancedGlb(const City& city)
      : city_(city), groups_(city.instances, GroupBy::kMeshAndPaint) {
    if (groups_.groups().empty()) return;
    file_.UseExtension("EXT_mesh_gpu_instancing", true);
    file_.UseExtension("EXT_instance_features", false);
    for (const Group& group : groups_.groups()) primitives_[{group.key.mesh, group.key.mirrored}];
    // In the order in which they are written.
    for (auto& [key, primitive] : primitives_) primitive = PrimitiveOf(key);
    for (const Group& group : groups_.groups()) AddNode(group);
  }

  absl::Status Write(std::ostream& out) const {
    if (absl::Status head = file_.WriteHead(out); !head.ok()) return head;
    for (const auto& [key, primitive] : primitives_) WriteMesh(key, out);
    for (const Group& group : groups_.groups()) WriteArrays(group, out);
    return absl::OkStatus();
  }

 private:
  /// @shape mesh, and whether it is mirrored
  using MeshKey = std::pair<std::uint16_t, bool>;

  UnitMesh MeshOf(const MeshKey& key) const {
    const UnitMesh& mesh = city_.meshes[key.first];
    return key.second ? Mirrored(mesh) : mesh;
  }

  Json PrimitiveOf(const MeshKey& key) {
    const UnitMesh mesh = MeshOf(key);
    const std::size_t positions = file_.AddArray(kVertexVectors, mesh.positions.size());
    Vector least = mesh.positions.front(), most = least;
    for (const Vector& position : mesh.positions) {
      for (std::size_t axis = 0; axis < 3; ++axis) {
        least[axis] = std::min(least[axis], position[axis]);
        most[axis] = std::max(most[axis], position[axis]);
      }
    }
    file_.Accessor(positions)["min"] = least;
    file_.Accessor(positions)["max"] = most;
    const std::size_t normals = file_.AddArray(kVertexVectors, mesh.normals.size());
    return {{"attributes", {{"POSITION", positions}, {"NORMAL", normals}}},
            {"indices", file_.AddArray(kIndices, mesh.triangles.size())}};
  }

  void AddNode(const Group& group) {
    const GroupKey& key = group.key;
    const std::string& paint = city_.PaintName(key.mesh, key.material);
    Json primitive = primitives_.at({key.mesh, key.mirrored});
    primitive["material"] = file_.AddMaterial(paint, key.color);
    Json& meshes = file_.json()["meshes"];
    meshes.push_back({{"name", city_.names.meshes[key.mesh].name}, {"primitives", {primitive}}});
    const std::size_t count = group.members.size();
    Json attributes;
    attributes["TRANSLATION"] = file_.AddArray(kVectors, count);
    attributes["ROTATION"] = file_.AddArray(kQuaternions, count);
    attributes["SCALE"] = file_.AddArray(kVectors, count);
    attributes["_FEATURE_ID_0"] = file_.AddArray(kNumbers, count);
    const Json features = {{"featureCount", BuildingsOf(city_, group)}, {"attribute", 0}};
    file_.AddNode({{"name", absl::StrCat(city_.names.meshes[key.mesh].name, " ", paint)},
                   {"mesh", meshes.size() - 1},
                   {"extensions",
                    {{"EXT_mesh_gpu_instancing", {{"attributes", attributes}}},
                     {"EXT_instance_features", {{"featureIds", Json::array({features})}}}}}});
  }

  void WriteMesh(const MeshKey& key, std::ostream& out) const {
    const UnitMesh mesh = MeshOf(key);
    for (const Vector& position : mesh.positions) WriteRaw(position, out);
    for (const Vector& normal : mesh.normals) WriteRaw(normal, out);
    for (const std::uint32_t vertex : mesh.triangles) WriteRaw(vertex, out);
  }

  void WriteArrays(const Group& group, std::ostream& out) const {
    const bool is_flat = IsFlat(city_.meshes[group.key.mesh]);
    const auto each = [&](auto write) {
      for (const std::uint32_t member : group.members) {
        write(Drawable(city_.instances[member], is_flat));
      }
    };
    each([&](const Instance& instance) { WriteRaw(instance.position, out); });
    each([&](const Instance& instance) { WriteRaw(instance.rotation, out); });
    each([&](const Instance& instance) { WriteRaw(instance.size, out); });
    each([&](const Instance& instance) { WriteRaw(static_cast<float>(instance.building), out); });
  }

  const City& city_;
  Groups groups_;
  GlbFile file_;
  std::map<MeshKey, Json> primitives_;  ///< without materials
};

}  // namespace

absl::Status WriteInstancedGlb(const City& city, std::ostream& out) {
  if (absl::Status checked = CheckCity(city); !checked.ok()) return checked;
  return InstancedGlb(city).Write(out);
}

}  // namespace warpyard::city_io
