// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// What a glTF file holds beside the geometry of its triangles, kept for writing.
//
// The numbers of accessors and buffer views stay as they are, because extensions and extras may
// refer to them in ways that nobody here knows. Those of the geometry are free for new geometry.
#ifndef WARPYARD_CLIENT_EXAMPLES_MESH_IO_GLTF_DOCUMENT_H_
#define WARPYARD_CLIENT_EXAMPLES_MESH_IO_GLTF_DOCUMENT_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "client_examples/mesh_io/gltf/data/budget.h"
#include "client_examples/mesh_io/gltf/data/buffer_views.h"
#include "client_examples/mesh_io/gltf/data/json.h"
#include "client_examples/mesh_io/gltf/data/resources.h"

namespace warpyard::mesh_io {

struct GltfDocument {
  /// As in the file, without buffers and without the extensions of compressed buffer views.
  Json json;
  /// The bytes of each buffer view; none where only the geometry of triangles used it.
  std::vector<std::optional<std::string>> views;
  /// Accessors that only the geometry of triangles used.
  std::vector<bool> free_accessors;
  /// Points or lines have quantised attributes, perhaps.
  bool keeps_quantization = false;
};

/// Takes over what must be kept, and embeds images that are files of their own.
/// @errors INVALID_ARGUMENT with the place; those of Resources
absl::StatusOr<GltfDocument> MakeDocument(const Json& json, BufferViews& views,
                                          Resources& resources, Budget& budget);

/// Checks that what readers and writers go through has the right shape: arrays of objects.
/// @errors INVALID_ARGUMENT with the place
absl::Status CheckShape(const Json& json);

/// Removes a name from a list of extensions, and an empty list from the file.
void RemoveExtension(const char* list, const std::string& name, Json& json);

}  // namespace warpyard::mesh_io

#endif  // WARPYARD_CLIENT_EXAMPLES_MESH_IO_GLTF_DOCUMENT_H_
