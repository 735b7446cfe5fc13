// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The deque of lazy work stealing, and the workers that steal, in seeded interleavings: no pair is
// lost and none is taken twice.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/workload/ccd/methods/traversals/bvtt.h"
#include "core/workload/ccd/methods/traversals/steal_deque.h"
#include "core/workload/ccd/methods/traversals/stealing_traversal.h"
#include "tests/schedule/broken_steal_deque.h"
#include "tests/support/lane_scopes.h"
#include "tests/support/mesh_fixtures.h"
#include "tests/support/run_bodies.h"
#include "tests/support/seed_count.h"
#include "tests/unit/workload/ccd/stage_runners.h"

namespace warpyard::test_support {
namespace {

using ccd::NodePair;

const std::uint32_t kSeeds = SeedCount(1500);

/// An owner that adds pairs and takes some back, and thieves that read stolen pairs late.
template <class Deque>
class StealingGame {
 public:
  std::string Play(std::uint64_t seed) {
    Bodies bodies{[this] { Own(); }};
    for (std::uint32_t thief = 0; thief < 2; ++thief) {
      bodies.emplace_back([this, thief] { Rob(thief); });
    }
    std::string fault = RunInSchedule(seed, bodies);
    if (!fault.empty()) return fault;
    for (const std::uint32_t count : taken_) {
      if (count != 1) return "a pair was taken " + std::to_string(count) + " times";
    }
    return "";
  }

 private:
  static constexpr std::uint32_t kCapacity = 12, kBatch = 2, kPairs = 60;

  void Own() {
    Deque deque(words_, kCapacity);
    for (std::uint32_t next = 0; next < kPairs;) {
      const std::uint32_t count = std::min(6u, kPairs - next);
      const std::uint32_t place = deque.PlaceFor(count);
      if (place == kCapacity) {
        if (!Take(deque.PopBottom(kBatch))) TakeDirectly(next++);
        continue;
      }
      for (std::uint32_t i = 0; i < count; ++i) pairs_[place + i] = {next++, 0};
      deque.Publish(count);
      Take(deque.PopBottom(kBatch));
      Take(deque.PopBottom(1));
    }
    while (Take(deque.PopBottom(kBatch))) continue;
  }

  void Rob(std::uint32_t thief) {
    Deque deque(words_, kCapacity);
    std::vector<ccd::TakenRange> saved;
    for (std::uint32_t look = 0; look < 30; ++look) {
      const ccd::TakenRange range = deque.PopTop(kBatch);
      if (range.count != 0) saved.push_back(range);
      Schedule::Step();
      if (saved.empty() || look % (thief + 2) != 0) continue;
      Read(deque, saved);
    }
    while (!saved.empty()) Read(deque, saved);
  }

  void Read(Deque& deque, std::vector<ccd::TakenRange>& saved) {
    Take(saved.back());
    deque.CountCopied(saved.back().count);
    saved.pop_back();
  }

  bool Take(const ccd::TakenRange& range) {
    for (std::uint32_t i = 0; i < range.count; ++i) TakeDirectly(pairs_[range.first + i].a);
    return range.count != 0;
  }
  void TakeDirectly(std::uint32_t id) { ++taken_[id]; }

