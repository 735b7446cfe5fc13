// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/cpp/simplify/remote/model.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <memory>
#include <vector>

#include "client_examples/cpp/simplify/mesh/request.h"
#include "tests/unit/client_examples/cpp/simplify/samples.h"

namespace warpyard::cli {
namespace {

/// A model of twelve triangles.
v1::OpenModelRequest TwelveTriangles() {
  mesh_io::ModelMesh mesh = {"", {}};
  for (int z = 0; z < 6; ++z) mesh.primitives.push_back(SquareAt(z));
  return *RequestOf(mesh, PartsOf(mesh), {});
}

std::vector<std::size_t> TrianglesOf(const absl::StatusOr<Levels>& levels) {
  EXPECT_TRUE(levels.ok()) << levels.status();
  std::vector<std::size_t> triangles;
  if (!levels.ok()) return triangles;
  for (const v1::SimplifyResponse& level : *levels) {
    triangles.push_back(level.mesh().triangles().size() / 12);
  }
  return triangles;
}

using Counts = std::vector<std::size_t>;

TEST(SimplifyLevels, HalvesTheGoalInOneChain) {
  FakeSimplifyService service;
  const RemoteService remote = service.Connect();
  v1::SimplifyRequest goal;
  goal.set_finish(v1::FINISH_CUT);
  goal.set_ratio(1);
  EXPECT_EQ(TrianglesOf(SimplifyLevels(remote, TwelveTriangles(), goal, 6)),
            (Counts{12, 6, 3, 1, 1, 1}));
  goal.set_triangles(100);
  EXPECT_EQ(TrianglesOf(SimplifyLevels(remote, TwelveTriangles(), goal, 2)), (Counts{12, 6}));
  ASSERT_EQ(service.chains().size(), 2u);
  EXPECT_EQ(service.chains()[0].finish(), v1::FINISH_CUT);
  EXPECT_EQ(service.requests().size(), 0u);
  EXPECT_EQ(service.open(), 0u) << "it is closed";
}

TEST(SimplifyLevels, GivesTheResultsOfTheUnaryCall) {
  FakeSimplifyService service;
  v1::SimplifyRequest goal;
  goal.set_triangles(5);
  const auto levels = SimplifyLevels(service.Connect(), TwelveTriangles(), goal, 1);
  ASSERT_TRUE(levels.ok()) << levels.status();
  EXPECT_EQ(levels->at(0).SerializeAsString(),
            FirstTriangles(TwelveTriangles(), 5).SerializeAsString());
}

TEST(SimplifyLevels, DoublesTheErrorInOneChain) {
  FakeSimplifyService service;
  v1::SimplifyRequest goal;
  goal.set_max_error(1);
  EXPECT_EQ(TrianglesOf(SimplifyLevels(service.Connect(), TwelveTriangles(), goal, 3)),
            (Counts{12, 6, 3}));
  EXPECT_EQ(service.requests().size(), 0u);
  goal.set_max_error(1e308);
  EXPECT_EQ(TrianglesOf(SimplifyLevels(service.Connect(), TwelveTriangles(), goal, 2)),
            (Counts{1, 1}));
  EXPECT_EQ(service.chains().size(), 2u);
  goal.set_max_error(1);
  goal.set_best_effort(true);
  service.levels_in_time = 1;
  EXPECT_EQ(TrianglesOf(SimplifyLevels(service.Connect(), TwelveTriangles(), goal, 3)),
            (Counts{12, 6, 3}));
  ASSERT_EQ(service.chains().size(), 5u) << "each level ran out of time";
  EXPECT_EQ(service.chains()[4].max_errors(0), 4);
}

TEST(SimplifyLevels, BeginsWithAnyGoal) {
  FakeSimplifyService service;
  v1::SimplifyRequest goal;
  goal.set_max_error(0);
  EXPECT_EQ(TrianglesOf(SimplifyLevels(service.Connect(), TwelveTriangles(), goal, 3)),
            (Counts{12, 6, 3}));
  EXPECT_EQ(service.requests().size(), 1u);
  EXPECT_EQ(service.chains().size(), 1u);
}

TEST(SimplifyLevels, GoesOnAfterAChainThatRanOutOfTime) {
  FakeSimplifyService service;
  service.levels_in_time = 1;
  v1::SimplifyRequest goal;
  goal.set_ratio(0.5);
  goal.set_best_effort(true);
  EXPECT_EQ(TrianglesOf(SimplifyLevels(service.Connect(), TwelveTriangles(), goal, 3)),
            (Counts{6, 3, 1}));
  EXPECT_EQ(service.chains().size(), 3u);
  EXPECT_TRUE(service.chains()[2].best_effort());
}

TEST(SimplifyLevels, ClosesTheModelAfterAnError) {
  FakeSimplifyService service;
  const RemoteService remote = service.Connect();
  v1::SimplifyRequest goal;
  goal.set_level(3);
  EXPECT_EQ(SimplifyLevels(remote, TwelveTriangles(), goal, 1).status(),
            absl::UnavailableError("shutting down"));
  EXPECT_EQ(service.open(), 0u);
  EXPECT_EQ(SimplifyLevels(remote, {}, goal, 1).status(),
            absl::InvalidArgumentError("no triangles"));
  goal.set_ratio(1);
  service.levels_in_time = 0;
  EXPECT_EQ(SimplifyLevels(remote, TwelveTriangles(), goal, 1).status(),
            absl::InternalError("the server sent no level"));
}

/// A connection for which each request is large.
RemoteService ForUploads(FakeSimplifyService& service) {
  RemoteService remote = service.Connect();
  remote.largest_message = 0;
  remote.upload = {100, 3, std::chrono::milliseconds(1)};
  return remote;
}

TEST(RemoteModel, UploadsLargeRequestsAndDropsThem) {
  FakeSimplifyService service;
  const RemoteService remote = ForUploads(service);
  service.forgets_uploads = 1;
  const auto model = RemoteModel::Open(remote, TwelveTriangles());
  ASSERT_TRUE(model.ok()) << model.status();
  EXPECT_EQ(model->triangles(), 12u);
  EXPECT_EQ(service.uploads().streams, 2) << "another client dropped it before the model was open";
  EXPECT_TRUE(service.uploads().contents().empty());
}

TEST(RemoteModel, KeepsUploadsOnRequest) {
  FakeSimplifyService service;
  RemoteService remote = ForUploads(service);
  remote.keep_uploads = true;
  for (int run = 0; run < 2; ++run) ASSERT_TRUE(RemoteModel::Open(remote, TwelveTriangles()).ok());
  EXPECT_EQ(service.uploads().contents().size(), 1u);
  EXPECT_EQ(service.uploads().streams, 1);
}

TEST(RemoteModel, SaysWhyAnUploadFailed) {
  FakeSimplifyService service;
  const RemoteService remote = ForUploads(service);
  service.uploads().breaks = 100;
  EXPECT_EQ(RemoteModel::Open(remote, TwelveTriangles()).status(),
            absl::UnavailableError("broken"));
  EXPECT_EQ(service.opened(), 0);
}

}  // namespace
}  // namespace warpyard::cli
