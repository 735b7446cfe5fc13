// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The header `traceparent` of W3C Trace Context, with which clients tie a call to a trace.
#ifndef WARPYARD_SERVER_IDENTITY_TRACE_PARENT_H_
#define WARPYARD_SERVER_IDENTITY_TRACE_PARENT_H_

#include <optional>
#include <string>

#include "absl/strings/string_view.h"

namespace warpyard::server {

/// A call's place in a trace.
struct TraceParent {
  std::string trace_id;   ///< 32 hexadecimal digits, not all 0
  std::string parent_id;  ///< 16 hexadecimal digits, not all 0: the caller's span
  bool sampled = false;

  bool operator==(const TraceParent&) const = default;
};

/// A header that is not valid counts as none, as the standard asks for. Later versions than 00 may
/// append fields.
/// @source W3C Trace Context (Recommendation of 23 November 2021), section 3.2
std::optional<TraceParent> ParseTraceParent(absl::string_view header);

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_IDENTITY_TRACE_PARENT_H_
