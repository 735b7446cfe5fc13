// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/grammar/streams/batch_piece.h"

#include <cstddef>
#include <utility>

#include "absl/time/time.h"
#include "gtest/gtest.h"
#include "server/rpc/wire.h"

namespace warpyard::server {
namespace {

constexpr std::size_t kBytes = sizeof(grammar::Instance);

TEST(BatchPiece, CutsABatchIntoMessagesAndHoldsItsBytes) {
  constexpr std::size_t kMost = ResultPiece::kMaxPartBytes / kBytes, kCount = 2 * kMost + 3;
  ByteBudget results(kCount * kBytes, kResultWording);
  UnreadWindow window(results, kCount * kBytes, absl::Minutes(1));
  auto hold = window.Take(kCount * kBytes, procedure::CancelToken());
  ASSERT_TRUE(hold.ok());
  {
    BatchPiece<v1::DeriveGrammarPart> piece(
        grammar::Instances(kCount),
        [](std::size_t begin, v1::DeriveGrammarPart& part) { part.set_first_instance(7 + begin); },
        *std::move(hold), window);
    std::size_t begin = 0;
    for (const std::size_t count : {kMost, kMost, std::size_t{3}}) {
      ASSERT_FALSE(piece.done());
      grpc::ByteBuffer bytes = piece.Next();
      v1::DeriveGrammarPart part;
      ASSERT_TRUE(Parse(&bytes, &part).ok());
      EXPECT_EQ(part.first_instance(), 7 + begin);
      EXPECT_EQ(part.instances().size(), count * kBytes);
      begin += count;
    }
    EXPECT_TRUE(piece.done());
    EXPECT_EQ(results.used(), kCount * kBytes);
  }
  EXPECT_EQ(results.used(), 0u);
}

}  // namespace
}  // namespace warpyard::server
