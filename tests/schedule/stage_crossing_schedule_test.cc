// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Workers that go from stage to stage by themselves, under seeded interleavings, beside a worker
// that finds stages by hints.

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/model/stage_crossing.h"
#include "core/procedure/procedure_list.h"
#include "tests/support/run_bodies.h"
#include "tests/support/scheduled_scope.h"
#include "tests/support/seed_count.h"
#include "tests/unit/model/staged_program.h"

namespace warpyard::model {
namespace {

using test_support::Bodies;
using test_support::RunInSchedule;
using test_support::ScheduledScope;
using test_support::StagedJob;

constexpr std::uint32_t kSlot = 5;
constexpr std::uint32_t kWorkers = 3;

/// @shape kUnevenStage: whether blocks may claim elements of it by themselves
template <std::uint32_t kStage, bool kUnevenStage>
struct Nothing {
  using Item = procedure::Range;
  static constexpr std::size_t kSharedBytes = 0;
  static constexpr const char* kName = "Nothing";
  static constexpr std::uint32_t kThreads = 32;
  static constexpr bool kUneven = kUnevenStage;
};

struct UnevenStages : test_support::StagedProgram {
  using Procedures = procedure::ProcedureList<Nothing<0, true>, Nothing<1, true>, Nothing<2, false>,
                                              Nothing<3, true>, Nothing<4, true>>;
};

struct Shape {
  static constexpr std::uint32_t kThreads = 1;
  static constexpr std::uint32_t kBatchElements = 4;
  static constexpr std::uint32_t kSpawnElements = 8;
  static constexpr std::uint32_t kLocalElements = 16;
  static constexpr std::uint32_t kPages = 16;
};
using Space = Workspace<ScheduledScope, UnevenStages, Shape>;
using Table = EventTable<ScheduledScope, UnevenStages>;
using Crossing = StageCrossing<ScheduledScope, Space>;

/// Two events of one slot, one after the other, and a record of which worker executed which index.
class CrossingRun {
 public:
  explicit CrossingRun(std::uint32_t seed) : seed_(seed), space_(std::make_unique<Space>()) {
    space_->buckets.Reset(0, 1);
    for (std::uint32_t e = 0; e < 2; ++e) {
      jobs_.push_back({5, 1 + seed % 2, {3, 1 + seed % 5, seed % 3, 7, 2}});
      times_.emplace_back(StagedJob::kMostStages * 8, 0);
    }
    Start();
  }

  /// Stages that a worker entered by itself, and claims that it had to leave.
  std::uint32_t Crossed() const { return crossed_; }
  std::uint32_t Left() const { return left_; }

  std::string Fault() {
    Bodies bodies;
    for (std::uint32_t w = 0; w < kWorkers; ++w) {
      memory_.push_back(std::make_unique<BlockMemory<Space>>());
      for (std::uint32_t p = 0; p < Space::Procedures::kCount; ++p) {
        memory_.back()->procedures[p] = {};
        memory_.back()->procedures[p].groups = 2;
        memory_.back()->procedures[p].uneven = Space::Procedures::IsUnevenId(p) ? 1 : 0;
      }
      bodies.emplace_back([this, w] { Work(w, *memory_[w]); });
    }
    const std::string stopped = RunInSchedule(seed_, bodies);
    if (!stopped.empty()) return stopped;
    for (std::uint32_t e = 0; e < 2; ++e) {
      for (std::uint32_t stage = 0; stage < StagedJob::kMostStages; ++stage) {
        for (std::uint32_t k = 0; k < jobs_[e].counts[stage]; ++k) {
          if (times_[e][stage * 8 + k] == 1) continue;
          return "event " + std::to_string(e) + ", stage " + std::to_string(stage) + ", index " +
                 std::to_string(k) + ": " + std::to_string(times_[e][stage * 8 + k]) + " times";
        }
      }
    }
    return "";
  }

 private:
  void Start() {
    space_->events[kSlot].job = jobs_[current_];
    if (space_->events.Start(kSlot)) Done();
  }

  void Done() {
    if (++current_ < 2) {
      Start();
    } else {
      ScheduledScope::Word(over_).FetchAddAcqRel(1);
    }
  }

  void Execute(const procedure::Element& element) {
    for (std::uint32_t k = element.payload[0]; k < element.payload[1]; ++k) {
      ++times_[current_][element.Procedure() * 8 + k];
    }
  }

  void Fill(BatchOf<Space>& batch, const RangeClaim& claim) {
    batch.event = kSlot;
    batch.procedure = claim.plan.procedure;
    batch.count = claim.count;
    batch.stage = claim.stage;
    batch.first_rounds = 1;
    for (std::uint32_t i = 0; i < claim.count; ++i) {
      const procedure::Range range = Table::IndicesOf(claim, i);
      batch.elements[i] = {procedure::MakeHead(kSlot, batch.procedure, kSlot),
                           {range.begin, range.end}};
    }
  }

  void Work(std::uint32_t worker, BlockMemory<Space>& memory) {
    BatchOf<Space>& batch = memory.batches[0];
    auto done = [this](std::uint32_t) { Done(); };
    while (ScheduledScope::Word(over_).LoadAcquire() == 0) {
      Fill(batch, space_->events.Claim(kSlot, 1 + (seed_ + worker) % 3));
      batch.claimed = batch.left.count = 0;
      Crossing crossing(*space_, memory, batch, worker, kWorkers);
      bool entered = batch.count != 0;
      std::uint32_t patience = 1 + (seed_ + worker) % 7;
      while (entered) {
        for (std::uint32_t i = 0; i < batch.count; ++i) Execute(batch.elements[i]);
        crossing.Leave(1, done);
        entered = worker != 0 && crossing.Enter([&] { return patience-- != 0; });
        patience = 5;
        crossed_ += entered ? 1 : 0;
      }
      if (batch.left.count == 0) continue;
      ++left_;
      Fill(batch, RangeClaim(batch.left));
      for (std::uint32_t i = 0; i < batch.count; ++i) Execute(batch.elements[i]);
      crossing.Leave(1, done);
    }
  }

  const std::uint32_t seed_;
  std::unique_ptr<Space> space_;
  std::vector<std::unique_ptr<BlockMemory<Space>>> memory_;
  std::vector<StagedJob> jobs_;
  std::vector<std::vector<std::uint32_t>> times_;
  std::uint32_t current_ = 0;  // the current event; only the worker that ends an event changes it
  std::uint32_t over_ = 0;
  std::uint32_t crossed_ = 0, left_ = 0;
};

TEST(StageCrossingSchedules, ExecuteEveryIndexOfEveryStageOnce) {
  const std::uint32_t seeds = test_support::SeedCount("WARPYARD_SCHEDULER_SEEDS", 500);
  std::uint32_t crossed = 0, left = 0;
  for (std::uint32_t seed = 0; seed < seeds; ++seed) {
    CrossingRun run(seed);
    ASSERT_EQ(run.Fault(), "") << "seed " << seed;
    crossed += run.Crossed();
    left += run.Left();
  }
  EXPECT_GT(crossed, seeds);
  EXPECT_GT(left, 0u) << "no claim came late";
}

}  // namespace
}  // namespace warpyard::model
