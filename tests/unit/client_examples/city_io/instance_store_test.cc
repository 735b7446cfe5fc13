// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/city_io/instance_store.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <utility>

#include "tests/unit/client_examples/city_io/sample_city.h"

namespace warpyard::city_io {
namespace {

absl::string_view BytesOf(const Instance& instance) {
  return {reinterpret_cast<const char*>(&instance), sizeof(instance)};
}

TEST(InstanceStore, GivesBackWhatWasAppended) {
  const std::string folder = ::testing::TempDir() + "instance_store";
  std::filesystem::create_directory(folder);
  absl::StatusOr<InstanceStore> created = InstanceStore::Create(folder);
  ASSERT_TRUE(created.ok()) << created.status();
  EXPECT_TRUE(std::filesystem::is_empty(folder)) << "the file has no name";
  InstanceStore store = *std::move(created);
  EXPECT_TRUE(store.View()->empty());
  for (std::uint32_t i = 0; i < 1000; ++i) {
    ASSERT_EQ(store.Append(BytesOf(InstanceOf(kBox, i, {}, {1, 1, 1}))), absl::OkStatus());
  }
  ASSERT_EQ(store.Append(""), absl::OkStatus());
  const auto view = store.View();
  ASSERT_TRUE(view.ok()) << view.status();
  ASSERT_EQ(view->size(), 1000u);
  for (std::uint32_t i = 0; i < 1000; ++i) EXPECT_EQ((*view)[i].building, i);
}

TEST(InstanceStore, RefusesHalfInstances) {
  InstanceStore store = *InstanceStore::Create(::testing::TempDir());
  EXPECT_EQ(store.Append("1234").code(), absl::StatusCode::kInvalidArgument);
}

TEST(InstanceStore, NamesTheFolderThatCannotBeWritten) {
  const auto store = InstanceStore::Create("/nowhere/at/all");
  EXPECT_EQ(store.status().code(), absl::StatusCode::kUnavailable);
  EXPECT_NE(store.status().message().find("/nowhere/at/all"), std::string::npos);
}

}  // namespace
}  // namespace warpyard::city_io
