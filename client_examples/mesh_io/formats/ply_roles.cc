// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/mesh_io/formats/ply_roles.h"

#include "absl/strings/string_view.h"

namespace warpyard::mesh_io {
namespace {

struct RoleName {
  absl::string_view name;
  PlyRole role;
};

constexpr std::array<RoleName, 21> kVertexRoles = {{
    {"x", PlyRole::kX},         {"y", PlyRole::kY},
    {"z", PlyRole::kZ},         {"nx", PlyRole::kNormalX},
    {"ny", PlyRole::kNormalY},  {"nz", PlyRole::kNormalZ},
    {"u", PlyRole::kU},         {"s", PlyRole::kU},
    {"texture_u", PlyRole::kU}, {"v", PlyRole::kV},
    {"t", PlyRole::kV},         {"texture_v", PlyRole::kV},
    {"red", PlyRole::kRed},     {"diffuse_red", PlyRole::kRed},
    {"green", PlyRole::kGreen}, {"diffuse_green", PlyRole::kGreen},
    {"blue", PlyRole::kBlue},   {"diffuse_blue", PlyRole::kBlue},
    {"alpha", PlyRole::kAlpha}, {"diffuse_alpha", PlyRole::kAlpha},
    {"a", PlyRole::kAlpha},
}};

}  // namespace

PlyRole PlyRoleOf(const PlyElement& element, const PlyProperty& property) {
  if (property.length_type) {
    if (property.name != "vertex_indices" && property.name != "vertex_index") return PlyRole::kSkip;
    if (element.name == "face") return PlyRole::kFace;
    return element.name == "tristrips" ? PlyRole::kStrip : PlyRole::kSkip;
  }
  if (element.name != "vertex") return PlyRole::kSkip;
  for (const RoleName& known : kVertexRoles) {
    if (known.name == property.name) return known.role;
  }
  return PlyRole::kSkip;
}

Storage PlyColourStorage(PlyScalar scalar) {
  switch (scalar) {
    case PlyScalar::kFloat32:
    case PlyScalar::kFloat64:
      return {};
    case PlyScalar::kUint16:
      return {ComponentType::kUint16, true};
    default:
      return {ComponentType::kUint8, true};
  }
}

}  // namespace warpyard::mesh_io
