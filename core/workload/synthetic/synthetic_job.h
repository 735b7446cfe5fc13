// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The job type of synthetic events: elements that spawn elements and keep the device busy.
//
// The scheduler's benchmarks and mixed-load tests run them. The job alone determines the elements
// of an event, so that the host can count them (synthetic_oracle.h).
#ifndef WARPYARD_CORE_WORKLOAD_SYNTHETIC_SYNTHETIC_JOB_H_
#define WARPYARD_CORE_WORKLOAD_SYNTHETIC_SYNTHETIC_JOB_H_

#include <cstdint>
#include <type_traits>

#include "core/base/macros.h"

namespace warpyard::synthetic {

/// Which elements an event has.
enum class SyntheticKind : std::uint32_t {
  kFlat,                 ///< packages of a whole block that spawn nothing
  kRecursiveItems,       ///< elements of one thread that spawn such elements [Steinberger §6.5.2]
  kRecursiveSets,        ///< as kRecursiveItems, with 8 threads
  kRecursivePackages64,  ///< as kRecursiveItems, with 64 threads
  kRecursivePackages,    ///< as kRecursiveItems, with a whole block
  kTree,                 ///< items of four procedures that spawn one another [Steinberger §6.5.3]
  kPrioritised,  ///< packages of random level, each followed by another [Steinberger §5.2.4]
  kFlatWarps,    ///< as kFlat, with 32 threads
};

/// Whether all elements of a kind are indices of a stage.
WY_HD constexpr bool IsFlat(SyntheticKind kind) {
  return kind == SyntheticKind::kFlat || kind == SyntheticKind::kFlatWarps;
}

/// How many elements an element spawns: two children at most, each with a probability.
struct Growth {
  std::uint32_t depths = 1;  ///< elements of depth 0 to depths - 1 exist
  std::uint32_t child_permille[2] = {0, 0};
  std::uint32_t decline_from = 0;            ///< first depth at which both probabilities are lower
  std::uint32_t decline_permille = 0;        ///< the fall at that depth and at each later one
  std::uint32_t type_change_permille = 750;  ///< kTree: children of another type than the parent's
};

/// Growth::type_change_permille for kTree: all types equally likely; mostly the parent's type;
/// mostly another type. [Steinberger §6.5.3]
inline constexpr std::uint32_t kEvenPermille = 750;
inline constexpr std::uint32_t kStayPermille = 40;
inline constexpr std::uint32_t kChangePermille = 960;

/// Each element spawns exactly one for 20 depths; then the probability falls by 5 % at each depth.
/// [Steinberger §6.5.2]
inline Growth RecursiveGrowth() { return {40, {1000, 0}, 20, 50, kEvenPermille}; }

/// The same mean number of elements, but some elements spawn two and some none; after 30 depths the
/// probability falls by 3 % at each depth. [Steinberger §5.1.5]
inline Growth ExpandingGrowth() { return {64, {500, 500}, 30, 30, kEvenPermille}; }

/// A binary tree of 2^depths - 1 nodes under each root. [Steinberger §6.5.3]
inline Growth FullTreeGrowth(std::uint32_t depths, std::uint32_t type_change_permille) {
  return {depths, {1000, 1000}, 0, 0, type_change_permille};
}

/// Trees whose nodes have one child in the mean: each depth has about as many nodes as there are
/// roots. [Steinberger §6.5.3]
inline Growth ForestGrowth(std::uint32_t depths, std::uint32_t type_change_permille) {
  return {depths, {500, 500}, 0, 0, type_change_permille};
}

/// What each thread of an element's group does.
enum class WorkKind : std::uint32_t {
  kNone,
  kFma,     ///< `amount` fused multiply-adds, in four chains of dependent ones
  kMemory,  ///< `amount` loads of 4 bytes; those of a group lie side by side
  kSpin,    ///< waits for `amount` nanoseconds
};

struct Work {
  WorkKind kind = WorkKind::kNone;
  std::uint32_t amount = 0;
  std::uint32_t spread_permille = 0;  ///< amounts differ by up to this, evenly distributed
  std::uint32_t memory_words = 0;     ///< kMemory: size of `memory`, not 0
  const std::uint32_t* memory = nullptr;
};

/// The fault of one element. It is only for tests of the engine: a service must refuse all faults
/// but kNone, since kWildStore and kNeverReturn make the device lost.
enum class Fault : std::uint32_t {
  kNone,
  kFail,         ///< ends the event with an error
  kWildStore,    ///< writes to an address without memory
  kNeverReturn,  ///< runs for ever and ignores a cancel
};

/// The counters that each element updates.
enum class Counting : std::uint32_t {
  kOff,
  kElements,  ///< SyntheticResults::executed and checksum
  kThreads,   ///< also SyntheticResults::threads; an element whose threads disagree fails
};

/// Counters of one part of the elements. With one word for all elements, a benchmark would measure
/// the contention for that word.
struct alignas(128) SyntheticCounters {
  std::uint64_t executed = 0;  ///< elements
  std::uint64_t checksum = 0;  ///< sum over elements, of any order
  std::uint64_t threads = 0;   ///< threads that executed them
};

/// @shape zero when the event begins
struct SyntheticResults {
  static constexpr std::uint32_t kParts = 32;

  SyntheticCounters parts[kParts];
  alignas(128) std::uint64_t started = 0;  ///< started elements, if they are counted in order
  alignas(128) std::uint32_t sink = 0;     ///< never read
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
  std::uint32_t seed = 0;      ///< of all random choices
  std::uint32_t stages = 1;    ///< 1 to 4, each runs all elements below; kPrioritised: 1
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
  TraceEntry* trace = nullptr;          ///< elements past the capacity are not recorded
};
static_assert(std::is_trivially_copyable_v<SyntheticJob>);

}  // namespace warpyard::synthetic

#endif  // WARPYARD_CORE_WORKLOAD_SYNTHETIC_SYNTHETIC_JOB_H_
