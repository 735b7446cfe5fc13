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
#include "core/engine/engine_options.h"
#include "server/upload/upload.h"

namespace warpyard::server {

/// The name in a message. @shape Message: with `sha256` and `tenant`; path: before the names of
/// both in errors
/// @errors INVALID_ARGUMENT
template <class Message>
absl::StatusOr<UploadKey> ToUploadKey(const Message& message, absl::string_view path = "") {
  WY_RETURN_IF_ERROR(CheckSha256(message.sha256(), absl::StrCat(path, "sha256")));
  if (message.tenant() >= kMaxTenants) {
    return InvalidField(absl::StrCat(path, "tenant"),
                        absl::StrCat(message.tenant(), ", expected less than ", kMaxTenants));
  }
  return UploadKey{message.tenant(), message.sha256()};
}

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_UPLOAD_UPLOAD_KEY_H_
