// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The files that `warpyard simplify` writes.
#ifndef WARPYARD_CLIENT_EXAMPLES_CPP_SIMPLIFY_OUT_PATHS_H_
#define WARPYARD_CLIENT_EXAMPLES_CPP_SIMPLIFY_OUT_PATHS_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "client_examples/cpp/simplify/flags.h"

namespace warpyard::cli {

/// The files of meshes: OUT, or one for each level of detail.
std::vector<std::string> OutPaths(const SimplifyArguments& arguments);

/// Checks all files that will be written, before a mesh is read and the service has worked for it:
/// their endings and folders. Refuses to replace a mesh that nobody named as OUT: by statistics, or
/// by a level. IN may be OUT itself, as all of it is read before.
/// @errors INVALID_ARGUMENT (it would replace a mesh), UNIMPLEMENTED (the ending), UNAVAILABLE (the
///     file cannot be written), each with the path
absl::Status CheckOutPaths(const SimplifyArguments& arguments);

}  // namespace warpyard::cli

#endif  // WARPYARD_CLIENT_EXAMPLES_CPP_SIMPLIFY_OUT_PATHS_H_
