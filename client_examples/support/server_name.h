// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The name of a server in metadata: docs/scaling.md.
#ifndef WARPYARD_CLIENT_EXAMPLES_SUPPORT_SERVER_NAME_H_
#define WARPYARD_CLIENT_EXAMPLES_SUPPORT_SERVER_NAME_H_

#include <map>
#include <string>

#include "grpcpp/support/string_ref.h"

namespace warpyard::client_support {

inline constexpr char kServerKey[] = "warpyard-server";

/// Empty: the metadata has none. @shape metadata: of an answer; a refusal has the name in its last
inline std::string ServerIn(const std::multimap<grpc::string_ref, grpc::string_ref>& metadata) {
  const auto found = metadata.find(kServerKey);
  if (found == metadata.end()) return "";
  return {found->second.data(), found->second.size()};
}

}  // namespace warpyard::client_support

#endif  // WARPYARD_CLIENT_EXAMPLES_SUPPORT_SERVER_NAME_H_
