// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The job that derives the buildings of a batch.
#ifndef WARPYARD_CORE_WORKLOAD_GRAMMAR_JOB_DERIVE_JOB_H_
#define WARPYARD_CORE_WORKLOAD_GRAMMAR_JOB_DERIVE_JOB_H_

#include <cstdint>
#include <type_traits>

#include "core/workload/grammar/code/code.h"
#include "core/workload/grammar/grammar_types.h"
#include "core/workload/grammar/job/frame.h"

namespace warpyard::grammar {

/// Memory that fills from several places at once: with one counter, all threads of a device would
/// wait for each other. @shape filled: more than its part if the part ran over
inline constexpr std::uint32_t kPoolParts = 64;
struct alignas(128) PoolPart {
  std::uint32_t filled = 0;
};

/// Lists of symbols of a later stage: several, so that many workers can take them up.
inline constexpr std::uint32_t kDeferredLists = 1024;

/// What a rule did; several copies, for many workers.
inline constexpr std::uint32_t kRuleCopies = 8;
struct RuleCounts {
  std::uint32_t symbols = 0;
  std::uint32_t dropped = 0;
  std::uint32_t clamped = 0;
};

/// What a rule took too much of; a limit of limits.h.
enum class Excess : std::uint32_t { kSteps, kSnapLines };
/// DeriveCounters::is_full where a rule took too much.
struct ExcessWord {
  static constexpr std::uint32_t kIsExcess = 1u << 31;
  static_assert(kMostRules <= 1 << 16);

  WY_HD static constexpr std::uint32_t Of(Excess excess, std::uint32_t rule) {
    return kIsExcess | static_cast<std::uint32_t>(excess) << 16 | rule;
  }
  static constexpr Excess ExcessOf(std::uint32_t word) {
    return static_cast<Excess>(word >> 16 & 0xff);
  }
  static constexpr std::uint32_t RuleOf(std::uint32_t word) { return word & 0xffff; }
};

/// Words that workers count in. @shape zero, and no lists, when the event begins
struct DeriveCounters {
  PoolPart units[kPoolParts];
  PoolPart instances[kPoolParts];
  /// Not 0: a pool has run over (1), or a rule took too much (ExcessWord). Then the result is not
  /// complete. Where both happen the later one is told. Both are true, and a batch that runs again
  /// with more memory comes to the rule, too.
  alignas(128) std::uint32_t is_full = 0;
  std::uint32_t culled = 0;  ///< buildings
  /// The first rule that went too deep: building << 32 | rule. All bits where none did.
  std::uint64_t deepest = ~std::uint64_t{0};
  std::uint32_t deferred[kMostStages][kDeferredLists];  ///< units of frames
};

/// A view as workers read it. @shape plane_count: 0 to kMostPlanes
inline constexpr std::uint32_t kMostPlanes = 8;
struct DeviceView {
  float position[3];
  std::uint32_t plane_count;
  float planes[kMostPlanes][4];
  float detail;  ///< a rule with @lod(d) ends at a distance of d * detail; 0: never
};

/// What the camera sees, and how far it can move before a building may change.
/// @shape slack: bits of a float for each building, infinity when the event begins; or null
struct JobSight {
  const DeviceView* view;  ///< or null
  std::uint32_t* slack;
};

struct DeviceParcel {
  Scope scope;
  std::uint64_t key;  ///< of the parcel's id and the seed
};

/// Values of attributes. @shape stride: floats from row to row; 0: all buildings have one row
struct AttributeRows {
  const float* values;
  std::uint32_t stride;
};

/// A sum of whole numbers that never runs over: of their low 32 bits, and of all bits above these.
struct ReportSum {
  std::uint64_t low = 0;
  std::uint64_t high = 0;  ///< two's complement

  double Value() const {
    // `low` of many negative numbers has more bits than a double, so its carry goes to `high`
    // first.
    const auto above = static_cast<std::int64_t>(high + (low >> 32));
    return static_cast<double>(above) * 0x1p32 + static_cast<double>(low & 0xffffffffu);
  }
};

/// Sums of reports, in 2^-16. @shape sums: [buildings][count]
struct ReportRows {
  ReportSum* sums;
  std::uint32_t count;
};

/// @shape of each part of the pools
struct PartSizes {
  std::uint32_t units;
  std::uint32_t instances;
};

/// Parcels that follow each other in the request.
struct ParcelSpan {
  std::uint32_t first;
  std::uint32_t count;
};

struct DepthLimit {
  std::uint32_t most;
  std::uint32_t coarse;  ///< not 0: what is too deep becomes a coarse instance
};

/// @shape pointers: device memory that outlives the event
struct DeriveJob {
  const Instruction* code;
  const RuleEntry* rules;
  const DeviceParcel* parcels;  ///< [span.count]
  DeriveCounters* counters;
  RuleCounts* rule_counts;  ///< [kRuleCopies][rule_count]
  Unit* units;              ///< [kPoolParts][sizes.units]
  Instance* instances;      ///< [kPoolParts][sizes.instances]
  JobSight sight;
  AttributeRows attributes;
  ReportRows reports;
  PartSizes sizes;
  ParcelSpan span;
  DepthLimit depth;
  std::uint32_t rule_count;
  std::uint32_t stages;
};
static_assert(std::is_trivially_copyable_v<DeriveJob>);

}  // namespace warpyard::grammar

#endif  // WARPYARD_CORE_WORKLOAD_GRAMMAR_JOB_DERIVE_JOB_H_
