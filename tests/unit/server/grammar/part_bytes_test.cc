// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/grammar/part_bytes.h"

#include <cstddef>
#include <cstring>
#include <utility>

#include "gtest/gtest.h"
#include "server/rpc/wire.h"

namespace warpyard::server {
namespace {

using Instances = grammar::Instances;

std::shared_ptr<const Instances> Batch(std::size_t count, std::uint64_t first_key) {
  auto instances = std::make_shared<Instances>(count);
  for (grammar::Instance& instance : *instances) {
    std::memset(&instance, 0, sizeof instance);
    instance.key = first_key++;
  }
  return instances;
}

v1::DeriveGrammarPart Parsed(grpc::ByteBuffer bytes) {
  v1::DeriveGrammarPart part;
  EXPECT_TRUE(Parse(&bytes, &part).ok());
  return part;
}

TEST(PartBytes, AreThoseOfTheMessage) {
  const auto batch = Batch(1000, 5);
  v1::DeriveGrammarPart rest;
  rest.set_first_instance(77);
  rest.mutable_statistics()->set_nodes(3);
  const InstanceRun run = {batch, std::span(*batch).subspan(100, 300)};
  const v1::DeriveGrammarPart part = Parsed(PartBytes({&run, 1}, rest));
  EXPECT_EQ(part.first_instance(), 77u);
  EXPECT_EQ(part.statistics().nodes(), 3u);
  ASSERT_EQ(part.instances().size(), 300 * 64u);
  EXPECT_EQ(std::memcmp(part.instances().data(), batch->data() + 100, 300 * 64), 0);
}

TEST(PartBytes, JoinRuns) {
  const auto first = Batch(3, 0), none = Batch(0, 0), second = Batch(2, 3), all = Batch(5, 0);
  const InstanceRun runs[] = {{first, *first}, {none, *none}, {second, *second}};
  const v1::DeriveGrammarPart part = Parsed(PartBytes(runs, v1::DeriveGrammarPart()));
  ASSERT_EQ(part.instances().size(), 5 * 64u);
  EXPECT_EQ(std::memcmp(part.instances().data(), all->data(), 5 * 64), 0);
}

TEST(PartBytes, MayHaveNoInstances) {
  EXPECT_EQ(PartBytes({}, v1::DeriveGrammarPart()).Length(), 0u);
  v1::DeriveGrammarPart rest;
  rest.set_first_instance(4);
  const auto none = Batch(0, 0);
  const InstanceRun run = {none, *none};
  const v1::DeriveGrammarPart part = Parsed(PartBytes({&run, 1}, rest));
  EXPECT_EQ(part.first_instance(), 4u);
  EXPECT_TRUE(part.instances().empty());
}

TEST(PartBytes, HoldTheirOwner) {
  auto batch = Batch(1000, 0);
  const std::weak_ptr<const Instances> watched = batch;
  grpc::ByteBuffer bytes;
  {
    const InstanceRun run = {batch, *batch};
    batch.reset();
    bytes = PartBytes({&run, 1}, v1::DeriveGrammarPart());
  }
  EXPECT_FALSE(watched.expired());
  grpc::ByteBuffer copy = bytes;
  bytes.Clear();
  EXPECT_FALSE(watched.expired());
  copy.Clear();
  EXPECT_TRUE(watched.expired());
}

}  // namespace
}  // namespace warpyard::server
