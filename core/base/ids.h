// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Strong identifiers: a resident cannot be passed where a job is meant.
#ifndef WARPYARD_CORE_BASE_IDS_H_
#define WARPYARD_CORE_BASE_IDS_H_

#include <compare>
#include <cstdint>

namespace warpyard {

/// An identifier of one kind of object; 0 is never given out.
template <class Tag>
struct Id {
  std::uint64_t value = 0;
  friend auto operator<=>(const Id&, const Id&) = default;
};

using ResidentId = Id<struct ResidentTag>;
using JobId = Id<struct JobTag>;

}  // namespace warpyard

#endif  // WARPYARD_CORE_BASE_IDS_H_
