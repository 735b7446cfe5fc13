// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/ccd/methods/traversals/traversal_traits.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <iterator>

#include "core/procedure/event_runner.h"
#include "core/workload/ccd/collision_program.h"

namespace warpyard::test_support {
namespace {

using ccd::StepPhase;
using ccd::Traversal;

TEST(TraversalTraits, HaveAPhaseForEachStageOfAStep) {
  std::size_t most = 0;
  for (std::size_t i = 0; i < std::size(ccd::kTraversalNames); ++i) {
    const auto traversal = static_cast<Traversal>(i);
    ccd::CollisionJob job{};
    job.task = ccd::CollisionTask::kStep;
    job.step.traversal = traversal;
    const auto phases = ccd::PhasesOf(traversal);
    EXPECT_EQ(phases.size(), ccd::CollisionProgram::StageCount(job)) << ccd::NameOf(traversal);
    EXPECT_EQ(phases.front(), StepPhase::kRefit) << ccd::NameOf(traversal);
    EXPECT_EQ(phases.back(), StepPhase::kSort) << ccd::NameOf(traversal);
    most = std::max(most, phases.size());
  }
  EXPECT_EQ(most, ccd::CollisionProgram::kMaxStages) << "the longest event";
  EXPECT_LT(most, procedure::StageTimes::kUsual) << "times of stages need no allocation";
}

TEST(TraversalTraits, TellWhichHierarchyATraversalDescends) {
  EXPECT_EQ(ccd::TraitsOf(Traversal::kClusters).hierarchy, ccd::HierarchyKind::kClusters);
  EXPECT_EQ(ccd::TraitsOf(Traversal::kIndependent).hierarchy, ccd::HierarchyKind::kNodes);
  EXPECT_TRUE(ccd::TraitsOf(Traversal::kClusters).samples);
  EXPECT_FALSE(ccd::TraitsOf(Traversal::kFront).samples);
}

TEST(TraversalTraits, OfANumberWithoutATraversalAreEmpty) {
  const auto unknown = static_cast<Traversal>(99);
  EXPECT_TRUE(ccd::PhasesOf(unknown).empty());
  EXPECT_FALSE(ccd::TraitsOf(unknown).stacks);
}

}  // namespace
}  // namespace warpyard::test_support
