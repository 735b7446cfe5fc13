// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Contents for tests of uploads.
#ifndef WARPYARD_TESTS_UNIT_SERVER_UPLOAD_CONTENTS_H_
#define WARPYARD_TESTS_UNIT_SERVER_UPLOAD_CONTENTS_H_

#include <cstddef>
#include <string>

#include "server/upload/sha256.h"

namespace warpyard::test_support {

inline constexpr std::size_t kMebibyte = std::size_t{1} << 20;

inline std::string DigestOf(const std::string& content) {
  server::Sha256 digest;
  digest.Add(content);
  return digest.Finish();
}

/// Bytes that do not repeat soon.
inline std::string SomeBytes(std::size_t size) {
  std::string bytes(size, '\0');
  unsigned state = 1;
  for (char& byte : bytes) {
    state = state * 1664525 + 1013904223;
    byte = static_cast<char>(state >> 24);
  }
  return bytes;
}

}  // namespace warpyard::test_support

#endif  // WARPYARD_TESTS_UNIT_SERVER_UPLOAD_CONTENTS_H_
