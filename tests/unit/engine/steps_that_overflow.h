// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Steps that share events in which lists of some of them overflow, compared with the same steps in
// events of their own.
//
// One thread starts the steps of all scenes and drives the event loop. So it is certain which jobs
// share an event: all steps of a round, and then those that have to run again.
#ifndef WARPYARD_TESTS_UNIT_ENGINE_STEPS_THAT_OVERFLOW_H_
#define WARPYARD_TESTS_UNIT_ENGINE_STEPS_THAT_OVERFLOW_H_

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "core/base/bell.h"
#include "core/engine/engine_device.h"
#include "core/engine/event_loop.h"
#include "tests/support/mesh_fixtures.h"
#include "tests/support/oracles/brute_force.h"
#include "tests/unit/engine/engine_driver.h"
#include "tests/unit/engine/stepping_scene.h"
#include "tests/unit/engine/steps_of_a_scene.h"

namespace warpyard::test_support {

/// What the scenes of a test do together.
struct OverflowRound {
  bool moves;      ///< else they stay at the start of their motion
  bool overflows;  ///< the lists of all crowded scenes; of no scene else
  bool shares;     ///< all steps begin in one event
};

/// Some of the scenes are so crowded that their lists overflow; the others have few pairs.
struct OverflowCase {
  std::string name;
  std::vector<bool> crowded;  ///< @shape a scene each
  SoupShape crowd;
  bool is_scattered;  ///< since it was opened: clusters of a crowd overlap, few triangles do
  ccd::CollisionOptions options;
  std::vector<OverflowRound> rounds;
  ListNames lists;  ///< that overflow in events of several jobs

  friend std::ostream& operator<<(std::ostream& out, const OverflowCase& of) {
    return out << of.name;
  }
};

inline std::vector<OverflowCase> OverflowCases() {
  using ccd::Report;
  const ListNames survivors = {"vertex-face survivors", "edge-edge survivors"};
  // An event of several jobs has no list of left pairs, but one of a crowded scene alone has.
  const ListNames collisions = {"vertex-face survivors", "edge-edge survivors",
                                "vertex-face collisions", "edge-edge collisions"};
  const SoupShape small{400, 0.7, 0.5}, large{1500, 0.3, 0.3}, dense{400, 1.0, 0.6};
  const SoupShape huge{400, 1.6, 0.9};
  const SoupShape sparse{2200, 0.05, 0.1}, crowd{2200, 0.27, 0.27};  // too large for a flat tree
  // Lists that have grown stay so.
  const std::vector<OverflowRound> once = {
      {true, true, true}, {false, false, true}, {true, false, true}};
  // After a step with hardly any collision, the lists of the host have too little room.
  const std::vector<OverflowRound> twice = {
      {true, true, true}, {false, false, true}, {true, true, true}};
  // A sample shortens the lists of the first step. Only crowded scenes have one in the second.
  const std::vector<OverflowRound> late = {
      {true, false, true}, {false, false, false}, {true, true, true}};
  ccd::CollisionOptions all, unsorted, earliest, candidates;
  for (auto* const options : {&all, &unsorted, &earliest, &candidates}) {
    options->tolerance = 1e-3;    // so that root finding takes little time
    options->rebuild_factor = 0;  // what is scattered stays so
  }
  unsorted.unsorted = true;
  earliest.report = Report::kEarliest;
  candidates.report = Report::kCandidates;
  return {{"TheFirst", {true, false, false, false, false}, small, false, all, once, survivors},
          {"OneInTheMiddle", {false, true, false}, large, false, all, once, survivors},
          {"TheLast", {false, false, false, false, true}, small, false, all, once, survivors},
          {"Several", {false, true, true, false, true}, dense, false, all, once, collisions},
          {"All", {true, true, true}, small, false, all, once, survivors},
          {"Unsorted", {true, false, true, true}, small, false, unsorted, once, survivors},
          {"OnTheHost", {false, true, false}, huge, false, all, twice, {"edge-edge collisions"}},
          {"Earliest", {true, false, true}, crowd, false, earliest, late, survivors},
          {"Candidates", {false, true, true, true}, small, false, candidates, once, survivors},
          {"Meetings", {true, false, true}, sparse, true, all, once, {"meetings"}}};
}

/// Scenes that step together, and a twin of each that steps alone.
class ScenesThatOverflow {
 public:
  ScenesThatOverflow(EngineDevice& device, const OverflowCase& of)
      : case_(of), loop_(*device.workers, bell_, device.backend.get()) {
    for (std::size_t i = 0; i < of.crowded.size(); ++i) {
      // Scenes share events if they are about equally large.
      const SoupShape sparse{of.crowd.triangles - static_cast<std::uint32_t>(i), 0.05, 0.1};
      const SoupShape& shape = of.crowded[i] ? of.crowd : sparse;
      motions_.push_back(std::make_unique<Motion>(TriangleSoup(300 + i, shape)));
      const bool is_scattered = of.crowded[i] && of.is_scattered;
      const auto rest = is_scattered ? TriangleSoup(400 + i, shape).start : motions_[i]->start;
      together_.push_back(std::make_unique<SteppingScene>(device, &loop_, rest, *motions_[i]));
      alone_.push_back(std::make_unique<SteppingScene>(device, nullptr, rest, *motions_[i]));
    }
  }

