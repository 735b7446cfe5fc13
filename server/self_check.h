// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// What can be known before a server starts: for init containers and unit files.
#ifndef WARPYARD_SERVER_SELF_CHECK_H_
#define WARPYARD_SERVER_SELF_CHECK_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "server/options.h"

namespace warpyard::server {

struct CheckResult {
  std::string what;     ///< that was checked, and what was found
  absl::Status status;  ///< not OK: a server with these options would not start
};

/// Checks what the options need, without serving: the file of tenants, descriptors, addresses and
/// devices. A check that fails does not keep the others from being made. (Flags and TLS files are
/// checked by ParseCommandLine.)
/// @scope no server with these options runs: it would have the addresses
std::vector<CheckResult> SelfCheck(const ServerOptions& options);

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_SELF_CHECK_H_
