// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/dispatch/admission/demand_blocks.h"

#include <algorithm>
#include <limits>

namespace warpyard::dispatch {
/// A pass over the jobs in the order of their deadlines.
struct DemandBlocks::Test {
  const AcceptedJob& asked;
  const double room_ns;
  const double safety;
  const std::int64_t now_ns;
  double before_ns = 0;
  bool is_added = false;

  /// Whether the new job is in time after what has come.
  bool AddAsked() {
    const double needed = safety * before_ns + room_ns;
    before_ns += asked.cost_ns;
    is_added = true;
    return needed <= TimeUntil(asked.key.deadline_ns, now_ns);
  }

  /// Whether a job is in time, or is late also without the new one.
  bool Add(const AcceptedJob& job) {
    const double time_ns = TimeUntil(job.key.deadline_ns, now_ns);
    const double others_ns = before_ns - (is_added ? asked.cost_ns : 0);
    const double room_ns_of_job = job.RoomNs();
    const bool fits = !is_added || safety * before_ns + room_ns_of_job <= time_ns ||
                      safety * others_ns + room_ns_of_job > time_ns;
    before_ns += job.left_ns;
    return fits;
  }
};

/// Where the job at a position is; past the last one, the end of the last block.
DemandBlocks::Place DemandBlocks::PlaceOf(std::size_t position) const {
  Place place{0, 0};
  while (place.block + 1 < blocks_.size() && position >= place.first + blocks_[place.block].jobs) {
    place.first += blocks_[place.block].jobs;
    ++place.block;
  }
  return place;
}

void DemandBlocks::Inserted(std::size_t position) {
  if (blocks_.empty()) blocks_.emplace_back();
  const Place place = PlaceOf(position);
  Block& block = blocks_[place.block];
  ++block.jobs;
  block.left_ns += jobs_[position].left_ns;
  block.safety = 0;
  if (block.jobs > kMostJobs) Split(place);
}

/// Jobs often come at the end, so a full last block stays as it is.
void DemandBlocks::Split(const Place& place) {
  const bool is_last = place.block + 1 == blocks_.size();
  Block& block = blocks_[place.block];
  Block rest;
  rest.jobs = is_last ? 1 : block.jobs / 2;
  block.jobs -= rest.jobs;
  for (std::size_t i = 0; i < rest.jobs; ++i) {
    rest.left_ns += jobs_[place.first + block.jobs + i].left_ns;
  }
  block.left_ns -= rest.left_ns;
  blocks_.insert(blocks_.begin() + static_cast<std::ptrdiff_t>(place.block) + 1, rest);
}

void DemandBlocks::Erased(std::size_t position, double left_ns) {
  const Place place = PlaceOf(position);
  Block& block = blocks_[place.block];
  block.left_ns -= left_ns;
  block.safety = 0;
  if (--block.jobs == 0) blocks_.erase(blocks_.begin() + static_cast<std::ptrdiff_t>(place.block));
}

void DemandBlocks::Changed(std::size_t position, double by_ns) {
  Block& block = blocks_[PlaceOf(position).block];
  block.left_ns += by_ns;
  block.safety = 0;
}

/// Finds out the slack of a block, and its work again, without what rounding has added.
void DemandBlocks::Measure(Block& block, std::size_t first, double safety) const {
  double before_ns = 0;
  double slack_ns = std::numeric_limits<double>::infinity();
  block.deadline_ns = jobs_[first].key.deadline_ns;
  for (std::size_t i = first; i < first + block.jobs; ++i) {
    const AcceptedJob& job = jobs_[i];
    const double time_ns = TimeUntil(job.key.deadline_ns, block.deadline_ns);
    slack_ns = std::min(slack_ns, time_ns - job.RoomNs() - safety * before_ns);
    before_ns += job.left_ns;
  }
  block.left_ns = before_ns;
  block.slack_ns = slack_ns;
  block.safety = safety;
}

DemandBlocks::Result DemandBlocks::Fits(const AcceptedJob& asked, std::size_t position,
                                        double room_ns, double safety, std::int64_t now_ns) {
  Test test{asked, room_ns, safety, now_ns};
  std::size_t first = 0;
  for (Block& block : blocks_) {
    const std::size_t end = first + block.jobs;
    if (position >= end) {
      test.before_ns += block.left_ns;
    } else {
      if (position == first && !test.AddAsked()) return {false, test.before_ns};
      if (test.is_added && block.safety != safety) Measure(block, first, safety);
      if (test.is_added &&
          block.slack_ns + TimeUntil(block.deadline_ns, now_ns) >= safety * test.before_ns) {
        test.before_ns += block.left_ns;
      } else {
        for (std::size_t i = first; i < end; ++i) {
          if (i == position && !test.is_added && !test.AddAsked()) return {false, test.before_ns};
          if (!test.Add(jobs_[i])) return {false, test.before_ns};
        }
      }
    }
    first = end;
  }
  return {test.is_added || test.AddAsked(), test.before_ns};
}

}  // namespace warpyard::dispatch
