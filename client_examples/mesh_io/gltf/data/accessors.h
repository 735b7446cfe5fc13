// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The elements of a glTF file's accessors: strided, quantised, sparse.
#ifndef WARPYARD_CLIENT_EXAMPLES_MESH_IO_GLTF_DATA_ACCESSORS_H_
#define WARPYARD_CLIENT_EXAMPLES_MESH_IO_GLTF_DATA_ACCESSORS_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "client_examples/mesh_io/component.h"
#include "client_examples/mesh_io/gltf/data/buffer_views.h"
#include "client_examples/mesh_io/gltf/data/json.h"

namespace warpyard::mesh_io {

/// An element's layout. The columns of matrices of small integers begin at multiples of 4 bytes.
struct ElementLayout {
  std::size_t components = 0;
  std::size_t bytes = 0;
};

/// @shape `type`: glTF's, for example "VEC3"
/// @errors INVALID_ARGUMENT: an unknown type
absl::StatusOr<ElementLayout> LayoutOf(const std::string& type, ComponentType component);

/// The elements of one accessor. It holds no copy of them.
struct AccessorView {
  std::size_t count = 0;
  std::string type;
  Storage storage;
  ElementLayout layout;

  /// The bytes of an element below `count`.
  const char* Element(std::size_t index) const {
    const bool is_plain = base != nullptr && sparse_values == nullptr;
    return is_plain ? base + index * stride : SparseElement(index);
  }

  /// The same where some elements are replaced, or all are zero.
  const char* SparseElement(std::size_t index) const;

  /// Null: all elements are zero but the sparse ones.
  const char* base = nullptr;
  std::size_t stride = 0;
  /// The elements that `sparse_values` replaces, ascending.
  std::vector<std::uint32_t> sparse_indices;
  const char* sparse_values = nullptr;
};

class Accessors {
 public:
  Accessors(const Json& json, BufferViews& views)
      : accessors_(ArrayMember(json, "accessors")), views_(views) {}

  /// @errors INVALID_ARGUMENT with the accessor: a member is missing or unknown, or the buffer view
  ///     is too short
  absl::StatusOr<AccessorView> Open(std::size_t index);

 private:
  absl::Status ReadSparse(const Json& sparse, const std::string& place, AccessorView& view);

  const Json& accessors_;
  BufferViews& views_;
};

}  // namespace warpyard::mesh_io

#endif  // WARPYARD_CLIENT_EXAMPLES_MESH_IO_GLTF_DATA_ACCESSORS_H_
