// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/mesh_io/gltf/primitive_encoder.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "client_examples/mesh_io/gltf/data/accessors.h"

namespace warpyard::mesh_io {
namespace {

constexpr std::array<const char*, 5> kVectorTypes = {"", "SCALAR", "VEC2", "VEC3", "VEC4"};

std::size_t Padded(std::size_t bytes) { return (bytes + 3) / 4 * 4; }

Json AccessorJson(const Storage& storage, std::size_t count, const std::string& type) {
  Json json = {{"componentType", static_cast<int>(storage.component)}};
  if (storage.normalized) json["normalized"] = true;
  json["count"] = count;
  json["type"] = type;
  return json;
}

// Whether stored numbers stand for the values, but for the rounding that the type itself has.
template <class T>
bool StorageFits(const std::vector<T>& values, const Storage& storage, bool exactly) {
  return VisitComponent(storage.component, [&](auto zero) {
    using Stored = decltype(zero);
    const double lowest = std::is_signed_v<Stored> ? -1 : 0;
    return std::all_of(values.begin(), values.end(), [&](T number) {
      const auto value = static_cast<double>(number);
      if (storage.normalized && !exactly) return value >= lowest && value <= 1;
      return FromStored(ToStored<Stored>(value, storage.normalized), storage.normalized) == value;
    });
  });
}

// Encodes the first `components` of `width` numbers a vertex.
template <class T>
EncodedAccessor EncodeNumbers(const std::vector<T>& values, std::size_t width,
                              std::size_t components, const Storage& storage) {
  EncodedAccessor out;
  out.count = values.size() / width;
  out.stride = Padded(components * ComponentBytes(storage.component));
  out.json = AccessorJson(storage, out.count, kVectorTypes[components]);
  out.bytes.resize(out.count * out.stride, '\0');
  VisitComponent(storage.component, [&](auto zero) {
    using Stored = decltype(zero);
    for (std::size_t vertex = 0; vertex < out.count; ++vertex) {
      char* const element = out.bytes.data() + vertex * out.stride;
      for (std::size_t i = 0; i < components; ++i) {
        const auto value = static_cast<double>(values[vertex * width + i]);
        StoreLittleEndian(ToStored<Stored>(value, storage.normalized),
                          element + i * sizeof(Stored));
      }
    }
  });
  return out;
}

EncodedAccessor EncodeFloats(const std::vector<float>& values, std::size_t width,
                             std::size_t components, const Storage& storage) {
  const bool fits = StorageFits(values, storage, /*exactly=*/!storage.normalized);
  return EncodeNumbers(values, width, components, fits ? storage : Storage{});
}

EncodedAccessor EncodeRaw(const RawAttribute& attribute) {
  EncodedAccessor out;
  out.count = attribute.bytes.size() / attribute.element_bytes;
  out.stride = Padded(attribute.element_bytes);
  out.json = AccessorJson(attribute.storage, out.count, attribute.type);
  out.bytes.resize(out.count * out.stride, '\0');
  for (std::size_t vertex = 0; vertex < out.count; ++vertex) {
    std::copy_n(attribute.bytes.data() + vertex * attribute.element_bytes, attribute.element_bytes,
                out.bytes.data() + vertex * out.stride);
  }
  return out;
}

// Adds the bounds of stored vectors of three, which glTF wants for positions.
void AddBounds(const Storage& storage, EncodedAccessor& accessor) {
  VisitComponent(storage.component, [&](auto zero) {
    using Stored = decltype(zero);
    std::array<Stored, 3> least{};
    std::array<Stored, 3> most{};
    for (std::size_t vertex = 0; vertex < accessor.count; ++vertex) {
      for (std::size_t i = 0; i < 3; ++i) {
        const auto value = LoadLittleEndian<Stored>(accessor.bytes.data() +
                                                    vertex * accessor.stride + i * sizeof(Stored));
        least[i] = vertex == 0 ? value : std::min(least[i], value);
        most[i] = vertex == 0 ? value : std::max(most[i], value);
      }
    }
    accessor.json["min"] = {least[0], least[1], least[2]};
    accessor.json["max"] = {most[0], most[1], most[2]};
  });
}

// Normals of length 1. One without a direction gets any.
std::vector<float> UnitNormals(std::vector<float> normals) {
  // Half of what validators accept, so that good normals stay as they are.
  constexpr double kTolerance = 0.00025;
  for (std::size_t i = 0; i + 2 < normals.size(); i += 3) {
    const std::array<double, 3> normal = {static_cast<double>(normals[i]),
                                          static_cast<double>(normals[i + 1]),
                                          static_cast<double>(normals[i + 2])};
    const double length = std::hypot(normal[0], normal[1], normal[2]);
    if (std::abs(length - 1) <= kTolerance) continue;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      normals[i + axis] =
          length > 0 ? static_cast<float>(normal[axis] / length) : (axis == 2 ? 1.0f : 0.0f);
    }
  }
  return normals;
}

std::vector<float> Clamped(std::vector<float> values) {
  for (float& value : values) value = std::clamp(value, 0.0f, 1.0f);
  return values;
}

// Whether glTF allows the type of an attribute without KHR_mesh_quantization.
bool IsCoreType(absl::string_view name, const Storage& storage) {
  if (storage.component == ComponentType::kFloat32) return true;
  const bool is_unit = storage.normalized && (storage.component == ComponentType::kUint8 ||
                                              storage.component == ComponentType::kUint16);
  if (absl::StartsWith(name, "TEXCOORD_") || absl::StartsWith(name, "COLOR_")) return is_unit;
  return name != "POSITION" && name != "NORMAL" && name != "TANGENT";
}

Storage StorageOf(const EncodedAccessor& accessor) {
  return {static_cast<ComponentType>(accessor.json["componentType"].get<std::uint16_t>()),
          accessor.json.contains("normalized")};
}

// The same for the attributes of a morph target: their texture coordinates and colours may have
// signed types, too.
bool IsCoreTargetType(absl::string_view name, const Storage& storage) {
  return IsCoreType(name, storage) || (storage.normalized && (absl::StartsWith(name, "TEXCOORD_") ||
                                                              absl::StartsWith(name, "COLOR_")));
}

absl::StatusOr<EncodedAccessor> EncodePositions(const Primitive& primitive) {
  for (const double value : primitive.positions) {
    if (std::abs(value) > std::numeric_limits<float>::max()) {
      return absl::InvalidArgumentError(absl::StrCat("position ", value, " is too large for glTF"));
    }
  }
  const bool fits = StorageFits(primitive.positions, primitive.position_storage, /*exactly=*/true);
  const Storage storage = fits ? primitive.position_storage : Storage{};
  EncodedAccessor out = EncodeNumbers(primitive.positions, 3, 3, storage);
  AddBounds(storage, out);
  return out;
}

EncodedAccessor EncodeIndices(const Primitive& primitive) {
  EncodedAccessor out;
  out.is_indices = true;
  out.count = primitive.triangles.size();
  // The largest number of each type is not an index: it restarts strips in some renderers.
  const bool is_short = primitive.Vertices() <= std::numeric_limits<std::uint16_t>::max();
  out.stride = is_short ? sizeof(std::uint16_t) : sizeof(std::uint32_t);
  out.json = AccessorJson({is_short ? ComponentType::kUint16 : ComponentType::kUint32}, out.count,
                          "SCALAR");
  out.bytes.resize(out.count * out.stride);
  for (std::size_t i = 0; i < out.count; ++i) {
    char* const index = out.bytes.data() + i * out.stride;
    if (is_short) {
      StoreLittleEndian(static_cast<std::uint16_t>(primitive.triangles[i]), index);
    } else {
      StoreLittleEndian(primitive.triangles[i], index);
    }
  }
  return out;
}

NamedAccessors EncodeTarget(const std::vector<RawAttribute>& target, bool& is_quantized) {
  NamedAccessors out;
  for (const RawAttribute& attribute : target) {
    EncodedAccessor accessor = EncodeRaw(attribute);
    if (attribute.name == "POSITION" && attribute.type == "VEC3") {
      AddBounds(attribute.storage, accessor);
    }
    is_quantized |= !IsCoreTargetType(attribute.name, attribute.storage);
    out.emplace_back(attribute.name, std::move(accessor));
  }
  return out;
}

}  // namespace

