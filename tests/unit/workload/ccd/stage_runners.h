// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Ways to run a stage of a collision job: in ranges in random order, on threads, or by a group.
#ifndef WARPYARD_TESTS_UNIT_WORKLOAD_CCD_STAGE_RUNNERS_H_
#define WARPYARD_TESTS_UNIT_WORKLOAD_CCD_STAGE_RUNNERS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/exec/thread_scope.h"
#include "core/procedure/procedure_concept.h"
#include "core/workload/ccd/job/collision_job.h"
#include "tests/support/lane_scopes.h"
#include "tests/support/mesh_fixtures.h"
#include "tests/unit/workload/ccd/broad/hierarchy_fixture.h"

namespace warpyard::test_support {

using ThreadContext = procedure::Context<exec::ThreadScope, ccd::CollisionJob>;

/// The scratch memory of a procedure.
template <class Procedure>
struct alignas(16) ScratchOf {
  std::byte bytes[Procedure::kSharedBytes + 1];
};

/// The job that a stage belongs to.
struct JobRef {
  JobRef(HostHierarchy& hierarchy) : job(hierarchy.job) {}
  JobRef(ccd::CollisionJob& its_job) : job(its_job) {}

  ccd::CollisionJob& job;
};

/// Runs each stage in ranges of a few indices, in random order.
class InRandomOrder {
 public:
  InRandomOrder(std::uint64_t seed, JobRef of) : random_(seed), of_(of) {}

  template <class Procedure>
  void operator()(std::uint32_t count) {
    std::vector<procedure::Range> ranges;
    for (std::uint32_t begin = 0; begin < count;) {
      const std::uint32_t end = std::min(count, begin + 1 + random_.Below(7));
      ranges.push_back({begin, end});
      begin = end;
    }
    ScratchOf<Procedure> scratch;
    exec::ThreadScope scope(scratch.bytes);
    ThreadContext context{scope, of_.job};
    while (!ranges.empty()) {
      std::swap(ranges[random_.Below(static_cast<std::uint32_t>(ranges.size()))], ranges.back());
      Procedure::Execute(context, ranges.back());
      ranges.pop_back();
    }
  }

 private:
  Random random_;
  JobRef of_;
};

/// Runs each stage on several threads; each takes every n-th range.
struct OnThreads {
  JobRef of;

  template <class Procedure>
  void operator()(std::uint32_t count) const {
    constexpr std::uint32_t kThreads = 3, kRange = 5;
    std::vector<std::thread> threads;
    for (std::uint32_t t = 0; t < kThreads; ++t) {
      threads.emplace_back([this, t, count] {
        ScratchOf<Procedure> scratch;
        exec::ThreadScope scope(scratch.bytes);
        ThreadContext context{scope, of.job};
        for (std::uint32_t begin = t * kRange; begin < count; begin += kThreads * kRange) {
          Procedure::Execute(context, procedure::Range{begin, std::min(count, begin + kRange)});
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
  }
};

/// Runs each stage by one group of several threads, range after range.
struct ByLanes {
  JobRef of;
  std::uint32_t lanes;
  std::string& failure;

  template <class Procedure>
  void operator()(std::uint32_t count) const {
    constexpr std::uint32_t kRange = 3;
    ScratchOf<Procedure> scratch;
    for (std::uint32_t begin = 0; begin < count; begin += kRange) {
      const procedure::Range range{begin, std::min(count, begin + kRange)};
      failure += RunLanes(
          lanes,
          [&](ScheduledLaneScope& lane) {
            procedure::Context<ScheduledLaneScope, ccd::CollisionJob> context{lane, of.job};
            Procedure::Execute(context, range);
          },
          scratch.bytes);
    }
  }
};

/// A soup in which all triangles, or those of each of several clusters, are in one place.
inline Motion Stacked(std::uint32_t triangles, std::uint32_t places) {
  Motion motion = TriangleSoup(5, {triangles, 0.1, 0.2});
  for (std::size_t t = 0; t < triangles; ++t) {
    const std::size_t from = t % places;
    for (std::size_t k = 0; k < 9; ++k) motion.start[9 * t + k] = motion.start[9 * from + k];
  }
  return motion;
}

}  // namespace warpyard::test_support

#endif  // WARPYARD_TESTS_UNIT_WORKLOAD_CCD_STAGE_RUNNERS_H_