  /// All scenes make a step.
  void Step(bool moves) {
    for (auto& scene : alone_) scene->Start(moves, case_.options);
    for (auto& scene : together_) scene->Start(moves, case_.options);
    const auto has_ended = [](const auto& scene) { return scene->HasEnded(); };
    const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(100);
    while (!std::ranges::all_of(together_, has_ended)) {
      if (!loop_.Poll()) bell_.WaitFor(std::chrono::milliseconds(1));
      if (std::chrono::steady_clock::now() < limit) continue;
      ADD_FAILURE() << "a step did not end";
      std::abort();  // the steps must not outlive the scenes
    }
  }

  void ExpectResultsAsAlone() const {
    for (std::size_t i = 0; i < together_.size(); ++i) {
      const auto &found = together_[i]->result(), &expected = alone_[i]->result();
      ASSERT_TRUE(found.ok() && expected.ok()) << found.status() << expected.status();
      EXPECT_TRUE(PairsOf(*found) == PairsOf(*expected)) << "scene " << i;
      EXPECT_EQ(found->earliest_time, expected->earliest_time) << "scene " << i;
    }
  }

  /// @shape of a round in which the scenes moved
  void ExpectCandidatesOfBruteForce() const {
    for (std::size_t i = 0; i < together_.size(); ++i) {
      const auto& found = together_[i]->result();
      ASSERT_TRUE(found.ok()) << found.status();
      const CandidatePairs expected = BruteForceCandidates(*motions_[i]);
      const EdgeIds edges(UniqueEdges(motions_[i]->triangles));
      EXPECT_TRUE(VertexFacePairs(*found) == expected.vertex_face) << "scene " << i;
      EXPECT_TRUE(edges.Pairs(*found) == expected.edge_edge) << "scene " << i;
    }
  }

  /// A step ran again if lists had overflowed, and only then. It shared each event with all steps
  /// that had to run for that many times. Returns the lists that overflowed in events of several
  /// jobs.
  ListNames ExpectRunsUntilListsFit(const OverflowRound& round) const {
    std::vector<std::size_t> running;  // steps that ran a first, second ... time
    for (const auto& scene : together_) {
      running.resize(std::max(running.size(), scene->events().size()));
      for (std::size_t run = 0; run < scene->events().size(); ++run) ++running[run];
    }
    ListNames overflowed;
    for (std::size_t i = 0; i < together_.size(); ++i) {
      const auto& events = together_[i]->events();
      EXPECT_EQ(events.size() > 1, round.overflows && case_.crowded[i]) << "scene " << i;
      for (std::size_t run = 0; run < events.size(); ++run) {
        const std::size_t jobs = running[run] > EventLoop::kFewJobs ? running[run] : 1;
        EXPECT_TRUE(!round.shares || events[run].jobs == jobs) << "scene " << i << ", run " << run;
        EXPECT_EQ(events[run].overflowed.empty(), run + 1 == events.size()) << "scene " << i;
        if (events[run].jobs == 1) continue;
        overflowed.insert(events[run].overflowed.begin(), events[run].overflowed.end());
      }
    }
    return overflowed;
  }

 private:
  const OverflowCase& case_;
  Bell bell_;
  EventLoop loop_;
  std::vector<std::unique_ptr<Motion>> motions_;
  std::vector<std::unique_ptr<SteppingScene>> together_, alone_;
};

/// @shape device: of any backend
inline void ExpectOverflowsAsAlone(EngineDevice& device, const OverflowCase& of) {
  SCOPED_TRACE(of.name);
  ScenesThatOverflow scenes(device, of);
  ListNames overflowed;
  for (std::size_t i = 0; i < of.rounds.size(); ++i) {
    SCOPED_TRACE("round " + std::to_string(i));
    scenes.Step(of.rounds[i].moves);
    scenes.ExpectResultsAsAlone();
    overflowed.merge(scenes.ExpectRunsUntilListsFit(of.rounds[i]));
    if (i == 0 && of.options.report == ccd::Report::kCandidates) {
      scenes.ExpectCandidatesOfBruteForce();
    }
  }
  for (const std::string& list : of.lists) {
    EXPECT_TRUE(overflowed.contains(list)) << "no event of several jobs had too few " << list;
  }
}

}  // namespace warpyard::test_support

#endif  // WARPYARD_TESTS_UNIT_ENGINE_STEPS_THAT_OVERFLOW_H_
