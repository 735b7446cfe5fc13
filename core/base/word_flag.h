// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A bool that takes a whole word.
#ifndef WARPYARD_CORE_BASE_WORD_FLAG_H_
#define WARPYARD_CORE_BASE_WORD_FLAG_H_

#include <cstdint>

#include "core/base/macros.h"

namespace warpyard {

/// A bool of 4 bytes. A GPU masks and shifts the bytes of bools; it loads, keeps and tests a word
/// as it is. Use it for flags that a worker tests between any two elements (docs/adr/0066).
class WordFlag {
 public:
  constexpr WordFlag() = default;
  WY_HD constexpr WordFlag(bool is_set) : word_(is_set ? 1u : 0u) {}  // NOLINT: on purpose
  WY_HD constexpr operator bool() const { return word_ != 0; }        // NOLINT: on purpose

 private:
  std::uint32_t word_ = 0;
};

}  // namespace warpyard

#endif  // WARPYARD_CORE_BASE_WORD_FLAG_H_
