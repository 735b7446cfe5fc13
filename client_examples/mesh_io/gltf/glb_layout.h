// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Puts accessors and buffer views into a glTF file: their numbers, and their places in the binary
// chunk.
#ifndef WARPYARD_CLIENT_EXAMPLES_MESH_IO_GLTF_GLB_LAYOUT_H_
#define WARPYARD_CLIENT_EXAMPLES_MESH_IO_GLTF_GLB_LAYOUT_H_

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "client_examples/mesh_io/gltf/data/json.h"
#include "client_examples/mesh_io/gltf/document.h"
#include "client_examples/mesh_io/gltf/primitive_encoder.h"

namespace warpyard::mesh_io {

/// The accessors and the buffer views of a file that is being written.
class GlbLayout {
 public:
  /// @shape `document`: what is kept; it must live as long as this object
  GlbLayout(const GltfDocument& document, bool meshopt_compression);

  /// Adds an accessor with a buffer view of its own, and returns its number: `old`, that of the
  /// accessor that it replaces, if this is free.
  std::size_t Add(EncodedAccessor accessor, std::optional<std::size_t> old);

  /// Adds an accessor without data, whose elements are zeros.
  std::size_t AddZeros(Json accessor);

  /// Writes "accessors", "bufferViews", "buffers" and the extensions that compression needs into
  /// the file's JSON, and returns its binary chunk.
  std::string Finish(Json& json);

 private:
  struct View {
    Json json;
    // What is kept, or else what is new.
    const std::string* kept = nullptr;
    EncodedAccessor data;
  };

  std::size_t AddView(EncodedAccessor accessor);
  void Place(View& view, std::string& binary);
  void Compress(View& view, std::string& binary);

  bool meshopt_compression_;
  std::vector<Json> accessors_;
  std::vector<bool> accessor_is_free_;
  std::vector<View> views_;
  std::vector<bool> view_is_free_;
  // The views before it are not free.
  std::size_t first_free_view_ = 0;
  // The length of the buffer that would hold the decompressed data.
  std::size_t fallback_bytes_ = 0;
};

}  // namespace warpyard::mesh_io

#endif  // WARPYARD_CLIENT_EXAMPLES_MESH_IO_GLTF_GLB_LAYOUT_H_
