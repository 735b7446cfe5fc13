// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "tests/example/core/workload/areas/areas_program.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "tests/example/areas_oracle.h"
#include "tests/support/workers/serial_driver.h"

namespace warpyard::areas {
namespace {

using test_support::AreasMeshData;

/// A job with its memory on the host.
struct HostJob {
  HostJob(const AreasMeshData& mesh, const std::vector<double>& limits)
      : areas(mesh.triangles.size() / 3), counts(limits.size() + 1) {
    for (std::size_t i = 0; i < mesh.positions.size(); i += 3) {
      positions.push_back({mesh.positions[i], mesh.positions[i + 1], mesh.positions[i + 2]});
    }
    job.positions = positions.data();
    job.corners = mesh.triangles.data();
    job.triangles = static_cast<std::uint32_t>(areas.size());
    job.limit_count = static_cast<std::uint32_t>(limits.size());
    std::copy(limits.begin(), limits.end(), job.limits);
    sums.resize(job.Spans());
    job.areas = areas.data();
    job.counts = counts.data();
    job.sums = sums.data();
  }

  AreasJob job{};
  std::vector<geometry::Vector3d> positions;
  std::vector<double> areas;
  std::vector<std::uint32_t> counts;
  std::vector<double> sums;
};

TEST(AreasProgram, CountsWhatAnOracleCounts) {
  const std::vector<double> limits = {0.1, 0.4, 0.9, 1.5};
  for (const std::uint32_t triangles : {1u, kSpan - 1, kSpan, kSpan + 1, 1024u, 1025u, 40'000u}) {
    const AreasMeshData mesh = test_support::RandomAreasMesh(triangles, triangles);
    HostJob host(mesh, limits);
    test_support::SerialDriver<AreasProgram>().Run(host.job);
    const test_support::ExpectedAreas expected = AreasOf(mesh, limits);
    EXPECT_TRUE(std::equal(host.counts.begin(), host.counts.end(), expected.counts.begin()))
        << triangles;
    EXPECT_NEAR(std::accumulate(host.sums.begin(), host.sums.end(), 0.0), expected.total_area,
                1e-12 * expected.total_area);
  }
}

TEST(AreasProgram, HasAStageForTheSums) {
  const AreasMeshData mesh = test_support::RandomAreasMesh(1, 100 * kSpan);
  HostJob host(mesh, {});
  const auto report = test_support::SerialDriver<AreasProgram>().Run(host.job);
  EXPECT_EQ(report.Executed<MeasureTriangles>(), 100 * kSpan / MeasureTriangles::kGrain);
  EXPECT_EQ(report.Executed<SumSpans>(), 4u);  // of 32 spans each, rounded up
}

}  // namespace
}  // namespace warpyard::areas
