// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/simplify/job/scan.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>
#include <vector>

#include "core/workload/simplify/job/stages.h"
#include "tests/support/workers/serial_driver.h"

namespace warpyard::simplify {
namespace {

/// Sums up words and keeps the sum before each. Uses the lists of a job for its memory.
struct SumWords {
  static constexpr const char* kNames[] = {"SumWords", "PlaceWords"};
  template <class Scope>
  WY_HD static std::uint32_t Count(const SimplifyJob& job) {
    return job.mesh.vertices;
  }
  WY_HD static std::uint64_t Value(const SimplifyJob& job, std::uint32_t i) {
    return job.collapse.around.counts[i];
  }
  template <class Scope>
  WY_HD static void Place(const SimplifyJob& job, std::uint32_t i, std::uint64_t value,
                          std::uint64_t before) {
    EXPECT_EQ(value, job.collapse.around.counts[i]);
    job.collapse.around.offsets[i] = static_cast<std::uint32_t>(before);
  }
  WY_HD static void End(const SimplifyJob& job, std::uint64_t total) {
    job.counters->vertices = static_cast<std::uint32_t>(total);
  }
};

struct ScanProgram {
  using Job = SimplifyJob;
  using List = ScanStages<SumWords>;
  using Procedures = List::Procedures;
  static std::uint32_t StageCount(const Job&) { return List::kCount; }
  template <class Scope>
  static procedure::StagePlan Plan(const Job& job, std::uint32_t stage) {
    return List::Plan<Scope, Procedures>(job, stage);
  }
};

TEST(Scan, GivesEachIndexTheSumOfAllBefore) {
  for (const std::uint32_t count : {0u, 1u, 31u, kSpan - 1, kSpan, kSpan + 1, 70 * kSpan + 3}) {
    std::vector<std::uint32_t> words(count), before(count), expected(count);
    for (std::uint32_t i = 0; i < count; ++i) words[i] = i * 2654435761u >> 29;
    std::exclusive_scan(words.begin(), words.end(), expected.begin(), 0u);
    std::vector<std::uint64_t> sums(SpansOf(count));
    Counters counters{};
    SimplifyJob job{};
    job.mesh.vertices = count;
    job.collapse.around = {words.data(), before.data(), nullptr};
    job.scan = {sums.data(), &counters.scan.done, &counters.scan.total};
    job.counters = &counters;
    test_support::SerialDriver<ScanProgram>().Run(job);
    EXPECT_EQ(before, expected) << count;
    EXPECT_EQ(counters.vertices, std::accumulate(words.begin(), words.end(), 0u)) << count;
    EXPECT_EQ(counters.scan.done, 0u) << "the next prefix sum of the event begins with 0";
  }
}

}  // namespace
}  // namespace warpyard::simplify
