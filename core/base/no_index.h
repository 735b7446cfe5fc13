// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The index that stands for "none" in arrays whose indices have 32 bits.
#ifndef WARPYARD_CORE_BASE_NO_INDEX_H_
#define WARPYARD_CORE_BASE_NO_INDEX_H_

#include <cstdint>

namespace warpyard {

inline constexpr std::uint32_t kNoIndex = 0xffffffffu;

}  // namespace warpyard

#endif  // WARPYARD_CORE_BASE_NO_INDEX_H_
