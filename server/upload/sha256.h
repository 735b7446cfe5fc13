// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// SHA-256 of bytes that come in pieces, by OpenSSL's libcrypto.
#ifndef WARPYARD_SERVER_UPLOAD_SHA256_H_
#define WARPYARD_SERVER_UPLOAD_SHA256_H_

#include <cstddef>
#include <memory>
#include <string>

#include "absl/strings/string_view.h"

struct evp_md_ctx_st;

namespace warpyard::server {

/// @source FIPS 180-4
class Sha256 {
 public:
  static constexpr std::size_t kBytes = 32;

  Sha256();

  void Add(absl::string_view bytes);

  /// The digest of all bytes so far. Call it once, and nothing after it. @shape kBytes bytes
  std::string Finish();

 private:
  struct Free {
    void operator()(evp_md_ctx_st* context) const;
  };
  std::unique_ptr<evp_md_ctx_st, Free> context_;
};

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_UPLOAD_SHA256_H_
