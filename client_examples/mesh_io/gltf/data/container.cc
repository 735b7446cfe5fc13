// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/mesh_io/gltf/data/container.h"

#include <cstddef>
#include <cstdint>
#include <limits>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "client_examples/mesh_io/component.h"

namespace warpyard::mesh_io {
namespace {

constexpr absl::string_view kMagic = "glTF";
constexpr std::uint32_t kVersion = 2;
constexpr std::uint32_t kJsonChunk = 0x4E4F534A;
constexpr std::uint32_t kBinaryChunk = 0x004E4942;
constexpr std::size_t kHeaderBytes = 12;
constexpr std::size_t kChunkHeaderBytes = 8;

std::uint32_t WordAt(absl::string_view contents, std::size_t byte) {
  return LoadLittleEndian<std::uint32_t>(contents.data() + byte);
}

std::size_t Padded(std::size_t bytes) { return (bytes + 3) / 4 * 4; }

void AppendChunk(absl::string_view data, std::uint32_t type, char padding, std::string& out) {
  AppendLittleEndian(static_cast<std::uint32_t>(Padded(data.size())), out);
  AppendLittleEndian(type, out);
  out.append(data.data(), data.size());
  out.append(Padded(data.size()) - data.size(), padding);
}

}  // namespace

bool LooksLikeGlb(absl::string_view contents) { return absl::StartsWith(contents, kMagic); }

absl::StatusOr<GlbChunks> SplitGlb(absl::string_view contents) {
  if (contents.size() < kHeaderBytes) {
    return absl::InvalidArgumentError("a GLB file begins with a header of 12 bytes");
  }
  if (const std::uint32_t version = WordAt(contents, 4); version != kVersion) {
    return absl::UnimplementedError(absl::StrCat("glTF version ", version, ", expected 2"));
  }
  const std::size_t length = WordAt(contents, 8);
  if (length > contents.size()) {
    return absl::InvalidArgumentError(
        absl::StrCat("the header announces ", length, " bytes, the file has ", contents.size()));
  }
  GlbChunks chunks;
  std::size_t chunk = 0;
  for (std::size_t at = kHeaderBytes; at < length; ++chunk) {
    const std::size_t data = at + kChunkHeaderBytes;
    if (data > length || WordAt(contents, at) > length - data) {
      return absl::InvalidArgumentError(
          absl::StrCat("byte ", at, ": chunk ", chunk, " reaches beyond the end of the file"));
    }
    const absl::string_view bytes = contents.substr(data, WordAt(contents, at));
    const std::uint32_t type = WordAt(contents, at + 4);
    if ((chunk == 0) != (type == kJsonChunk)) {
      return absl::InvalidArgumentError(
          absl::StrCat("byte ", at, ": the first chunk, and no other, must be JSON"));
    }
    if (chunk == 0) chunks.json = bytes;
    // Chunks of other types belong to extensions.
    if (chunk == 1 && type == kBinaryChunk) chunks.binary = bytes;
    at = data + bytes.size();
  }
  if (chunk == 0) return absl::InvalidArgumentError("there is no JSON chunk");
  return chunks;
}

absl::StatusOr<std::string> JoinGlb(absl::string_view json, absl::string_view binary) {
  std::size_t length = kHeaderBytes + kChunkHeaderBytes + Padded(json.size());
  if (!binary.empty()) length += kChunkHeaderBytes + Padded(binary.size());
  if (length > std::numeric_limits<std::uint32_t>::max()) {
    return absl::InvalidArgumentError(
        absl::StrCat("the file would have ", length, " bytes, more than GLB allows (4 GiB)"));
  }
  std::string out(kMagic);
  out.reserve(length);
  AppendLittleEndian(kVersion, out);
  AppendLittleEndian(static_cast<std::uint32_t>(length), out);
  AppendChunk(json, kJsonChunk, ' ', out);
  if (!binary.empty()) AppendChunk(binary, kBinaryChunk, '\0', out);
  return out;
}

}  // namespace warpyard::mesh_io
