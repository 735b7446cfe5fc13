// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/upload/sha256.h"

#include "core/base/macros.h"
#include "openssl/evp.h"

namespace warpyard::server {

// OpenSSL's functions fail only without memory, or where its configuration forbids SHA-256.

Sha256::Sha256() : context_(EVP_MD_CTX_new()) {
  WY_ASSERT(context_ != nullptr);
  WY_ASSERT(EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr) == 1);
}

void Sha256::Add(absl::string_view bytes) {
  WY_ASSERT(EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size()) == 1);
}

std::string Sha256::Finish() {
  std::string digest(kBytes, '\0');
  WY_ASSERT(EVP_DigestFinal_ex(context_.get(), reinterpret_cast<unsigned char*>(digest.data()),
                               nullptr) == 1);
  return digest;
}

void Sha256::Free::operator()(evp_md_ctx_st* context) const { EVP_MD_CTX_free(context); }

}  // namespace warpyard::server
