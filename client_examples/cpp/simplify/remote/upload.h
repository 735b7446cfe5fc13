// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Contents that go to a server in parts, so that a broken connection loses little.
#ifndef WARPYARD_CLIENT_EXAMPLES_CPP_SIMPLIFY_REMOTE_UPLOAD_H_
#define WARPYARD_CLIENT_EXAMPLES_CPP_SIMPLIFY_REMOTE_UPLOAD_H_

#include <chrono>
#include <cstddef>
#include <string>

#include "absl/status/status.h"
#include "warpyard/v1/upload_service.grpc.pb.h"

namespace warpyard::cli {

struct UploadOptions {
  std::size_t part_bytes = std::size_t{1} << 20;  ///< the best size for the service
  int tries = 3;                                  ///< without progress
  std::chrono::milliseconds pause{500};           ///< between tries, for a server that restarts
};

/// The SHA-256 of a content, by libcrypto as on the server. @shape 32 bytes
std::string Sha256Of(const std::string& content);

/// Sends what the server does not have yet, as tenant 0. Goes on where a stream broke, or begins
/// again if the server forgot the content, until several tries in turn bring no new byte.
/// @shape sha256: of the content; content: at least 1 byte
/// @errors those of UploadService; UNAVAILABLE, ABORTED or FAILED_PRECONDITION after the last try
absl::Status UploadContent(v1::UploadService::StubInterface& stub, const UploadOptions& options,
                           const std::string& sha256, const std::string& content);

}  // namespace warpyard::cli

#endif  // WARPYARD_CLIENT_EXAMPLES_CPP_SIMPLIFY_REMOTE_UPLOAD_H_
