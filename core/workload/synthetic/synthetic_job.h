// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The job type of synthetic events: elements that spawn elements and keep the device busy, to
// order.
//
// The scheduler's benchmarks and mixed-load tests run them. The job alone decides the elements of
// an event, so that the host can count them (synthetic_oracle.h).
#ifndef WARPYARD_CORE_WORKLOAD_SYNTHETIC_SYNTHETIC_JOB_H_
#define WARPYARD_CORE_WORKLOAD_SYNTHETIC_SYNTHETIC_JOB_H_

#include <cstdint>
#include <type_traits>

#include "core/base/macros.h"

namespace warpyard::synthetic {

/// Which elements an event has.
enum class SyntheticKind : std::uint32_t {
  kFlat,                 ///< packages of a whole block that spawn nothing
  kRecursiveItems,       ///< elements of one thread that spawn their like [Steinberger §6.5.2]
  kRecursiveSets,        ///< the same, 8 threads
  kRecursivePackages64,  ///< the same, 64 threads
  kRecursivePackages,    ///< the same, a whole block
  kTree,                 ///< items of four procedures that spawn one another [Steinberger §6.5.3]
  kPrioritised,  ///< packages of random level, each followed by another [Steinberger §5.2.4]
};

/// How many elements an element spawns: two children at most, each with a probability.
struct Growth {
  std::uint32_t depths = 1;  ///< elements of depth 0 to depths - 1 exist
  std::uint32_t child_permille[2] = {0, 0};
  std::uint32_t decline_from = 0;            ///< first depth at which both probabilities are lower
  std::uint32_t decline_permille = 0;        ///< loss there and at each depth after
  std::uint32_t type_change_permille = 750;  ///< kTree: children of another type than their parent
};

/// kTree: every type alike, mostly the parent's, mostly another. [Steinberger §6.5.3]
inline constexpr std::uint32_t kEvenPermille = 750;
inline constexpr std::uint32_t kStayPermille = 40;
inline constexpr std::uint32_t kChangePermille = 960;

/// Elements that go on for certain for 20 rounds, then 5 % less in each. [Steinberger §6.5.2]
inline Growth RecursiveGrowth() { return {40, {1000, 0}, 20, 50, kEvenPermille}; }

/// The same number of elements in the mean, but some spawn two and some none; 30 rounds, then 3 %
/// less in each. [Steinberger §5.1.5]
inline Growth ExpandingGrowth() { return {64, {500, 500}, 30, 30, kEvenPermille}; }

/// A binary tree of 2^depths - 1 nodes under each root. [Steinberger §6.5.3]
inline Growth FullTreeGrowth(std::uint32_t depths, std::uint32_t type_change_permille) {
  return {depths, {1000, 1000}, 0, 0, type_change_permille};
}

/// Trees that have one child a node in the mean: about as many nodes at each depth as there are
/// roots. [Steinberger §6.5.3]
inline Growth ForestGrowth(std::uint32_t depths, std::uint32_t type_change_permille) {
  return {depths, {500, 500}, 0, 0, type_change_permille};
}

/// What each thread of an element's group does.
enum class WorkKind : std::uint32_t {
  kNone,
  kFma,     ///< `amount` fused multiply-adds, in four chains of dependent ones
  kMemory,  ///< `amount` loads of 4 bytes; those of a group lie side by side
  kSpin,    ///< nothing, for `amount` nanoseconds
};

struct Work {
  WorkKind kind = WorkKind::kNone;
  std::uint32_t amount = 0;
  std::uint32_t spread_permille = 0;  ///< amounts differ by up to this, evenly distributed
  std::uint32_t memory_words = 0;     ///< kMemory: size of `memory`, not 0
  const std::uint32_t* memory = nullptr;
};

/// The fault of one element. For tests of the engine only: a service must refuse all but kNone,
/// since kWildStore and kNeverReturn cost the device.
enum class Fault : std::uint32_t {
  kNone,
  kFail,         ///< ends the event with an error
  kWildStore,    ///< writes where no memory is
  kNeverReturn,  ///< goes on for ever and ignores a cancel
};

/// The counters that each element updates.
enum class Counting : std::uint32_t {
  kOff,
  kElements,  ///< SyntheticResults::executed and checksum
  kThreads,   ///< also SyntheticResults::threads; an element whose threads disagree fails
};

/// Counters of one part of the elements: a benchmark with one word for all would measure that word.
struct alignas(128) SyntheticCounters {
  std::uint64_t executed = 0;  ///< elements
  std::uint64_t checksum = 0;  ///< sum over elements, of any order
  std::uint64_t threads = 0;   ///< threads that executed them
};

/// @shape zero when the event begins
struct SyntheticResults {
  static constexpr std::uint32_t kParts = 32;

  SyntheticCounters parts[kParts];
  alignas(128) std::uint64_t started = 0;  ///< elements, where these are counted in order
  alignas(128) std::uint32_t sink = 0;     ///< means nothing
};

/// One executed element; entries are in the order in which elements began.
struct TraceEntry {
  std::uint32_t id;
  std::uint32_t detail;  ///< depth; kPrioritised: level
  std::uint64_t begin_ns;
  std::uint64_t end_ns;
};

/// @shape pointers: device memory that outlives the event
struct SyntheticJob {
  SyntheticKind kind = SyntheticKind::kFlat;
  std::uint32_t seed = 0;      ///< of everything random
  std::uint32_t stages = 1;    ///< 1 to 4, each does all that follows; kPrioritised: 1
  std::uint32_t elements = 0;  ///< kFlat: all; others: at the start of a stage
  Growth growth;               ///< kRecursive..., kTree
  std::uint32_t total = 0;     ///< kPrioritised: elements to execute, at least `elements`
  std::uint32_t levels = 0;    ///< kPrioritised: 1 to kLevels; 0: in the event's own bucket
  Work work;
  Fault fault = Fault::kNone;
  std::uint32_t fault_at = 0;  ///< element of the start with this number, from 0 on
  Counting counting = Counting::kElements;
  std::uint32_t trace_capacity = 0;
  SyntheticResults* results = nullptr;  ///< needed for counting, for a trace and by kPrioritised
  TraceEntry* trace = nullptr;          ///< elements beyond the capacity are not written down
};
static_assert(std::is_trivially_copyable_v<SyntheticJob>);

}  // namespace warpyard::synthetic

#endif  // WARPYARD_CORE_WORKLOAD_SYNTHETIC_SYNTHETIC_JOB_H_
