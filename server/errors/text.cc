// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/errors/text.h"

#include <algorithm>
#include <cstdint>

namespace warpyard::server {
namespace {

struct Form {
  unsigned mask, lead;  ///< the first byte under the mask is the lead
  std::size_t length;
  std::uint32_t least;  ///< smaller characters have shorter forms
};
constexpr Form kForms[] = {{0xe0, 0xc0, 2, 0x80}, {0xf0, 0xe0, 3, 0x800}, {0xf8, 0xf0, 4, 0x10000}};
constexpr std::uint32_t kLargest = 0x10ffff, kFirstSurrogate = 0xd800, kLastSurrogate = 0xdfff;

}  // namespace

std::size_t Utf8Length(absl::string_view text) {
  if (text.empty()) return 0;
  const auto byte = [text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  if (byte(0) < 0x80) return 1;
  for (const Form& form : kForms) {
    if ((byte(0) & form.mask) != form.lead) continue;
    if (text.size() < form.length) return 0;
    std::uint32_t character = byte(0) & ~form.mask;
    for (std::size_t i = 1; i < form.length; ++i) {
      if ((byte(i) & 0xc0) != 0x80) return 0;
      character = character << 6 | (byte(i) & 0x3f);
    }
    const bool is_surrogate = character >= kFirstSurrogate && character <= kLastSurrogate;
    return character >= form.least && character <= kLargest && !is_surrogate ? form.length : 0;
  }
  return 0;
}

std::string CleanText(absl::string_view text, std::size_t most) {
  std::string clean;
  clean.reserve(std::min(text.size(), most));
  while (!text.empty()) {
    const std::size_t length = Utf8Length(text);
    if (clean.size() + std::max<std::size_t>(length, 1) > most) break;
    if (length == 0) {
      clean += '?';
    } else {
      clean.append(text.data(), length);
    }
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return clean;
}

}  // namespace warpyard::server
