// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/synthetic/synthetic_work.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "core/exec/thread_scope.h"
#include "core/workload/synthetic/synthetic_job.h"

namespace warpyard::synthetic {
namespace {

using exec::ThreadScope;

/// A thread of a larger group, which runs alone here.
class RankedScope : public ThreadScope {
 public:
  explicit RankedScope(std::uint32_t rank) : ThreadScope(nullptr), rank_(rank) {}
  std::uint32_t Rank() const { return rank_; }

 private:
  std::uint32_t rank_;
};

using Slices = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

Slices SlicesOf(std::uint32_t amount, std::uint32_t* cancel = nullptr) {
  ThreadScope scope(nullptr);
  SyntheticJob job;
  Context<ThreadScope, SyntheticJob> context{scope, job, cancel};
  Slices slices;
  InSlices(context, amount, 100,
           [&](std::uint32_t first, std::uint32_t last) { slices.emplace_back(first, last); });
  return slices;
}

TEST(SyntheticWork, IsCutIntoSlices) {
  EXPECT_EQ(SlicesOf(0), Slices{});
  EXPECT_EQ(SlicesOf(99), (Slices{{0, 99}}));
  EXPECT_EQ(SlicesOf(100), (Slices{{0, 100}}));
  EXPECT_EQ(SlicesOf(250), (Slices{{0, 100}, {100, 200}, {200, 250}}));
}

TEST(SyntheticWork, SlicesReachTheLargestAmount) {
  ThreadScope scope(nullptr);
  SyntheticJob job;
  Context<ThreadScope, SyntheticJob> context{scope, job};
  std::uint64_t sum = 0;
  InSlices(context, 0xffffffffu, 1u << 30,
           [&](std::uint32_t first, std::uint32_t last) { sum += last - first; });
  EXPECT_EQ(sum, 0xffffffffu);
}

TEST(SyntheticWork, EndsAfterASliceWhenTheEventIsCancelled) {
  std::uint32_t cancel = 1;
  EXPECT_EQ(SlicesOf(1000, &cancel), (Slices{{0, 100}}));
}

TEST(SyntheticWork, DoesAsManyMultiplyAddsAsAsked) {
  for (std::uint32_t steps = 0; steps < 70; ++steps) {
    FmaChains chains{};
    RunChains(chains, 1.0f, 1.0f, steps);  // each step adds one
    float sum = 0;
    for (const float x : chains.x) sum += x;
    EXPECT_EQ(sum, static_cast<float>(steps));
  }
}

TEST(SyntheticWork, MultiplyAddsStayInTheRangeOfNormalNumbers) {
  // The least and the largest factor and summand of RunFma.
  for (const float factor : {0.5f, 0.75f}) {
    for (const float summand : {0.25f, 0.5f}) {
      FmaChains chains{{1.0f, 2.0f, 3.0f, 1024.75f}};
      RunChains(chains, factor, summand, 10'000);
      for (const float x : chains.x) {
        EXPECT_GT(x, 0.4f);
        EXPECT_LT(x, 2.1f);
      }
    }
  }
}

/// Runs the work of one element and returns the value that it left in the results.
template <class Scope>
std::uint32_t SinkAfter(Scope scope, const Work& work, std::uint32_t hash) {
  SyntheticResults results;
  SyntheticJob job;
  job.work = work;
  job.results = &results;
  Context<Scope, SyntheticJob> context{scope, job};
  RunWork(context, hash);
  return results.sink;
}

TEST(SyntheticWork, MemoryLoadsStayInTheBuffer) {
  // The address sanitizer detects reads outside the vector.
  for (const std::uint32_t words : {1u, 31u, 32u, 100u, 1000u}) {
    const std::vector<std::uint32_t> memory(words, 0);
    const Work work{WorkKind::kMemory, 500, 0, words, memory.data()};
    for (const std::uint32_t rank : {0u, 1u, 31u, 99u, 1023u}) {
      EXPECT_EQ(SinkAfter(RankedScope(rank), work, 7 * rank), 0u);
    }
  }
}

TEST(SyntheticWork, MemoryLoadsReachTheWholeBuffer) {
  // The sum of one load is the loaded word: only the right word makes the sink 1.
  constexpr std::uint32_t kWords = 128;
  std::uint32_t reached = 0;
  for (std::uint32_t word = 0; word < kWords; ++word) {
    std::vector<std::uint32_t> memory(kWords, 0);
    memory[word] = 0x9e3779b9u;
    std::uint32_t found = 0;
    for (std::uint32_t hash = 0; hash < 64 && found == 0; ++hash) {
      const Work work{WorkKind::kMemory, 1, 0, kWords, memory.data()};
      found = SinkAfter(RankedScope(word % 32), work, hash);
    }
    reached += found;
  }
  EXPECT_EQ(reached, kWords);
}

TEST(SyntheticWork, ReadsNothingFromAnEmptyBufferWhenItHasOtherWork) {
  EXPECT_EQ(SinkAfter(ThreadScope(nullptr), Work{WorkKind::kFma, 100, 0, 0, nullptr}, 1), 0u);
  EXPECT_EQ(SinkAfter(ThreadScope(nullptr), Work{}, 1), 0u);
}

TEST(SyntheticWork, SpinsAsLongAsAsked) {
  const std::uint64_t begin = ThreadScope::NowNs();
  SinkAfter(ThreadScope(nullptr), Work{WorkKind::kSpin, 2'000'000, 0, 0, nullptr}, 1);
  EXPECT_GE(ThreadScope::NowNs() - begin, 2'000'000u);
}

}  // namespace
}  // namespace warpyard::synthetic
