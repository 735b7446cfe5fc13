// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Names of uploads from the wire.
#ifndef WARPYARD_SERVER_UPLOAD_UPLOAD_KEY_H_
#define WARPYARD_SERVER_UPLOAD_UPLOAD_KEY_H_

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/base/macros.h"
#include "core/base/status_facts.h"
#include "server/security/caller.h"
#include "server/upload/upload.h"

namespace warpyard::server {

/// The name in a message. @shape Message: with `sha256` and `tenant`; path: before the names of
/// both in errors
/// @errors INVALID_ARGUMENT
template <class Message>
absl::StatusOr<UploadKey> ToUploadKey(const Message& message, const Caller& caller,
                                      const std::string& path = "") {
  WY_RETURN_IF_ERROR(CheckSha256(message.sha256(), absl::StrCat(path, "sha256")));
  WY_ASSIGN_OR_RETURN(const std::uint32_t tenant,
                      caller.NumberFor(message.tenant(), (path + "tenant").c_str()));
  return UploadKey{tenant, message.sha256()};
}

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_UPLOAD_UPLOAD_KEY_H_
