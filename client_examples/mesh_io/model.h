// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A model: the meshes of a file with the attributes of their vertices, and what else the file
// holds.
//
// A mesh consists of primitives: triangles of one material with vertices of their own. Simplified
// triangles are put back by ReplaceGeometry, which carries over everything that they do not bring.
#ifndef WARPYARD_CLIENT_EXAMPLES_MESH_IO_MODEL_H_
#define WARPYARD_CLIENT_EXAMPLES_MESH_IO_MODEL_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "client_examples/mesh_io/component.h"

namespace warpyard::mesh_io {

/// An attribute of the vertices whose meaning is known: normals, texture coordinates, colours.
struct FloatAttribute {
  /// All finite; empty if the vertices do not have the attribute.
  std::vector<float> values;
  /// The file's type. Writers round to it where it can hold the values.
  Storage storage;
};

/// An attribute of the vertices that is only carried over: tangents, joints, weights, custom ones.
struct RawAttribute {
  /// As in glTF, for example "JOINTS_0"
  std::string name;
  Storage storage;
  /// glTF's type of an element, for example "VEC4"
  std::string type;
  std::size_t element_bytes = 0;
  /// @shape element_bytes a vertex; little-endian
  std::vector<std::uint8_t> bytes;
};

/// Triangles of one material, with vertices of their own.
struct Primitive {
  /// Index into Model::material_names
  std::optional<std::uint32_t> material;
  /// @shape x y z a vertex; all finite
  std::vector<double> positions;
  /// True when every coordinate is exactly a float, so that sending floats loses nothing.
  bool positions_are_float = false;
  /// The file's type; glTF may have quantised integers.
  Storage position_storage;
  /// @shape 3 vertex indices a triangle, all below the number of vertices; may be empty
  std::vector<std::uint32_t> triangles;
  /// @shape 3 a vertex
  FloatAttribute normals;
  /// Sets of texture coordinates. @shape 2 a vertex
  std::vector<FloatAttribute> uvs;
  /// Red, green, blue, alpha in [0, 1], as they are in the file: linear in glTF. @shape 4 a vertex
  FloatAttribute colours;
  /// The file has no alpha; `colours` has 1.
  bool colours_are_opaque = false;
  std::vector<RawAttribute> others;
  std::vector<std::vector<RawAttribute>> morph_targets;
  /// In a glTF file: the primitive's place in its mesh.
  std::size_t gltf_primitive = 0;
  /// What refers to single vertices in an unknown way, so that the geometry cannot be replaced.
  std::string pinned_by;

  std::size_t Vertices() const { return positions.size() / 3; }
};

struct ModelMesh {
  std::string name;
  std::vector<Primitive> primitives;
  /// In a glTF file: its primitives of points and lines, which only the document holds.
  std::size_t other_primitives = 0;
};

/// One appearance of a mesh in the scene.
struct Instance {
  std::size_t mesh = 0;
  /// @shape 4 columns of 4
  std::array<double, 16> transform{};
};

/// What a glTF file holds beside the geometry: nodes, materials, images, animations, skins, extras
/// (client_examples/mesh_io/gltf/document.h).
struct GltfDocument;

struct Model {
  /// In a glTF file: as many as there, in the same order.
  std::vector<ModelMesh> meshes;
  std::vector<std::string> material_names;
  /// Files of materials that an OBJ file names.
  std::vector<std::string> material_libraries;
  /// Where the scene has the meshes. Empty: each mesh once, untransformed.
  std::vector<Instance> instances;
  /// Null unless read from glTF.
  std::shared_ptr<const GltfDocument> document;
};

/// What replaces the geometry of a primitive.
struct NewGeometry {
  /// @shape 3 vertex indices a triangle, below the number of source_vertices
  std::vector<std::uint32_t> triangles;
  /// The vertex of the primitive that each vertex comes from.
  std::vector<std::uint32_t> source_vertices;
  /// These are taken from the source vertices where they are empty. @shape as in Primitive
  std::vector<double> positions;
  std::vector<float> normals;
  std::vector<std::vector<float>> uvs;
  std::vector<float> colours;
};

/// Replaces triangles and vertices. Attributes that `geometry` does not bring, the raw ones and the
/// morph targets are those of the source vertices. Positions become floats if they are floats now.
/// @errors INVALID_ARGUMENT: a size or an index does not fit, a number is not finite, or the
///     primitive lacks the attribute; FAILED_PRECONDITION: something that refers to single vertices
///     cannot be kept (`pinned_by`). The primitive is then as before.
absl::Status ReplaceGeometry(const NewGeometry& geometry, Primitive& primitive);

/// Checks what the comments of Primitive promise: sizes, indices, finite numbers.
/// @errors INVALID_ARGUMENT
absl::Status CheckPrimitive(const Primitive& primitive);

/// Whether every number is exactly a float.
bool AllAreFloats(const std::vector<double>& values);

}  // namespace warpyard::mesh_io

#endif  // WARPYARD_CLIENT_EXAMPLES_MESH_IO_MODEL_H_
