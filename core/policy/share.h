// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Says which events share the device by weight under a policy. Other events follow one another in
// the order of their ranks.
//
// A rank alone cannot share. It is the same for all blocks, so all blocks go to the event that is
// behind, and they leave it too late, when the ranks change. So each block divides its own time
// among the events with a Share (model/worker/share_clocks.h).
#ifndef WARPYARD_CORE_POLICY_SHARE_H_
#define WARPYARD_CORE_POLICY_SHARE_H_

#include <cstdint>

#include "core/policy/policy.h"
#include "core/policy/priority.h"
#include "core/policy/service_default.h"

namespace warpyard::policy {

/// The share of an event. Events of one `group` share by the weights of their accounts; events of
/// one account come in the order of their ranks. Group 0: the event does not share.
struct Share {
  std::uint32_t group;    ///< less than 256
  std::uint32_t account;  ///< less than 256
  std::uint32_t stride;   ///< factor of its time, in kStrideUnit: larger for less weight
};
inline constexpr std::uint32_t kStrideUnit = 256;  ///< the stride of the greatest weight
inline constexpr std::uint32_t kMostStride = 0xffff;
/// The group of an event that the policy has not judged yet: it may share with any other.
inline constexpr std::uint32_t kUnjudgedGroup = 0xff;

/// The factor by which a tenant's time counts: the greatest weight divided by the tenant's weight.
constexpr std::uint32_t StrideOf(const PolicyOptions& options, std::uint32_t tenant) {
  std::uint32_t greatest = 1;
  for (const std::uint32_t weight : options.weights) {
    greatest = weight > greatest ? weight : greatest;
  }
  const std::uint32_t own = options.weights[tenant] == 0 ? 1 : options.weights[tenant];
  const std::uint64_t stride = std::uint64_t{kStrideUnit} * greatest / own;
  return stride < kMostStride ? static_cast<std::uint32_t>(stride) : kMostStride;
}

/// @shape slot: of the event, less than 256
constexpr Share ShareOf(const PolicyOptions& options, const EventView& event, std::uint32_t slot,
                        std::uint64_t now_ns) {
  const std::uint32_t tenant = event.tenant % kMaxTenants;
  if (options.kind == PolicyKind::kQuota) return {1, tenant, StrideOf(options, tenant)};
  if (options.kind == PolicyKind::kFairShare) return {1, slot, kStrideUnit};
  if (options.kind != PolicyKind::kService) return {0, 0, kStrideUnit};
  if (!ServiceDefault::HasDeadline(event, now_ns) &&
      !ServiceDefault::Starves(options, event, now_ns)) {
    return {1 + static_cast<std::uint32_t>(Priority::LevelOf(event)), tenant,
            StrideOf(options, tenant)};
  }
  return {0, 0, kStrideUnit};
}

/// What the next event in a free slot shares until the policy judges it.
constexpr Share ShareOfNewcomer(const PolicyOptions& options) {
  const bool may_share = options.kind == PolicyKind::kQuota ||
                         options.kind == PolicyKind::kFairShare ||
                         options.kind == PolicyKind::kService;
  return {may_share ? kUnjudgedGroup : 0, 0, 0};
}

/// A share packed in one word, which a block reads in one access.
constexpr std::uint32_t PackShare(const Share& share) {
  return share.group << 24 | share.account << 16 | share.stride;
}
constexpr Share UnpackShare(std::uint32_t word) {
  return {word >> 24, word >> 16 & 0xffu, word & 0xffffu};
}

/// Whether a packed share is that of an event which the policy has not judged yet.
constexpr bool IsUnjudged(std::uint32_t word) { return word >> 24 == kUnjudgedGroup; }

/// How long an event has its turn before other accounts of its group have theirs. A turn is shorter
/// where the account's time counts much, so that no turn puts an account far behind the others. It
/// is also shorter where the policy has not judged the event yet. Its length is random, from a half
/// of this length to one and a half. If all turns were equal, all workers would change accounts at
/// the same time, and the whole device would serve one account after another.
/// @shape share: packed; mean: of accounts whose stride is at most 4 kStrideUnit; random: any
constexpr std::uint32_t TurnOf(std::uint32_t share, std::uint32_t mean, std::uint32_t random) {
  constexpr std::uint32_t kLargeStride = 4 * kStrideUnit, kUnjudgedPart = 4;
  const std::uint32_t stride = UnpackShare(share).stride;
  std::uint64_t length = mean;
  if (IsUnjudged(share)) length /= kUnjudgedPart;
  if (stride > kLargeStride) length = length * kLargeStride / stride;
  const std::uint64_t part = random * 2654435761u;  // of 2^32
  return static_cast<std::uint32_t>(length / 2 + (part * length >> 32));
}

/// Whether two packed shares are of one group, but of different accounts.
constexpr bool AreOtherAccounts(std::uint32_t a, std::uint32_t b) {
  return a >> 24 == b >> 24 && a >> 16 != b >> 16;
}

}  // namespace warpyard::policy

#endif  // WARPYARD_CORE_POLICY_SHARE_H_
