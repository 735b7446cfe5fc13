// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/city_io/output/glb_file.h"

#include <algorithm>
#include <limits>

#include "absl/strings/str_cat.h"
#include "client_examples/city_io/paint.h"

namespace warpyard::city_io {
namespace {

constexpr std::uint32_t kMagic = 0x46546C67, kVersion = 2;
constexpr std::uint32_t kJsonChunk = 0x4E4F534A, kBinaryChunk = 0x004E4942;
constexpr std::uint64_t kHeadBytes = 12, kChunkHeadBytes = 8;

}  // namespace

GlbFile::GlbFile()
    : json_({{"asset", {{"version", "2.0"}, {"generator", "warpyard"}}},
             {"scene", 0},
             {"scenes", {Json::object()}}}) {}

std::size_t GlbFile::AddArray(const ArrayType& type, std::size_t count) {
  const std::uint64_t bytes = std::uint64_t{type.bytes} * count;
  Json view = {{"buffer", 0}, {"byteOffset", binary_bytes_}, {"byteLength", bytes}};
  if (type.target != 0) view["target"] = type.target;
  views_.push_back(std::move(view));
  accessors_.push_back({{"bufferView", views_.size() - 1},
                        {"componentType", type.component},
                        {"count", count},
                        {"type", type.type}});
  binary_bytes_ += bytes;
  return accessors_.size() - 1;
}

std::size_t GlbFile::AddMaterial(absl::string_view name, std::uint32_t color) {
  const auto [known, is_new] =
      materials_.try_emplace({std::string(name), color}, materials_.size());
  if (!is_new) return known->second;
  const Paint paint = PaintOf(name, color);
  Json factor = Json::array();
  for (std::size_t i = 0; i < 3; ++i) factor.push_back(LinearOf(paint.color[i]));
  factor.push_back(paint.color[3]);
  Json material = {{"name", name},
                   {"pbrMetallicRoughness",
                    {{"baseColorFactor", factor},
                     {"metallicFactor", paint.metallic},
                     {"roughnessFactor", paint.roughness}}},
                   // Walls and panes are often single quads.
                   {"doubleSided", true}};
  if (paint.color[3] < 1) material["alphaMode"] = "BLEND";
  json_["materials"].push_back(std::move(material));
  return known->second;
}

void GlbFile::AddNode(Json node) {
  json_["nodes"].push_back(std::move(node));
  json_["scenes"][0]["nodes"].push_back(json_["nodes"].size() - 1);
}

void GlbFile::UseExtension(const char* name, bool required) {
  json_["extensionsUsed"].push_back(name);
  if (required) json_["extensionsRequired"].push_back(name);
}

std::string GlbFile::JsonChunk() const {
  Json json = json_;
  if (binary_bytes_ > 0) {
    json["accessors"] = accessors_;
    json["bufferViews"] = views_;
    json["buffers"] = {{{"byteLength", binary_bytes_}}};
  }
  std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  text.resize((text.size() + 3) / 4 * 4, ' ');
  return text;
}

std::uint64_t GlbFile::Bytes() const {
  const std::uint64_t binary = binary_bytes_ > 0 ? kChunkHeadBytes + binary_bytes_ : 0;
  return kHeadBytes + kChunkHeadBytes + JsonChunk().size() + binary;
}

absl::Status GlbFile::WriteHead(std::ostream& out) const {
  const std::uint64_t bytes = Bytes();
  if (bytes > std::numeric_limits<std::uint32_t>::max()) {
    return absl::InvalidArgumentError(
        absl::StrCat("a GLB file of ", bytes, " bytes is not possible, at most 4 GiB"));
  }
  const std::string text = JsonChunk();
  const auto number = [&out](std::uint64_t value) {
    WriteRaw(static_cast<std::uint32_t>(value), out);
  };
  for (const std::uint64_t value :
       {std::uint64_t{kMagic}, std::uint64_t{kVersion}, bytes, std::uint64_t{text.size()}}) {
    number(value);
  }
  number(kJsonChunk);
  out << text;
  if (binary_bytes_ == 0) return absl::OkStatus();
  number(binary_bytes_);
  number(kBinaryChunk);
  return absl::OkStatus();
}

}  // namespace warpyard::city_io
