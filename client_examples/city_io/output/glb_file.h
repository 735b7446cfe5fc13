// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A GLB file whose arrays are written one after the other: no array has to be in memory.
#ifndef WARPYARD_CLIENT_EXAMPLES_CITY_IO_OUTPUT_GLB_FILE_H_
#define WARPYARD_CLIENT_EXAMPLES_CITY_IO_OUTPUT_GLB_FILE_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace warpyard::city_io {

using Json = nlohmann::ordered_json;

/// The elements of an array. @shape bytes: of an element, a multiple of 4; target: of its buffer
/// view, or 0
struct ArrayType {
  int component = 0;
  const char* type = "";
  std::size_t bytes = 0;
  int target = 0;
};
inline constexpr ArrayType kVertexVectors{5126, "VEC3", 12, 34962};
inline constexpr ArrayType kVertexNumbers{5126, "SCALAR", 4, 34962};
inline constexpr ArrayType kIndices{5125, "SCALAR", 4, 34963};
inline constexpr ArrayType kVectors{5126, "VEC3", 12, 0};
inline constexpr ArrayType kQuaternions{5126, "VEC4", 16, 0};
inline constexpr ArrayType kNumbers{5126, "SCALAR", 4, 0};

class GlbFile {
 public:
  GlbFile();

  /// Everything but accessors, buffer views and buffers.
  Json& json() { return json_; }

  /// Adds an accessor for the next bytes of the file. Returns its number.
  std::size_t AddArray(const ArrayType& type, std::size_t count);
  Json& Accessor(std::size_t number) { return accessors_[number]; }

  /// The material of a name and a colour, once for all that ask. Returns its number.
  std::size_t AddMaterial(absl::string_view name, std::uint32_t color);

  /// Adds a node to the scene.
  void AddNode(Json node);

  /// Notes extensions. @shape required: readers that do not know it show something else
  void UseExtension(const char* name, bool required);

  /// The bytes of the whole file.
  std::uint64_t Bytes() const;

  /// Writes what comes before the arrays; they follow in the order of AddArray.
  /// @errors INVALID_ARGUMENT: more than 4 GiB, which GLB files cannot have
  absl::Status WriteHead(std::ostream& out) const;

 private:
  std::string JsonChunk() const;

  Json json_;
  Json accessors_ = Json::array();
  Json views_ = Json::array();
  std::map<std::pair<std::string, std::uint32_t>, std::size_t> materials_;
  std::uint64_t binary_bytes_ = 0;
};

/// Writes an object or an array of numbers as it is in memory.
template <class T>
void WriteRaw(const T& value, std::ostream& out) {
  out.write(reinterpret_cast<const char*>(&value), sizeof(value));
}

}  // namespace warpyard::city_io

#endif  // WARPYARD_CLIENT_EXAMPLES_CITY_IO_OUTPUT_GLB_FILE_H_
