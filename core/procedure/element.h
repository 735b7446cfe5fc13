// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// An element: 8 bytes for a procedure, and the names of its event, procedure and bucket.
//
// An element fits a queue's slot together with the slot's turn (exec/packed_slot.h), so that
// drawing it is one access. Larger data lies in the memory of the job; the element says where.
// [Steinberger §3.1.2]
#ifndef WARPYARD_CORE_PROCEDURE_ELEMENT_H_
#define WARPYARD_CORE_PROCEDURE_ELEMENT_H_

#include <cstdint>

#include "core/base/ids.h"
#include "core/exec/bits.h"

namespace warpyard::procedure {

/// Procedures of a program: an element names its procedure by a byte.
inline constexpr std::uint32_t kMaxProcedures = 256;

/// The head of an element: event, procedure and bucket, a byte each.
constexpr std::uint32_t MakeHead(std::uint32_t event, std::uint32_t procedure,
                                 std::uint32_t bucket) {
  return event | procedure << 8 | bucket << 16;
}
constexpr std::uint32_t EventOf(std::uint32_t head) { return exec::ByteOf<0>(head); }
constexpr std::uint32_t ProcedureOf(std::uint32_t head) { return exec::ByteOf<1>(head); }
constexpr std::uint32_t BucketOf(std::uint32_t head) { return exec::ByteOf<2>(head); }

struct Element {
  std::uint32_t head;  ///< see MakeHead
  std::uint32_t payload[2];

  constexpr std::uint32_t Event() const { return EventOf(head); }
  constexpr std::uint32_t Procedure() const { return ProcedureOf(head); }
  constexpr std::uint32_t Bucket() const { return BucketOf(head); }
};
static_assert(sizeof(Element) == 12);

/// Buckets of a device: one for each event, then one for each level (Context::SpawnAt).
inline constexpr std::uint32_t kEventBuckets = 64;
inline constexpr std::uint32_t kLevels = 192;
inline constexpr std::uint32_t kBuckets = kEventBuckets + kLevels;
constexpr std::uint32_t BucketOfLevel(Level level) { return kEventBuckets + level; }
static_assert(kBuckets <= 256, "an element names its bucket by a byte");

/// Takes the elements that running elements spawn. A worker makes room for kMaxSpawns of each
/// before it executes them, so that a spawn cannot fail.
struct SpawnBuffer {
  std::uint32_t count;
  Element* elements;
  bool common = false;       ///< all threads that run together share it, and not only one group
  std::uint32_t levels = 0;  ///< not 0: some are for levels
};

}  // namespace warpyard::procedure

#endif  // WARPYARD_CORE_PROCEDURE_ELEMENT_H_
