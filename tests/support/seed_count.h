// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Number of seeds of a test: a quarter of them in every build, all if WARPYARD_LONG is set.
#ifndef WARPYARD_TESTS_SUPPORT_SEED_COUNT_H_
#define WARPYARD_TESTS_SUPPORT_SEED_COUNT_H_

#include <algorithm>
#include <cstdint>
#include <cstdlib>

namespace warpyard::test_support {

/// `all` in a long run (tools/test.sh --all), else a quarter of them, but at least one.
inline std::uint32_t SeedCount(std::uint32_t all) {
  return std::getenv("WARPYARD_LONG") != nullptr ? all : std::max(1u, all / 4);
}

/// The number in an environment variable, or the number above if the variable is not set.
inline std::uint32_t SeedCount(const char* variable, std::uint32_t all) {
  const char* const text = std::getenv(variable);
  const unsigned long count = text == nullptr ? 0 : std::strtoul(text, nullptr, 10);
  return count == 0 ? SeedCount(all) : static_cast<std::uint32_t>(count);
}

}  // namespace warpyard::test_support

#endif  // WARPYARD_TESTS_SUPPORT_SEED_COUNT_H_
