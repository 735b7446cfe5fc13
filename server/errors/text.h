// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Texts that may come from clients, made fit for messages and logs.
#ifndef WARPYARD_SERVER_ERRORS_TEXT_H_
#define WARPYARD_SERVER_ERRORS_TEXT_H_

#include <cstddef>
#include <string>

#include "absl/strings/string_view.h"

namespace warpyard::server {

/// The number of bytes of the UTF-8 character at the begin of a text; 0: there is no valid one.
std::size_t Utf8Length(absl::string_view text);

/// At most so many bytes of a text, cut between characters. Bytes that are no UTF-8 become "?",
/// because Protocol Buffers and JSON allow no others.
std::string CleanText(absl::string_view text, std::size_t most);

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_ERRORS_TEXT_H_
