// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The bytes of a glTF file's buffers and buffer views.
#ifndef WARPYARD_CLIENT_EXAMPLES_MESH_IO_GLTF_DATA_BUFFER_VIEWS_H_
#define WARPYARD_CLIENT_EXAMPLES_MESH_IO_GLTF_DATA_BUFFER_VIEWS_H_

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "client_examples/mesh_io/gltf/data/budget.h"
#include "client_examples/mesh_io/gltf/data/json.h"
#include "client_examples/mesh_io/gltf/data/resources.h"

namespace warpyard::mesh_io {

/// The bytes of each buffer; none for a buffer without data, which compressed buffer views name.
using Buffers = std::vector<std::optional<absl::string_view>>;

/// Finds the bytes of all buffers.
/// @shape `binary`: the second chunk of a GLB file
/// @errors INVALID_ARGUMENT with the buffer; those of Resources
absl::StatusOr<Buffers> LoadBuffers(const Json& json, std::optional<absl::string_view> binary,
                                    Resources& resources);

/// Opens buffer views, and decompresses each at most once.
class BufferViews {
 public:
  BufferViews(const Json& json, Buffers buffers, Budget& budget)
      : views_(ArrayMember(json, "bufferViews")),
        buffers_(std::move(buffers)),
        budget_(budget),
        decoded_(views_.size()) {}

  struct Bytes {
    /// Valid as long as the buffers and this object.
    absl::string_view bytes;
    /// 0: elements follow each other without gaps.
    std::size_t stride = 0;
  };

  /// @errors INVALID_ARGUMENT with the buffer view
  absl::StatusOr<Bytes> Open(std::size_t index);

 private:
  absl::StatusOr<absl::string_view> Slice(Fields& fields) const;
  absl::StatusOr<absl::string_view> Decode(const Json& extension, const std::string& place,
                                           std::size_t index);

  const Json& views_;
  Buffers buffers_;
  Budget& budget_;
  std::vector<std::optional<std::string>> decoded_;
};

}  // namespace warpyard::mesh_io

#endif  // WARPYARD_CLIENT_EXAMPLES_MESH_IO_GLTF_DATA_BUFFER_VIEWS_H_
