// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/upload/sha256.h"

#include <string>

#include "absl/strings/escaping.h"
#include "gtest/gtest.h"

namespace warpyard::server {
namespace {

std::string HexOf(Sha256& digest) { return absl::BytesToHexString(digest.Finish()); }

TEST(Sha256, GivesTheDigestsOfTheStandard) {
  Sha256 empty;
  EXPECT_EQ(HexOf(empty), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  Sha256 abc;
  abc.Add("abc");
  EXPECT_EQ(HexOf(abc), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(Sha256, DoesNotDependOnThePieces) {
  Sha256 pieces;
  for (const char* piece : {"a", "", "bc"}) pieces.Add(piece);
  EXPECT_EQ(HexOf(pieces), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

}  // namespace
}  // namespace warpyard::server
