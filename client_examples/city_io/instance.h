// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A derived city as the service sends it: instances, and the names behind their numbers.
#ifndef WARPYARD_CLIENT_EXAMPLES_CITY_IO_INSTANCE_H_
#define WARPYARD_CLIENT_EXAMPLES_CITY_IO_INSTANCE_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace warpyard::city_io {

using Vector = std::array<float, 3>;

/// A mesh, moved from the unit cube to its place: a corner c is at position + rotation * (size *
/// c). The bytes are those of DeriveGrammarPart.instances; like the other clients, this one runs on
/// little-endian machines.
struct Instance {
  Vector position;                ///< metres
  std::array<float, 4> rotation;  ///< a unit quaternion: x, y, z, w
  Vector size;                    ///< metres; negative ones mirror
  std::uint16_t mesh;             ///< in CityNames::meshes
  std::uint16_t material;         ///< in CityNames::materials
  std::uint32_t building;         ///< position of its parcel in the request
  std::uint32_t color;            ///< red, green, blue and alpha, from the least byte on
  std::uint16_t rule;
  std::uint16_t flags;
  std::uint64_t key;
};
static_assert(sizeof(Instance) == 64 && offsetof(Instance, mesh) == 40 &&
              offsetof(Instance, rule) == 52);

/// The colour of instances whose rule gave none.
inline constexpr std::uint32_t kNoColor = 0xFFFFFFFF;

/// Numbers of the meshes that every grammar has.
inline constexpr std::size_t kBox = 0, kQuad = 1, kCylinder = 2, kPrism = 3, kTriangle = 4;
inline constexpr std::size_t kBuiltInMeshes = 5;

/// @shape asset: a file's name, or empty
struct MeshName {
  std::string name;
  std::string asset;
};

/// @shape meshes: the built-in ones first
struct CityNames {
  std::vector<MeshName> meshes;
  std::vector<std::string> materials;
};

}  // namespace warpyard::city_io

#endif  // WARPYARD_CLIENT_EXAMPLES_CITY_IO_INSTANCE_H_
