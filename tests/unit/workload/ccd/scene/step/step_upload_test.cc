// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/ccd/scene/step/step_upload.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/no_index.h"
#include "core/device/cpu_backend.h"

namespace warpyard::test_support {
namespace {

using ccd::StepInput;
using ccd::StepUpload;
using ccd::Vector3d;

const std::vector<Vector3d> kRest = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};

ccd::PositionsView View(const std::vector<Vector3d>& positions) {
  return {ccd::ScalarType::kFloat64, positions.data(), positions.size(), {}};
}

/// An upload of kRest, and the view of the last step that it took.
struct Uploaded {
  explicit Uploaded(const std::vector<std::uint32_t>& groups = {})
      : backend(1, 0), upload(backend) {
    EXPECT_TRUE(upload.Open(kRest, groups).ok());
  }

  void Take(const StepInput& input) {
    step = {};
    EXPECT_TRUE(upload.Check(input).ok());
    EXPECT_TRUE(upload.Take(input, step).ok());
    std::uint64_t from = 1, to = 0;
    EXPECT_TRUE(upload.CopyIn({&to, &from, sizeof from}).ok());
    EXPECT_EQ(to, 1u) << "the last copy is made with the others";
  }

  device::CpuBackend backend;
  StepUpload upload;
  ccd::StepView step{};
};

TEST(StepUpload, StartsAStepWhereTheLastCommittedOneEnded) {
  Uploaded uploaded;
  const std::vector<Vector3d> first(3, Vector3d{7, 0, 0}), second(3, Vector3d{8, 0, 0});
  uploaded.Take({View(first), std::nullopt});
  EXPECT_EQ(uploaded.step.start[1].x, 1) << "at rest";
  EXPECT_EQ(uploaded.step.end[1].x, 7);
  uploaded.Take({View(second), std::nullopt});
  EXPECT_EQ(uploaded.step.start[1].x, 1) << "the first step was not committed";
  const std::uint32_t moved[] = {0};
  uploaded.upload.Commit(moved);
  uploaded.Take({View(first), std::nullopt});
  EXPECT_EQ(uploaded.step.start[1].x, 8);
  EXPECT_EQ(uploaded.step.end[1].x, 7);
}

TEST(StepUpload, KeepsCommittedPositionsBesideAStartThatIsGiven) {
  Uploaded uploaded;
  const std::vector<Vector3d> start(3, Vector3d{5, 0, 0}), end(3, Vector3d{6, 0, 0});
  uploaded.Take({View(end), View(start)});
  EXPECT_EQ(uploaded.step.start[2].x, 5);
  ccd::StepView committed{};
  uploaded.upload.TakeCommitted(committed);
  EXPECT_EQ(committed.start[1].x, 1);
  EXPECT_EQ(committed.end, committed.start);
}

TEST(StepUpload, PutsRowsWhereTheirWorldsAre) {
  device::CpuBackend backend(1, 0);
  StepUpload upload(backend);
  const std::vector<Vector3d> rest(8, Vector3d{1, 0, 0});  // four worlds of two vertices
  ASSERT_TRUE(upload.Open(rest, {}, 4).ok());
  const std::vector<Vector3d> rows = {{5, 0, 0}, {6, 0, 0}, {7, 0, 0},
                                      {8, 0, 0}, {9, 0, 0}, {10, 0, 0}};
  const std::uint32_t worlds[] = {0, kNoIndex, 3};
  const StepInput input{View(rows), std::nullopt, worlds};
  ASSERT_TRUE(upload.Check(input).ok());
  ccd::StepView step{};
  ASSERT_TRUE(upload.Take(input, step).ok());
  std::uint64_t from = 1, to = 0;
  ASSERT_TRUE(upload.CopyIn({&to, &from, sizeof from}).ok());
  EXPECT_EQ(step.end[0].x, 5);
  EXPECT_EQ(step.end[1].x, 6);
  EXPECT_EQ(step.end[6].x, 9);
  EXPECT_EQ(step.end[7].x, 10);
  EXPECT_EQ(step.worlds.committed, step.start);
  ASSERT_TRUE(upload.Withdraw(3).ok());
  EXPECT_EQ(step.end[7].x, 1) << "where it started";
  EXPECT_EQ(upload.Check({View(rest), std::nullopt, worlds}).message(),
            "8 vertices; the scene has 6");
}

TEST(StepUpload, RefusesOtherNumbersOfVerticesAndPosesWithoutBodies) {
  Uploaded uploaded;
  const std::vector<Vector3d> two(2);
  EXPECT_EQ(uploaded.upload.Check({View(two), std::nullopt}).message(),
            "2 vertices; the scene has 3");
  EXPECT_EQ(uploaded.upload.Check({View(kRest), View(two)}).message(),
            "2 vertices; the scene has 3");
  EXPECT_EQ(uploaded.upload.Check({ccd::PoseView{nullptr, 1}, std::nullopt}).message(),
            "a pose of 1 bodies; the scene has 0");
}

TEST(StepUpload, KnowsADeviationFromPoseToPose) {
  Uploaded uploaded({0, 0, 0});
  ASSERT_EQ(uploaded.upload.Bodies(), 1u);
  const geometry::RigidTransform turned = {{{0, -1, 0, 0}, {1, 0, 0, 0}, {0, 0, 1, 0}}};
  uploaded.Take({ccd::PoseView{&turned, 1}, std::nullopt});
  EXPECT_GT(uploaded.upload.Deviation().value_or(0), 0.1) << "from rest, which is a pose";
  uploaded.Take({View(kRest), std::nullopt});
  EXPECT_FALSE(uploaded.upload.Deviation().has_value());
}

}  // namespace
}  // namespace warpyard::test_support
