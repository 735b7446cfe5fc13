// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The JSON of a glTF file: parsing within limits, and checked access to its members.
//
// Unknown members stay as they are, in their order: extras and extensions must survive.
#ifndef WARPYARD_CLIENT_EXAMPLES_MESH_IO_GLTF_DATA_JSON_H_
#define WARPYARD_CLIENT_EXAMPLES_MESH_IO_GLTF_DATA_JSON_H_

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace warpyard::mesh_io {

using Json = nlohmann::ordered_json;

/// Parses an object. Nesting and the members of an object are limited, so that time and stack stay
/// in proportion to the text.
/// @errors INVALID_ARGUMENT with the place in the text
absl::StatusOr<Json> ParseJson(absl::string_view text);

/// The member of an object, or null: also if `object` is no object.
const Json* FindMember(const Json& object, const char* name);

/// The member of an object, an array; an empty one if it is missing or no array.
const Json& ArrayMember(const Json& object, const char* name);

/// Checked access to the members of an object. The first error is kept, and later ones are not.
class Fields {
 public:
  /// @shape `place` names the object in messages: "accessors[3]"
  Fields(const Json& object, std::string place);

  /// A whole number of at most 2^53; it is required if there is no other value for it.
  std::uint64_t Unsigned(const char* name, std::optional<std::uint64_t> otherwise = std::nullopt);

  /// A whole number if the member exists.
  std::optional<std::size_t> Index(const char* name);

  /// @shape an array of arrays or objects; empty if the member is missing
  const Json& Array(const char* name);

  std::string String(const char* name, absl::string_view otherwise);
  bool Bool(const char* name, bool otherwise);

  /// Notes an error unless one is noted.
  void Fail(absl::string_view message);

  /// @errors INVALID_ARGUMENT with the place and the member
  const absl::Status& status() const { return status_; }

  const std::string& place() const { return place_; }

 private:
  const Json& object_;
  std::string place_;
  absl::Status status_;
};

}  // namespace warpyard::mesh_io

#endif  // WARPYARD_CLIENT_EXAMPLES_MESH_IO_GLTF_DATA_JSON_H_
