// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// How many seeds a suite of schedules runs: few for every build, many when someone asks for them.
#ifndef WARPYARD_TESTS_SUPPORT_SEED_COUNT_H_
#define WARPYARD_TESTS_SUPPORT_SEED_COUNT_H_

#include <cstdint>
#include <cstdlib>

namespace warpyard::test_support {

/// The number in an environment variable, or `usual` where there is none.
inline std::uint32_t SeedCount(const char* variable, std::uint32_t usual) {
  const char* const text = std::getenv(variable);
  if (text == nullptr) return usual;
  const unsigned long count = std::strtoul(text, nullptr, 10);
  return count == 0 ? usual : static_cast<std::uint32_t>(count);
}

}  // namespace warpyard::test_support

#endif  // WARPYARD_TESTS_SUPPORT_SEED_COUNT_H_
