// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/mesh_io/files.h"

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "absl/strings/str_cat.h"

namespace warpyard::mesh_io {
namespace {

// Larger than any mesh that the service takes. The limit keeps a wrong path from filling the
// memory.
constexpr std::uintmax_t kMaxFileBytes = std::uintmax_t{8} << 30;

}  // namespace

absl::StatusOr<std::string> ReadFile(const std::string& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (status.type() == std::filesystem::file_type::not_found) {
    return absl::NotFoundError(absl::StrCat(path, ": no such file"));
  }
  if (status.type() != std::filesystem::file_type::regular) {
    return absl::InvalidArgumentError(absl::StrCat(path, ": not a regular file"));
  }
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (error || size > kMaxFileBytes) {
    return absl::InvalidArgumentError(
        absl::StrCat(path, ": ", error ? error.message() : "larger than 8 GiB"));
  }
  std::ifstream stream(path, std::ios::binary);
  if (!stream) {
    return absl::PermissionDeniedError(absl::StrCat(path, ": ", std::strerror(errno)));
  }
  std::string contents(static_cast<std::size_t>(size), '\0');
  stream.read(contents.data(), static_cast<std::streamsize>(contents.size()));
  contents.resize(static_cast<std::size_t>(stream.gcount()));
  return contents;
}

absl::Status WriteFile(const std::string& path, absl::string_view bytes) {
  std::ofstream stream(path, std::ios::binary | std::ios::trunc);
  stream.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  stream.close();
  if (!stream) {
    return absl::UnavailableError(absl::StrCat(path, ": cannot write: ", std::strerror(errno)));
  }
  return absl::OkStatus();
}

absl::Status InFile(const std::string& path, const absl::Status& error) {
  return absl::Status(error.code(), absl::StrCat(path, ": ", error.message()));
}

}  // namespace warpyard::mesh_io
