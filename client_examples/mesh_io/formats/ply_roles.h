// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// What the properties of a PLY file mean, by their names.
#ifndef WARPYARD_CLIENT_EXAMPLES_MESH_IO_FORMATS_PLY_ROLES_H_
#define WARPYARD_CLIENT_EXAMPLES_MESH_IO_FORMATS_PLY_ROLES_H_

#include <array>
#include <cstddef>

#include "client_examples/mesh_io/component.h"
#include "client_examples/mesh_io/formats/ply_header.h"

namespace warpyard::mesh_io {

/// The number of a vertex, or the list of a face or a strip, that a property holds.
enum class PlyRole : std::size_t {
  kSkip,
  kX,
  kY,
  kZ,
  kNormalX,
  kNormalY,
  kNormalZ,
  kU,
  kV,
  kRed,
  kGreen,
  kBlue,
  kAlpha,
  kFace,
  kStrip,
  kCount,
};

/// Something for each role.
template <class T>
using PerPlyRole = std::array<T, static_cast<std::size_t>(PlyRole::kCount)>;

PlyRole PlyRoleOf(const PlyElement& element, const PlyProperty& property);

/// How a colour of a PLY type is kept. Integers of unusual types count to 255, too.
Storage PlyColourStorage(PlyScalar scalar);

}  // namespace warpyard::mesh_io

#endif  // WARPYARD_CLIENT_EXAMPLES_MESH_IO_FORMATS_PLY_ROLES_H_
