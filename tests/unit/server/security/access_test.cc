// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/security/access.h"

#include <filesystem>
#include <fstream>
#include <string>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "server/upload/sha256.h"

namespace warpyard::server {
namespace {

using absl::StatusCode;

/// A file of one tenant with one token.
class AccessTest : public testing::Test {
 protected:
  AccessTest()
      : path_(absl::StrCat(testing::TempDir(), "/access_test_",
                           testing::UnitTest::GetInstance()->current_test_info()->name())) {}
  ~AccessTest() override { std::filesystem::remove(path_); }

  void Write(const std::string& text) {
    const std::string fresh = path_ + ".new";
    std::ofstream(fresh) << text;
    std::filesystem::rename(fresh, path_);
  }

  void WriteToken(const std::string& token, const std::string& more = "") {
    Sha256 hash;
    hash.Add(token);
    Write(absl::StrCat(R"({"tenants": [{"name": "robots", "number": 3, "tokens": [{"sha256": ")",
                       absl::BytesToHexString(hash.Finish()), "\"", more, "}]}]}"));
  }

  const std::string path_;
};

TEST_F(AccessTest, FindsTheTenantOfAToken) {
  WriteToken("secret");
  Access access(path_);
  ASSERT_TRUE(access.Load().ok());
  const auto caller = access.FindToken("secret");
  ASSERT_TRUE(caller.ok()) << caller.status();
  EXPECT_EQ(caller->tenant()->name, "robots");
  for (const char* other : {"", "secre", "secret ", "Secret"}) {
    EXPECT_EQ(access.FindToken(other).status().code(), StatusCode::kUnauthenticated) << other;
  }
}

TEST_F(AccessTest, RefusesATokenFromItsTimeOn) {
  WriteToken("secret", R"(, "not_after": "2027-01-01T00:00:00Z")");
  Access access(path_);
  ASSERT_TRUE(access.Load().ok());
  const absl::Time end = absl::FromCivil(absl::CivilSecond(2027, 1, 1), absl::UTCTimeZone());
  EXPECT_TRUE(access.FindToken("secret", end - absl::Nanoseconds(1)).ok());
  EXPECT_EQ(access.FindToken("secret", end).status().code(), StatusCode::kUnauthenticated);
}

TEST_F(AccessTest, TakesANewFileAndKeepsTheOldOneInPlaceOfABrokenOne) {
  WriteToken("first");
  Access access(path_);
  ASSERT_TRUE(access.Load().ok());
  WriteToken("second one");
  ASSERT_TRUE(access.Load().ok());
  EXPECT_FALSE(access.FindToken("first").ok());
  EXPECT_TRUE(access.FindToken("second one").ok());
  Write("{");
  EXPECT_EQ(access.Load().code(), StatusCode::kInvalidArgument);
  EXPECT_TRUE(access.Load().ok()) << "it is told once";
  EXPECT_TRUE(access.FindToken("second one").ok());
  std::filesystem::remove(path_);
  EXPECT_EQ(access.Load().code(), StatusCode::kNotFound);
  EXPECT_TRUE(access.FindToken("second one").ok());
  WriteToken("third");
  ASSERT_TRUE(access.Load().ok());
  EXPECT_TRUE(access.FindToken("third").ok());
}

TEST_F(AccessTest, ACallerKeepsItsTenantAndItsUse) {
  WriteToken("secret");
  Access access(path_);
  ASSERT_TRUE(access.Load().ok());
  const Caller caller = *access.FindToken("secret");
  WriteToken("another");
  ASSERT_TRUE(access.Load().ok());
  EXPECT_EQ(caller.tenant()->name, "robots");
  EXPECT_EQ(caller.owner(), access.FindToken("another")->owner());
}

TEST(Access, NeedsAFile) {
  Access access("/nowhere/tenants.json");
  EXPECT_TRUE(access.KnowsTenants());
  EXPECT_EQ(access.Load().code(), StatusCode::kNotFound);
  EXPECT_EQ(access.FindToken("secret").status().code(), StatusCode::kUnauthenticated);
  EXPECT_TRUE(Access("").Load().ok());
  EXPECT_FALSE(Access("").KnowsTenants());
}

}  // namespace
}  // namespace warpyard::server
