// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/cpp/simplify/remote/upload.h"

#include <gtest/gtest.h>

#include <string>

#include "absl/strings/escaping.h"
#include "tests/unit/client_examples/cpp/simplify/samples.h"

namespace warpyard::cli {
namespace {

const std::string kContent = "0123456789";
constexpr UploadOptions kOptions = {3, 3, std::chrono::milliseconds(1)};

absl::Status Upload(const RemoteService& service) {
  return UploadContent(*service.uploads, kOptions, Sha256Of(kContent), kContent);
}

TEST(Sha256Of, IsThatOfTheStandard) {
  EXPECT_EQ(absl::BytesToHexString(Sha256Of("abc")),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(UploadContent, SendsEachByteOnce) {
  FakeSimplifyService service;
  const RemoteService remote = service.Connect();
  EXPECT_EQ(Upload(remote), absl::OkStatus());
  EXPECT_EQ(Upload(remote), absl::OkStatus());
  EXPECT_EQ(service.uploads().contents().at(Sha256Of(kContent)), kContent);
  EXPECT_EQ(service.uploads().streams, 1);
  EXPECT_EQ(service.uploads().sent, kContent.size());
}

TEST(UploadContent, GoesOnWhereStreamsBrokeAsLongAsBytesCome) {
  FakeSimplifyService service;
  service.uploads().breaks = 3;
  service.uploads().bytes_until_break = 3;
  EXPECT_EQ(Upload(service.Connect()), absl::OkStatus());
  EXPECT_EQ(service.uploads().contents().at(Sha256Of(kContent)), kContent);
  EXPECT_EQ(service.uploads().streams, 4);
  EXPECT_EQ(service.uploads().sent, kContent.size());
}

TEST(UploadContent, EndsAfterThreeStreamsWithoutABytePastThePlaceReached) {
  FakeSimplifyService service;
  service.uploads().breaks = 100;
  EXPECT_EQ(Upload(service.Connect()), absl::UnavailableError("broken"));
  EXPECT_EQ(service.uploads().streams, 3);
  service.uploads().breaks = 0;
  EXPECT_EQ(Upload(service.Connect()), absl::OkStatus());
}

}  // namespace
}  // namespace warpyard::cli
