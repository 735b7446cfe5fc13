// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/mesh_io/gltf/data/resources.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "client_examples/mesh_io/files.h"
#include "client_examples/mesh_io/text.h"

namespace warpyard::mesh_io {
namespace {

// The text with "%20" and its like decoded.
absl::StatusOr<std::string> PercentDecoded(absl::string_view text) {
  std::string out;
  while (!text.empty()) {
    if (text[0] != '%') {
      out += text[0];
      text.remove_prefix(1);
      continue;
    }
    const auto is_digit = [](char letter) {
      return absl::ascii_isxdigit(static_cast<unsigned char>(letter));
    };
    if (text.size() < 3 || !is_digit(text[1]) || !is_digit(text[2])) {
      return absl::InvalidArgumentError("a % in a URI needs two digits");
    }
    out += absl::HexStringToBytes(text.substr(1, 2));
    text.remove_prefix(3);
  }
  return out;
}

absl::StatusOr<std::string> DecodeDataUri(absl::string_view uri) {
  const std::size_t comma = uri.find(',');
  if (comma == absl::string_view::npos || !absl::EndsWith(uri.substr(0, comma), ";base64")) {
    return absl::InvalidArgumentError("a data URI must have the encoding base64");
  }
  std::string bytes;
  if (!absl::Base64Unescape(uri.substr(comma + 1), &bytes)) {
    return absl::InvalidArgumentError("the base64 data of a URI is malformed");
  }
  return bytes;
}

}  // namespace

bool IsDataUri(absl::string_view uri) { return absl::StartsWith(uri, "data:"); }

absl::StatusOr<std::string> Resources::PathOf(absl::string_view uri) const {
  const absl::StatusOr<std::string> decoded = PercentDecoded(uri);
  if (!decoded.ok()) return decoded.status();
  const std::filesystem::path relative(*decoded);
  if (decoded->empty() || decoded->find_first_of(std::string(":\\\0", 3)) != std::string::npos ||
      relative.is_absolute() ||
      std::find(relative.begin(), relative.end(), "..") != relative.end()) {
    return absl::InvalidArgumentError(
        absl::StrCat(Quoted(uri), " is no file in the folder of the glTF file or below"));
  }
  std::error_code error;
  const auto folder = std::filesystem::canonical(folder_.empty() ? "." : folder_, error);
  if (error) return absl::NotFoundError(absl::StrCat(folder_, ": ", error.message()));
  const auto path = std::filesystem::weakly_canonical(folder / relative, error);
  const auto differs = std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
  if (error || differs.first != folder.end()) {
    return absl::InvalidArgumentError(
        absl::StrCat(Quoted(uri), " leads out of the folder of the glTF file"));
  }
  return path.string();
}

absl::StatusOr<absl::string_view> Resources::Load(const std::string& uri) {
  if (IsDataUri(uri)) {
    absl::StatusOr<std::string> bytes = DecodeDataUri(uri);
    if (!bytes.ok()) return bytes.status();
    return decoded_.emplace_back(*std::move(bytes));
  }
  const absl::StatusOr<std::string> path = PathOf(uri);
  if (!path.ok()) return path.status();
  if (const auto known = files_.find(*path); known != files_.end()) return known->second;
  absl::StatusOr<std::string> bytes = ReadFile(*path);
  if (!bytes.ok()) return bytes.status();
  file_bytes_ += bytes->size();
  return files_.emplace(*path, *std::move(bytes)).first->second;
}

}  // namespace warpyard::mesh_io
