// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/identity/call_identity.h"

#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "gtest/gtest.h"

namespace warpyard::server {
namespace {

TEST(IsRequestId, TakesPrintableNamesOfAtMost64Bytes) {
  EXPECT_TRUE(IsRequestId("6f9b2c1e-4d3a-4f0e-9a64-1f2e3d4c5b6a"));
  EXPECT_TRUE(IsRequestId(std::string(64, 'x')));
  EXPECT_FALSE(IsRequestId(std::string(65, 'x')));
  EXPECT_FALSE(IsRequestId(""));
}

TEST(IsRequestId, RefusesWhatCouldBreakALogOrATerminal) {
  for (const char* bad :
       {"a b", "a\"b", "a'b", "a\\b", "a`b", "a\nb", "\x1b[31m", "\x7f", "\xc3\xa4"}) {
    EXPECT_FALSE(IsRequestId(bad)) << bad;
  }
}

TEST(NewRequestId, GivesEachCallItsOwnValidName) {
  std::mutex mutex;
  std::set<std::string> names;
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 500; ++i) {
        const std::string name = NewRequestId();
        const std::lock_guard lock(mutex);
        EXPECT_TRUE(IsRequestId(name));
        names.insert(name);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(names.size(), 4000u);
}

TEST(CallIdentity, LetsOneTellerTellOfAFailure) {
  const CallIdentity identity("id", "Service/Method");
  EXPECT_TRUE(identity.TellFailure());
  EXPECT_FALSE(identity.TellFailure());
}

}  // namespace
}  // namespace warpyard::server
