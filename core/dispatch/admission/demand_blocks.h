// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Says whether one more job fits among the accepted ones, without a look at each of them.
#ifndef WARPYARD_CORE_DISPATCH_ADMISSION_DEMAND_BLOCKS_H_
#define WARPYARD_CORE_DISPATCH_ADMISSION_DEMAND_BLOCKS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/dispatch/admission/accepted_job.h"

namespace warpyard::dispatch {

/// Jobs in the order of their deadlines, in blocks. A block has a sum of the work of its jobs, and
/// a slack: the most work that may come before the block without making one of its jobs late. A
/// test takes one step for each block. In a few blocks it looks at each job: in blocks that have
/// changed, in blocks that have hardly any slack left, and in the block of the new job.
///
/// The caller has the jobs, and tells of each change. @scope one thread at a time
class DemandBlocks {
 public:
  /// @shape jobs: outlive the object; none yet
  explicit DemandBlocks(const AcceptedJobs& jobs) : jobs_(jobs) {}

  /// The job at this position was inserted, was erased, or has changed. @shape by_ns: what was
  /// added to the work that it has left; left_ns: the work that it had left
  void Inserted(std::size_t position);
  void Erased(std::size_t position, double left_ns);
  void Changed(std::size_t position, double by_ns);

  struct Result {
    bool fits = true;
    double before_ns = 0;  ///< if not: the work up to the first job that is late, and this job's
  };
  /// Whether the job fits in before the one at `position`: the job is in time, and so is each other
  /// job that is in time without it. @shape room_ns: what it needs after the work before it;
  /// safety: a factor of the work of others
  Result Fits(const AcceptedJob& asked, std::size_t position, double room_ns, double safety,
              std::int64_t now_ns);

 private:
  static constexpr std::size_t kMostJobs = 64;

  struct Block {
    std::size_t jobs = 0;
    double left_ns = 0;
    std::int64_t deadline_ns = 0;  // of its first job, when it was measured
    double slack_ns = 0;           // from this deadline on
    double safety = 0;             // with which it was measured; 0: it has changed since
  };
  /// Where a job is.
  struct Place {
    std::size_t block;
    std::size_t first;  // position of the block's first job
  };
  struct Test;

  Place PlaceOf(std::size_t position) const;
  void Split(const Place& place);
  void Measure(Block& block, std::size_t first, double safety) const;

  const AcceptedJobs& jobs_;
  std::vector<Block> blocks_;
};

}  // namespace warpyard::dispatch

#endif  // WARPYARD_CORE_DISPATCH_ADMISSION_DEMAND_BLOCKS_H_
