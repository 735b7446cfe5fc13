// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/mesh_io/files.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <filesystem>
#include <iterator>
#include <string>

namespace warpyard::mesh_io {
namespace {

namespace fs = std::filesystem;

/// A folder that is empty at first.
fs::path EmptyFolder() {
  const fs::path folder = fs::path(::testing::TempDir()) / "files_test";
  fs::remove_all(folder);
  fs::create_directory(folder);
  return folder;
}

std::ptrdiff_t Entries(const fs::path& folder) {
  return std::distance(fs::directory_iterator(folder), fs::directory_iterator());
}

TEST(ReadFilledFile, RefusesAnEmptyFile) {
  const fs::path folder = EmptyFolder(), path = folder / "a";
  ASSERT_EQ(WriteFile(path, ""), absl::OkStatus());
  EXPECT_EQ(*ReadFile(path), "");
  EXPECT_EQ(ReadFilledFile(path).status(),
            absl::InvalidArgumentError(path.string() + ": the file is empty"));
  ASSERT_EQ(WriteFile(path, "x"), absl::OkStatus());
  EXPECT_EQ(*ReadFilledFile(path), "x");
  EXPECT_EQ(ReadFilledFile(folder / "b").status().code(), absl::StatusCode::kNotFound);
}

TEST(CheckCanWrite, KnowsTheErrorsOfWritesBefore) {
  const fs::path folder = EmptyFolder();
  for (const fs::path& wrong : {folder / "no/a", folder / "no/such/a", folder}) {
    const absl::Status status = CheckCanWrite(wrong);
    EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable) << wrong;
    EXPECT_EQ(status, WriteFile(wrong, "bytes"));
  }
  EXPECT_EQ(CheckCanWrite(folder / "a"), absl::OkStatus());
  EXPECT_EQ(CheckCanWrite("a_file_in_the_working_folder"), absl::OkStatus());
  EXPECT_EQ(CheckCanWrite("/dev/null"), absl::OkStatus());
  EXPECT_EQ(Entries(folder), 0) << "nothing is written";
}

TEST(WriteFile, ReplacesAFileAndKeepsItsPermissions) {
  const fs::path folder = EmptyFolder(), path = folder / "a";
  ASSERT_EQ(WriteFile(path, "first, and long"), absl::OkStatus());
  fs::permissions(path, fs::perms::owner_read | fs::perms::owner_write);
  ASSERT_EQ(WriteFile(path, "second"), absl::OkStatus());
  EXPECT_EQ(*ReadFile(path), "second");
  EXPECT_EQ(fs::status(path).permissions(), fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_EQ(Entries(folder), 1);
}

TEST(WriteFile, FollowsLinks) {
  const fs::path folder = EmptyFolder();
  fs::create_symlink("target", folder / "link");
  ASSERT_EQ(WriteFile(folder / "target", "old"), absl::OkStatus());
  ASSERT_EQ(WriteFile(folder / "link", "new"), absl::OkStatus());
  EXPECT_TRUE(fs::is_symlink(folder / "link"));
  EXPECT_EQ(*ReadFile(folder / "target"), "new");
}

TEST(WriteFile, WritesToWhatIsNoRegularFile) {
  EXPECT_EQ(WriteFile("/dev/null", "bytes"), absl::OkStatus());
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST(WriteFile, LeavesNothingBehindWhenItFails) {
  const fs::path folder = EmptyFolder();
  const absl::Status status = WriteFile(folder / "no/a", "bytes");
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(status.message(),
            (folder / "no/a").string() + ": cannot write: No such file or directory");
  EXPECT_FALSE(WriteFile(folder, "bytes").ok()) << "a folder";
  EXPECT_EQ(Entries(folder), 0);
}

TEST(WriteFile, KeepsTheFileIfItsWriterFails) {
  const fs::path folder = EmptyFolder(), path = folder / "a";
  ASSERT_EQ(WriteFile(path, "first"), absl::OkStatus());
  const absl::Status status = WriteFile(path, [](std::ostream& out) {
    out << "half";
    return absl::InvalidArgumentError("too large");
  });
  EXPECT_EQ(status, absl::InvalidArgumentError(path.string() + ": too large"));
  EXPECT_EQ(*ReadFile(path), "first");
  EXPECT_EQ(Entries(folder), 1);
  ASSERT_EQ(WriteFile(path, [](std::ostream& out) { return out << "all", absl::OkStatus(); }),
            absl::OkStatus());
  EXPECT_EQ(*ReadFile(path), "all");
}

}  // namespace
}  // namespace warpyard::mesh_io
