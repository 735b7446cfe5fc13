// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/mesh_io/files.h"

#include <fcntl.h>
#include <unistd.h>

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

namespace fs = std::filesystem;

using Writer = std::function<absl::Status(std::ostream&)>;

// Larger than any mesh that the service takes. The limit keeps a wrong path from filling the
// memory.
constexpr std::uintmax_t kMaxFileBytes = std::uintmax_t{8} << 30;

absl::Status CannotWrite(const std::string& path, absl::string_view reason) {
  return absl::UnavailableError(absl::StrCat(path, ": cannot write: ", reason));
}

// Writes to `place`; errors name `path`.
absl::Status WriteInPlace(const std::string& path, const fs::path& place, const Writer& write) {
  std::ofstream stream(place, std::ios::binary | std::ios::trunc);
  if (!stream) return CannotWrite(path, std::strerror(errno));
  if (absl::Status status = write(stream); !status.ok()) return InFile(path, status);
  stream.close();
  return stream ? absl::OkStatus() : CannotWrite(path, std::strerror(errno));
}

/// Waits until a file is on its disk: the name of another one must not go to it before.
absl::Status Sync(const std::string& path, const fs::path& place) {
  const int file = open(place.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return CannotWrite(path, std::strerror(errno));
  const bool synced = fsync(file) == 0 || errno == EINVAL;  // some file systems have no such call
  const absl::Status status = synced ? absl::OkStatus() : CannotWrite(path, std::strerror(errno));
  close(file);
  return status;
}

/// The file that is written for a path: the target of links. @shape path: of a regular file, or of
/// none
fs::path TargetOf(const std::string& path) {
  std::error_code ignored;
  const fs::path resolved = fs::weakly_canonical(path, ignored);
  return resolved.empty() ? fs::path(path) : resolved;
}

}  // namespace

absl::StatusOr<std::string> ReadFile(const std::string& path) {
  std::error_code error;
  const auto status = fs::status(path, error);
  if (status.type() == fs::file_type::not_found) {
    return absl::NotFoundError(absl::StrCat(path, ": no such file"));
  }
  if (status.type() != fs::file_type::regular) {
    return absl::InvalidArgumentError(absl::StrCat(path, ": not a regular file"));
  }
  const std::uintmax_t size = fs::file_size(path, error);
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
  if (static_cast<std::size_t>(stream.gcount()) == contents.size()) return contents;
  return absl::InvalidArgumentError(absl::StrCat(path, ": only ", stream.gcount(), " of ",
                                                 contents.size(), " bytes could be read"));
}

absl::StatusOr<std::string> ReadFilledFile(const std::string& path) {
  absl::StatusOr<std::string> contents = ReadFile(path);
  if (!contents.ok() || !contents->empty()) return contents;
  return absl::InvalidArgumentError(absl::StrCat(path, ": the file is empty"));
}

absl::Status CheckCanWrite(const std::string& path) {
  std::error_code ignored;
  const fs::file_status old = fs::status(path, ignored);
  if (fs::is_directory(old)) return CannotWrite(path, std::strerror(EISDIR));
  // A new file could take the name of one that must not be written.
  if (fs::exists(old) && access(path.c_str(), W_OK) != 0) {
    return CannotWrite(path, std::strerror(errno));
  }
  if (fs::exists(old) && !fs::is_regular_file(old)) return absl::OkStatus();
  fs::path folder = TargetOf(path).parent_path();
  if (folder.empty()) folder = ".";
  return access(folder.c_str(), W_OK | X_OK) == 0 ? absl::OkStatus()
                                                  : CannotWrite(path, std::strerror(errno));
}

absl::Status WriteFile(const std::string& path, absl::string_view bytes) {
  return WriteFile(path, [bytes](std::ostream& out) {
    out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    return absl::OkStatus();
  });
}

absl::Status WriteFile(const std::string& path, const Writer& write) {
  if (absl::Status status = CheckCanWrite(path); !status.ok()) return status;
  std::error_code ignored;
  const fs::file_status old = fs::status(path, ignored);
  const bool is_in_place = fs::exists(old) && !fs::is_regular_file(old);
  if (is_in_place) return WriteInPlace(path, path, write);
  const fs::path target = TargetOf(path);
  fs::path temporary = target;
  temporary += absl::StrCat(".", getpid(), ".part");
  absl::Status status = WriteInPlace(path, temporary, write);
  if (status.ok()) status = Sync(path, temporary);
  if (status.ok()) {
    std::error_code error;
    if (fs::exists(old)) fs::permissions(temporary, old.permissions(), error);
    if (!error) fs::rename(temporary, target, error);
    if (error) status = CannotWrite(path, error.message());
  }
  if (!status.ok()) fs::remove(temporary, ignored);
  return status;
}

absl::Status InFile(const std::string& path, const absl::Status& error) {
  return absl::Status(error.code(), absl::StrCat(path, ": ", error.message()));
}

}  // namespace warpyard::mesh_io