  ccd::DequeWords words_{};
  std::array<NodePair, kCapacity> pairs_{};
  std::array<std::uint32_t, kPairs> taken_{};
};

template <class Deque>
std::string FirstFault() {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const std::string fault = StealingGame<Deque>().Play(seed);
    if (!fault.empty()) return fault + ", seed " + std::to_string(seed);
  }
  return "";
}

TEST(StealDequeSchedules, LoseNoPairAndTakeNoneTwice) {
  EXPECT_EQ(FirstFault<ccd::StealDeque<ScheduledScope>>(), "");
}

TEST(StealDequeSchedules, CatchThePrintedPopBottomWithoutAnExchange) {
  EXPECT_NE(FirstFault<PrintedStealDeque<ScheduledScope>>(), "");
}

TEST(StealDequeSchedules, CatchAnOwnerThatWritesOverWhatThievesHaveToRead) {
  EXPECT_NE(FirstFault<HastyStealDeque<ScheduledScope>>(), "");
}

/// Pairs of leaves in order.
using LeafPairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

/// All workers of a step in an interleaving. Each worker is a block of a few threads. Workers may
/// start late, when others are done.
class StealingStep {
 public:
  StealingStep(HostHierarchy& hierarchy, std::uint32_t workers, std::uint32_t threads)
      : hierarchy_(hierarchy), threads_(threads), deques_(workers) {
    for (std::uint32_t i = 0; i < workers; ++i) {
      scratch_.push_back(std::make_unique<ScratchOf<ccd::StealPairs>>());
      boxes_.push_back(std::make_unique<LaneMailboxes>(threads));
    }
    pairs_.resize(std::size_t{workers} * kCapacity);
    hierarchy.ReserveMeetings(4096);
    ccd::TraversalView& work = hierarchy.job.step.work;
    work.workers = workers;
    work.capacity = kCapacity;
    work.batch = 1;
    work.spill_from = 3;
    work.shared_pairs = ccd::kDepthRoom + 8;
    work.pairs = pairs_.data();
    work.deques = deques_.data();
    work.start = &root_;
    work.start_count = 1;
  }

  std::string Run(std::uint64_t seed) {
    Bodies bodies;
    for (std::uint32_t worker = 0; worker < deques_.size(); ++worker) {
      for (std::uint32_t rank = 0; rank < threads_; ++rank) {
        bodies.emplace_back([this, worker, rank] {
          ScheduledLaneScope lane(*boxes_[worker], rank, scratch_[worker]->bytes);
          procedure::Context<ScheduledLaneScope, ccd::CollisionJob> context{lane, hierarchy_.job};
          ccd::StealPairs::Execute(context, {worker, worker + 1});
        });
      }
    }
    return RunInSchedule(seed, bodies);
  }

 private:
  static constexpr std::uint32_t kCapacity = 16;

  HostHierarchy& hierarchy_;
  const std::uint32_t threads_;
  std::vector<ccd::DequeWords> deques_;
  std::vector<NodePair> pairs_;
  std::vector<std::unique_ptr<ScratchOf<ccd::StealPairs>>> scratch_;
  std::vector<std::unique_ptr<LaneMailboxes>> boxes_;
  NodePair root_ = ccd::RootPair();
};

/// Pairs of leaves whose boxes overlap, found by testing all pairs.
LeafPairs AllOverlaps(const ccd::SceneView& scene) {
  const auto box_of = [&](std::uint32_t leaf) {
    const auto& v = scene.order.leaves[leaf].vertex;
    return Union(scene.hierarchy.vertex_boxes[v[0]],
                 Union(scene.hierarchy.vertex_boxes[v[1]], scene.hierarchy.vertex_boxes[v[2]]));
  };
  LeafPairs pairs;
  for (std::uint32_t a = 0; a < scene.mesh.triangles; ++a) {
    for (std::uint32_t b = a + 1; b < scene.mesh.triangles; ++b) {
      if (Overlap(box_of(a), box_of(b))) pairs.emplace_back(a, b);
    }
  }
  return pairs;
}

TEST(StealingSchedules, FindEachPairOfTrianglesOnce) {
  std::uint64_t steals = 0;
  for (std::uint32_t seed = 0; seed < 150; ++seed) {
    HostHierarchy hierarchy(TriangleSoup(seed, {8 + seed % 20, 0.4, 0.4}));
    hierarchy.BuildAndRefit(InRandomOrder(seed, hierarchy));
    StealingStep step(hierarchy, 1 + seed % 3, 1 + seed / 3 % 3);
    ASSERT_EQ(step.Run(seed), "") << "seed " << seed;
    const ccd::DeviceList<ccd::PairIds>& found = hierarchy.job.step.lists.meetings;
    LeafPairs pairs;
    for (std::uint64_t i = 0; i < *found.count; ++i) {
      pairs.emplace_back(found.items[i].a, found.items[i].b);
    }
    std::sort(pairs.begin(), pairs.end());
    ASSERT_EQ(pairs, AllOverlaps(hierarchy.job.scene)) << "seed " << seed;
    steals += hierarchy.job.step.counters->traversal.steals;
  }
  EXPECT_GT(steals, 100u);
}

}  // namespace
}  // namespace warpyard::test_support
