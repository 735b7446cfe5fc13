// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Small helpers that the readers of text share.
#ifndef WARPYARD_CLIENT_EXAMPLES_MESH_IO_TEXT_H_
#define WARPYARD_CLIENT_EXAMPLES_MESH_IO_TEXT_H_

#include <algorithm>
#include <cstddef>
#include <string>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace warpyard::mesh_io {

inline constexpr absl::string_view kBlanks = " \t\r\v\f";

/// Removes the first line from `text` and returns it without its end ("\n" or "\r\n").
inline absl::string_view TakeLine(absl::string_view& text) {
  const std::size_t end = text.find('\n');
  absl::string_view line = text.substr(0, end);
  text.remove_prefix(end == absl::string_view::npos ? text.size() : end + 1);
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  return line;
}

/// Removes the first word from `line` and returns it; empty if there is none.
inline absl::string_view TakeToken(absl::string_view& line) {
  line.remove_prefix(std::min(line.find_first_not_of(kBlanks), line.size()));
  const absl::string_view token = line.substr(0, line.find_first_of(kBlanks));
  line.remove_prefix(token.size());
  return token;
}

/// The text in quotes, suitable for an error message: printable and short.
inline std::string Quoted(absl::string_view text) {
  constexpr std::size_t kLongest = 40;
  return absl::StrCat("\"", absl::CHexEscape(text.substr(0, kLongest)),
                      text.size() > kLongest ? "..." : "", "\"");
}

}  // namespace warpyard::mesh_io

#endif  // WARPYARD_CLIENT_EXAMPLES_MESH_IO_TEXT_H_
