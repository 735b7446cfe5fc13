// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Whole files in memory.
#ifndef WARPYARD_CLIENT_EXAMPLES_MESH_IO_FILES_H_
#define WARPYARD_CLIENT_EXAMPLES_MESH_IO_FILES_H_

#include <functional>
#include <ostream>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace warpyard::mesh_io {

/// Reads a regular file of at most 8 GiB.
/// @errors NOT_FOUND, PERMISSION_DENIED, INVALID_ARGUMENT, each with the path
absl::StatusOr<std::string> ReadFile(const std::string& path);

/// Reads a file of a format whose files are never empty.
/// @errors those of ReadFile, and INVALID_ARGUMENT with the path: it is empty
absl::StatusOr<std::string> ReadFilledFile(const std::string& path);

/// Checks what can be known before a file is written: that its folder takes new files, and that a
/// file of its name may be replaced. @errors UNAVAILABLE with the path
absl::Status CheckCanWrite(const std::string& path);

/// Writes a file, replacing what it held: all of it or nothing. The bytes go to a new file beside
/// it that then takes its name and permissions. Links are followed; what is no regular file, as a
/// pipe, is written to.
/// @errors UNAVAILABLE with the path
absl::Status WriteFile(const std::string& path, absl::string_view bytes);

/// As above, for contents that a function writes to a stream. If the function fails, the file stays
/// as it was.
/// @errors those of the function, and UNAVAILABLE, each with the path
absl::Status WriteFile(const std::string& path,
                       const std::function<absl::Status(std::ostream& out)>& write);

/// The error with the path before its message.
absl::Status InFile(const std::string& path, const absl::Status& error);

}  // namespace warpyard::mesh_io

#endif  // WARPYARD_CLIENT_EXAMPLES_MESH_IO_FILES_H_
