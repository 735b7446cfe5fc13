// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// What is queued: 8 bytes for a procedure, and who they belong to.
//
// An element fits a queue's slot together with the slot's turn (exec/packed_slot.h), so that
// drawing it is one access. Whatever needs more than 8 bytes lies in the memory of its job, and
// the element says where. [Steinberger §3.1.2]
#ifndef WARPYARD_CORE_PROCEDURE_ELEMENT_H_
#define WARPYARD_CORE_PROCEDURE_ELEMENT_H_

#include <cstdint>

#include "core/base/macros.h"

namespace warpyard::procedure {

struct Element {
  std::uint32_t head;  ///< event, procedure and bucket, a byte each
  std::uint32_t payload[2];

  WY_HD std::uint32_t Event() const { return head & 0xffu; }
  WY_HD std::uint32_t Procedure() const { return head >> 8 & 0xffu; }
  WY_HD std::uint32_t Bucket() const { return head >> 16 & 0xffu; }
};
static_assert(sizeof(Element) == 12);

WY_HD inline std::uint32_t MakeHead(std::uint32_t event, std::uint32_t procedure,
                                    std::uint32_t bucket) {
  return event | procedure << 8 | bucket << 16;
}

/// Buckets that wait for a device: one of each event, then one of each level (Context::SpawnAt).
inline constexpr std::uint32_t kEventBuckets = 64;
inline constexpr std::uint32_t kLevels = 192;
inline constexpr std::uint32_t kBuckets = kEventBuckets + kLevels;

/// Where the running elements of a block leave what they spawn. The worker loop has made room for
/// the most that they may (kMaxSpawns), so that a spawn cannot fail.
struct SpawnBuffer {
  std::uint32_t count;
  Element* elements;
  bool common = false;  ///< of all threads of the block, and not of a group
};

}  // namespace warpyard::procedure

#endif  // WARPYARD_CORE_PROCEDURE_ELEMENT_H_
