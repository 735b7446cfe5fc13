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

/// Copies what the step has recorded, and converts positions, as the first stage of a step does.
void Arrive(StepUpload& upload, const ccd::StepView& step, std::size_t vertices) {
  std::uint64_t from = 1, to = 0;
  upload.Also({&to, &from, sizeof from});
  EXPECT_TRUE(upload.CopyIn().ok());
  EXPECT_EQ(to, 1u) << "it is made with the others";
  for (const ccd::PositionSource& source : step.sources) {
    if (source.format == ccd::PositionFormat::kPose) continue;
    const ccd::PositionReader reader(source, false, nullptr, nullptr);
    for (std::uint32_t v = 0; v < vertices; ++v) reader.Keep(v, reader.At(v));
  }
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
    Arrive(upload, step, kRest.size());
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
  Arrive(upload, step, 0);
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

TEST(StepUpload, LetsProceduresReadSmallInputFromTheHost) {
  constexpr std::size_t kSmall = StepUpload::kMostDirectBytes / sizeof(Vector3d);
  for (const std::size_t vertices : {kSmall, kSmall + 1}) {
    device::CpuBackend backend(1, 0);
    StepUpload upload(backend);
    const std::vector<Vector3d> rest(vertices, Vector3d{1, 0, 0});
    ASSERT_TRUE(upload.Open(rest, {}).ok());
    std::vector<Vector3d> end(vertices, Vector3d{2, 0, 0});
    ccd::StepView step{};
    ASSERT_TRUE(upload.Take({View(end), std::nullopt}, step).ok());
    const bool is_small = vertices == kSmall;
    EXPECT_EQ(step.sources[1].format,
              is_small ? ccd::PositionFormat::kFloat64 : ccd::PositionFormat::kConverted);
    if (is_small) end.assign(vertices, Vector3d{3, 0, 0});  // no longer needed
    Arrive(upload, step, vertices);
    EXPECT_EQ(step.end[0].x, 2);
    EXPECT_EQ(step.end[vertices - 1].x, 2);
    upload.Release();
  }
}

TEST(StepUpload, ReadsFloatsAndQuantisedPositionsDirectly) {
  Uploaded uploaded;
  const std::vector<float> floats = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  uploaded.Take(
      {ccd::PositionsView{ccd::ScalarType::kFloat32, floats.data(), 3, {}}, std::nullopt});
  EXPECT_EQ(uploaded.step.end[2].z, 9);
  const std::vector<std::uint16_t> places = {0, 0, 0, 65535, 65535, 65535, 0, 65535, 0};
  const ccd::QuantizationBox box{{0, 0, 0}, {65535, 2 * 65535, 3 * 65535}};
  uploaded.Take(
      {ccd::PositionsView{ccd::ScalarType::kQuantized16, places.data(), 3, box}, std::nullopt});
  EXPECT_EQ(uploaded.step.end[1].x, 65535);
  EXPECT_EQ(uploaded.step.end[2].y, 2 * 65535);
  EXPECT_EQ(uploaded.step.end[1].z, 3 * 65535);
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