absl::StatusOr<EncodedPrimitive> EncodePrimitive(const Primitive& primitive) {
  EncodedPrimitive out;
  absl::StatusOr<EncodedAccessor> positions = EncodePositions(primitive);
  if (!positions.ok()) return positions.status();
  out.attributes.emplace_back("POSITION", *std::move(positions));
  if (!primitive.normals.values.empty()) {
    out.attributes.emplace_back("NORMAL", EncodeFloats(UnitNormals(primitive.normals.values), 3, 3,
                                                       primitive.normals.storage));
  }
  for (std::size_t set = 0; set < primitive.uvs.size(); ++set) {
    const FloatAttribute& uvs = primitive.uvs[set];
    out.attributes.emplace_back(absl::StrCat("TEXCOORD_", set),
                                EncodeFloats(uvs.values, 2, 2, uvs.storage));
  }
  if (!primitive.colours.values.empty()) {
    out.attributes.emplace_back(
        "COLOR_0", EncodeFloats(Clamped(primitive.colours.values), 4,
                                primitive.colours_are_opaque ? 3 : 4, primitive.colours.storage));
  }
  for (const RawAttribute& attribute : primitive.others) {
    out.attributes.emplace_back(attribute.name, EncodeRaw(attribute));
  }
  for (const auto& [name, accessor] : out.attributes) {
    out.is_quantized |= !IsCoreType(name, StorageOf(accessor));
  }
  for (const std::vector<RawAttribute>& target : primitive.morph_targets) {
    out.targets.push_back(EncodeTarget(target, out.is_quantized));
  }
  out.indices = EncodeIndices(primitive);
  return out;
}

}  // namespace warpyard::mesh_io
