// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// When clients repeat calls by themselves.
#ifndef WARPYARD_CLIENT_EXAMPLES_SUPPORT_SERVICE_CONFIG_H_
#define WARPYARD_CLIENT_EXAMPLES_SUPPORT_SERVICE_CONFIG_H_

namespace warpyard::client_support {

/// The text of service_config.json, for ChannelArguments::SetServiceConfigJSON: calls that change
/// nothing are repeated after UNAVAILABLE (docs/errors.md).
extern const char kServiceConfig[];

}  // namespace warpyard::client_support

#endif  // WARPYARD_CLIENT_EXAMPLES_SUPPORT_SERVICE_CONFIG_H_
