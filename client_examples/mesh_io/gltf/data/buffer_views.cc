// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/mesh_io/gltf/data/buffer_views.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "client_examples/mesh_io/gltf/data/meshopt_codec.h"

namespace warpyard::mesh_io {
namespace {

// The extension of a compressed buffer view, or null.
const Json* MeshoptOf(const Json& view) {
  const Json* const extensions = FindMember(view, "extensions");
  return extensions == nullptr ? nullptr : FindMember(*extensions, kMeshoptExtension);
}

}  // namespace

absl::StatusOr<Buffers> LoadBuffers(const Json& json, std::optional<absl::string_view> binary,
                                    Resources& resources) {
  Buffers buffers;
  for (const Json& buffer : ArrayMember(json, "buffers")) {
    Fields fields(buffer, absl::StrCat("buffers[", buffers.size(), "]"));
    const std::size_t length = fields.Unsigned("byteLength");
    const std::string uri = fields.String("uri", "");
    if (!fields.status().ok()) return fields.status();
    std::optional<absl::string_view> bytes;
    if (!uri.empty()) {
      const absl::StatusOr<absl::string_view> loaded = resources.Load(uri);
      if (!loaded.ok()) {
        return absl::Status(loaded.status().code(),
                            absl::StrCat(fields.place(), ": ", loaded.status().message()));
      }
      bytes = *loaded;
    } else if (buffers.empty()) {
      bytes = binary;
    }
    if (bytes && bytes->size() < length) {
      fields.Fail(absl::StrCat("byteLength is ", length, ", but there are ", bytes->size()));
      return fields.status();
    }
    buffers.push_back(bytes ? std::optional(bytes->substr(0, length)) : std::nullopt);
  }
  return buffers;
}

absl::StatusOr<absl::string_view> BufferViews::Slice(Fields& fields) const {
  const std::size_t buffer = fields.Unsigned("buffer");
  const std::size_t offset = fields.Unsigned("byteOffset", 0);
  const std::size_t length = fields.Unsigned("byteLength");
  if (!fields.status().ok()) return fields.status();
  if (buffer >= buffers_.size()) {
    fields.Fail(absl::StrCat("buffer ", buffer, " does not exist"));
  } else if (!buffers_[buffer]) {
    fields.Fail(absl::StrCat("buffer ", buffer, " has no data"));
  } else if (offset > buffers_[buffer]->size() || length > buffers_[buffer]->size() - offset) {
    fields.Fail(absl::StrCat("bytes ", offset, " to ", offset + length, " are not in buffer ",
                             buffer, " of ", buffers_[buffer]->size()));
  }
  if (!fields.status().ok()) return fields.status();
  return buffers_[buffer]->substr(offset, length);
}

absl::StatusOr<absl::string_view> BufferViews::Decode(const Json& extension,
                                                      const std::string& place, std::size_t index) {
  if (decoded_[index]) return *decoded_[index];
  Fields fields(extension, absl::StrCat(place, ".", kMeshoptExtension));
  const MeshoptLayout layout{fields.Unsigned("count"), fields.Unsigned("byteStride"),
                             fields.String("mode", ""), fields.String("filter", "NONE")};
  const absl::StatusOr<absl::string_view> data = Slice(fields);
  if (!data.ok()) return data.status();
  absl::Status status = budget_.Take(layout.count, layout.stride);
  if (status.ok()) {
    absl::StatusOr<std::string> bytes = DecodeMeshopt(layout, *data);
    status = bytes.status();
    if (status.ok()) decoded_[index] = *std::move(bytes);
  }
  fields.Fail(status.message());
  return status.ok() ? absl::StatusOr<absl::string_view>(*decoded_[index]) : fields.status();
}

absl::StatusOr<BufferViews::Bytes> BufferViews::Open(std::size_t index) {
  if (index >= views_.size()) {
    return absl::InvalidArgumentError(absl::StrCat("bufferViews[", index, "] does not exist"));
  }
  Fields fields(views_[index], absl::StrCat("bufferViews[", index, "]"));
  const std::size_t stride = fields.Unsigned("byteStride", 0);
  if (stride != 0 && (stride < 4 || stride > 252)) fields.Fail("byteStride is not in 4 to 252");
  if (!fields.status().ok()) return fields.status();
  const Json* const compressed = MeshoptOf(views_[index]);
  const absl::StatusOr<absl::string_view> bytes =
      compressed != nullptr ? Decode(*compressed, fields.place(), index) : Slice(fields);
  if (!bytes.ok()) return bytes.status();
  return Bytes{*bytes, stride};
}

}  // namespace warpyard::mesh_io
