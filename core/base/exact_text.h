// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Numbers as text in messages about them.
#ifndef WARPYARD_CORE_BASE_EXACT_TEXT_H_
#define WARPYARD_CORE_BASE_EXACT_TEXT_H_

#include <charconv>
#include <string>

namespace warpyard {

/// The shortest text that reads back as this number. The six digits of absl::StrCat would refuse
/// 1.0000001 as "1, expected at most 1".
inline std::string ExactText(double number) {
  char text[32];  // the longest has 24: -2.2250738585072014e-308
  return std::string(text, std::to_chars(text, text + sizeof text, number).ptr);
}

}  // namespace warpyard

#endif  // WARPYARD_CORE_BASE_EXACT_TEXT_H_
