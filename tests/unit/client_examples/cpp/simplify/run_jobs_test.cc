// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/cpp/simplify/run_jobs.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <vector>

#include "tests/unit/client_examples/cpp/simplify/samples.h"

namespace warpyard::cli {
namespace {

/// Jobs of meshes with two triangles more than the one before.
std::vector<MeshJob> Jobs(std::size_t count) {
  std::vector<MeshJob> jobs;
  mesh_io::ModelMesh mesh = {"", {}};
  while (jobs.size() < count) {
    mesh.primitives.push_back(SquareAt(0));
    const std::vector<ModelPart> parts = PartsOf(mesh);
    jobs.push_back({jobs.size(),
                    "mesh " + std::to_string(jobs.size()),
                    parts,
                    *RequestOf(mesh, parts, {}),
                    {},
                    1,
                    1});
    jobs.back().goal.set_ratio(1);
  }
  return jobs;
}

TEST(RunJobs, GivesEachJobItsLevels) {
  for (const std::size_t in_flight : {1u, 4u, 100u}) {
    FakeSimplifyService service;
    const RemoteService remote = service.Connect();
    std::vector<MeshJob> jobs = Jobs(20);
    const auto levels = RunJobs(remote, {2, in_flight}, jobs);
    ASSERT_TRUE(levels.ok()) << levels.status();
    for (std::size_t i = 0; i < 20; ++i) {
      ASSERT_EQ((*levels)[i].size(), 2u);
      EXPECT_EQ((*levels)[i][0].mesh().triangles().size(), 24 * (i + 1));
      EXPECT_EQ((*levels)[i][1].mesh().triangles().size(), 12 * (i + 1));
      EXPECT_EQ(jobs[i].open.ByteSizeLong(), 0u);
    }
    EXPECT_EQ(service.open(), 0u);
  }
}

TEST(RunJobs, EndsAfterAnError) {
  FakeSimplifyService service;
  const RemoteService remote = service.Connect();
  std::vector<MeshJob> jobs = Jobs(20);
  jobs[2].goal.set_level(1);
  EXPECT_EQ(RunJobs(remote, {1, 1}, jobs).status(),
            absl::UnavailableError("mesh 2: shutting down"));
  EXPECT_EQ(service.opened(), 3);
  jobs = Jobs(1);
  jobs[0].goal.set_level(1);
  EXPECT_EQ(RunJobs(remote, {1, 4}, jobs).status(), absl::UnavailableError("shutting down"));
  EXPECT_EQ(service.open(), 0u);
}

}  // namespace
}  // namespace warpyard::cli
