// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The file of --tokens: JSON that names the tenants. docs/security.md has an example.
#ifndef WARPYARD_SERVER_SECURITY_TENANT_FILE_H_
#define WARPYARD_SERVER_SECURITY_TENANT_FILE_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "server/security/tenant.h"

namespace warpyard::server {

using Tenants = std::vector<std::shared_ptr<const Tenant>>;

/// Reads the text of a file. A member that is not known is an error: a misspelt right or limit must
/// not be lost.
/// @errors INVALID_ARGUMENT with the path of the member, for example "tenants[1].limits.residents"
absl::StatusOr<Tenants> ParseTenants(absl::string_view text);

/// @errors NOT_FOUND, PERMISSION_DENIED: the file cannot be read; INVALID_ARGUMENT
absl::StatusOr<Tenants> ReadTenants(const std::string& path);

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_SECURITY_TENANT_FILE_H_
