// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A runner that counts events, and can fail.
#ifndef WARPYARD_TESTS_SUPPORT_SIMPLIFY_TEST_RUNNER_H_
#define WARPYARD_TESTS_SUPPORT_SIMPLIFY_TEST_RUNNER_H_

#include <atomic>
#include <cstddef>
#include <cstring>

#include "absl/status/status.h"
#include "tests/support/simplify/simplify_driver.h"

namespace warpyard::test_support {

class TestRunner final : public simplify::SimplifyRunner {
 public:
  absl::StatusOr<procedure::StageTimes> Run(const simplify::SimplifyJob& job,
                                            const procedure::CancelToken& token) override {
    ++events;
    if (!fails) return workers_.Run(job, token);
    SpoilWords(job);
    return absl::CancelledError("halfway");
  }
  bool CallsFinish() const override { return calls_finish; }

  /// Whether an event leaves what one may leave that was cancelled halfway.
  bool fails = false;
  bool calls_finish = true;
  std::atomic<std::size_t> events{0};

 private:
  static void SpoilWords(const simplify::SimplifyJob& job) {
    std::memset(job.counters, 0xff, sizeof *job.counters);
    std::memset(job.bins, 0xff, simplify::kBins * sizeof *job.bins);
    if (job.task != simplify::SimplifyTask::kResult) return;
    const simplify::CutView& cut = job.cut;
    const std::size_t slots = std::size_t{cut.table.mask} + 1;
    std::memset(cut.table.triangles, 0, slots * sizeof *cut.table.triangles);
    std::memset(cut.table.surplus, 0xff, slots * sizeof *cut.table.surplus);
    if (cut.expanded == nullptr) return;
    std::memset(cut.expanded, 0xff, 4 * std::size_t{simplify::ExpandedWords(job.model)});
  }

  WorkersRunner workers_{2};
};

}  // namespace warpyard::test_support

#endif  // WARPYARD_TESTS_SUPPORT_SIMPLIFY_TEST_RUNNER_H_
