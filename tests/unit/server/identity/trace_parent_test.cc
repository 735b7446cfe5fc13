// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/identity/trace_parent.h"

#include <algorithm>
#include <random>
#include <string>

#include "gtest/gtest.h"

namespace warpyard::server {
namespace {

const std::string kTrace = "4bf92f3577b34da6a3ce929d0e0e4736";
const std::string kParent = "00f067aa0ba902b7";
const std::string kHeader = "00-" + kTrace + "-" + kParent + "-01";

TEST(ParseTraceParent, ReadsTheIdsAndTheFlag) {
  EXPECT_EQ(ParseTraceParent(kHeader), (TraceParent{kTrace, kParent, true}));
  EXPECT_EQ(ParseTraceParent("00-" + kTrace + "-" + kParent + "-fe"),
            (TraceParent{kTrace, kParent, false}));
}

TEST(ParseTraceParent, TakesTheKnownPartOfLaterVersions) {
  EXPECT_TRUE(ParseTraceParent("01-" + kTrace + "-" + kParent + "-01"));
  EXPECT_TRUE(ParseTraceParent("cc-" + kTrace + "-" + kParent + "-01-what-comes-later"));
  EXPECT_FALSE(ParseTraceParent("cc-" + kTrace + "-" + kParent + "-01.what"));
}

TEST(ParseTraceParent, RefusesWhatTheStandardForbids) {
  EXPECT_FALSE(ParseTraceParent(""));
  EXPECT_FALSE(ParseTraceParent("ff-" + kTrace + "-" + kParent + "-01"));
  EXPECT_FALSE(ParseTraceParent("00-" + std::string(32, '0') + "-" + kParent + "-01"));
  EXPECT_FALSE(ParseTraceParent("00-" + kTrace + "-" + std::string(16, '0') + "-01"));
  EXPECT_FALSE(ParseTraceParent(kHeader + "-more"));
  EXPECT_FALSE(ParseTraceParent(kHeader + " "));
  std::string capitals = kHeader;
  for (char& c : capitals) c = static_cast<char>(c >= 'a' && c <= 'f' ? c - 'a' + 'A' : c);
  EXPECT_FALSE(ParseTraceParent(capitals));
  EXPECT_FALSE(ParseTraceParent("cc-" + kTrace + "-" + kParent + "-01-" + std::string(9999, 'x')));
}

TEST(ParseTraceParent, TakesNoHeaderThatLacksACharacter) {
  for (std::size_t size = 0; size < kHeader.size(); ++size) {
    EXPECT_FALSE(ParseTraceParent(kHeader.substr(0, size))) << size;
  }
}

/// Whatever bytes come, the ids that go into the log are digits.
TEST(ParseTraceParent, GivesOnlyDigitsForDamagedHeaders) {
  std::mt19937 random(7);
  const auto number = [&random](std::size_t most) {
    return std::uniform_int_distribution<std::size_t>(0, most)(random);
  };
  int taken = 0;
  for (int round = 0; round < 200'000; ++round) {
    std::string header = kHeader;
    for (std::size_t damage = number(3); damage > 0; --damage) {
      const std::size_t place = number(header.size() - 1);
      switch (number(2)) {
        case 0:
          header[place] = static_cast<char>(number(255));
          break;
        case 1:
          header.insert(place, 1, "0af-"[number(3)]);
          break;
        default:
          header.erase(place, 1);
      }
    }
    const auto parsed = ParseTraceParent(header);
    if (!parsed) continue;
    ++taken;
    const auto is_hex = [](const std::string& text, std::size_t size) {
      return text.size() == size &&
             text.find_first_not_of("0123456789abcdef") == std::string::npos &&
             text.find_first_not_of('0') != std::string::npos;
    };
    ASSERT_TRUE(is_hex(parsed->trace_id, 32) && is_hex(parsed->parent_id, 16)) << header;
  }
  EXPECT_GT(taken, 0);
}

}  // namespace
}  // namespace warpyard::server
