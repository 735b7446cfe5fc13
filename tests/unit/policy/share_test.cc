// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/policy/share.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace warpyard::policy {
namespace {

constexpr std::uint32_t kSlot = 5;
constexpr std::uint64_t kNowNs = 1000;

PolicyOptions OptionsOf(PolicyKind kind) {
  PolicyOptions options;
  options.kind = kind;
  options.weights[1] = 10;
  options.weights[2] = 40;
  return options;
}

EventView EventOf(std::uint32_t tenant) {
  EventView event;
  event.tenant = tenant;
  return event;
}

TEST(Share, IsByTenantUnderQuota) {
  const PolicyOptions options = OptionsOf(PolicyKind::kQuota);
  const Share light = ShareOf(options, EventOf(1), kSlot, kNowNs);
  const Share heavy = ShareOf(options, EventOf(2), kSlot, kNowNs);
  EXPECT_EQ(light.group, heavy.group);
  EXPECT_NE(light.group, 0u);
  EXPECT_EQ(light.account, 1u);
  EXPECT_EQ(heavy.account, 2u);
  EXPECT_EQ(heavy.stride, kStrideUnit);
  EXPECT_EQ(light.stride, 4 * kStrideUnit);
}

TEST(Share, TakesNoWeightForOne) {
  EXPECT_EQ(ShareOf(OptionsOf(PolicyKind::kQuota), EventOf(3), kSlot, kNowNs).stride,
            40 * kStrideUnit);
  EXPECT_EQ(ShareOf({}, EventOf(3), kSlot, kNowNs).stride, kStrideUnit);
}

TEST(Share, BoundsStridesOfUnlikeWeights) {
  PolicyOptions options = OptionsOf(PolicyKind::kQuota);
  options.weights[2] = 0xffffffffu;
  EXPECT_EQ(ShareOf(options, EventOf(1), kSlot, kNowNs).stride, kMostStride);
  EXPECT_EQ(ShareOf(options, EventOf(2), kSlot, kNowNs).stride, kStrideUnit);
}

/// Of many turns. @shape share: packed
double MeanTurn(std::uint32_t share, std::uint32_t mean) {
  constexpr std::uint32_t kTurns = 1'000;
  double sum = 0;
  for (std::uint32_t i = 0; i < kTurns; ++i) sum += TurnOf(share, mean, i * 40'001);
  return sum / kTurns;
}

TEST(Share, TakesTurnsOfUnlikeLengths) {
  constexpr std::uint32_t kMean = 100'000, kShare = PackShare({1, 2, 3 * kStrideUnit});
  EXPECT_NEAR(MeanTurn(kShare, kMean), kMean, 0.02 * kMean);
  for (std::uint32_t i = 0; i < 1'000; ++i) {
    const std::uint32_t turn = TurnOf(kShare, kMean, i * 40'001);
    EXPECT_GE(turn, kMean / 2);
    EXPECT_LT(turn, kMean / 2 * 3);
  }
}

TEST(Share, TakesShortTurnsForLittleWeightAndWhereItIsNotJudged) {
  constexpr std::uint32_t kMean = 100'000;
  EXPECT_NEAR(MeanTurn(PackShare({1, 2, 16 * kStrideUnit}), kMean), kMean / 4, 1'000);
  EXPECT_NEAR(MeanTurn(PackShare(ShareOfNewcomer(OptionsOf(PolicyKind::kQuota))), kMean), kMean / 4,
              1'000);
}

TEST(Share, IsByEventUnderFairShare) {
  const Share share = ShareOf(OptionsOf(PolicyKind::kFairShare), EventOf(1), kSlot, kNowNs);
  EXPECT_EQ(share.account, kSlot);
  EXPECT_EQ(share.stride, kStrideUnit);
  EXPECT_NE(share.group, 0u);
}

TEST(Share, IsWithinAPriorityUnderTheServicePolicy) {
  const PolicyOptions options = OptionsOf(PolicyKind::kService);
  EventView urgent = EventOf(1), other = EventOf(2), high = EventOf(1);
  urgent.deadline_ns = kNowNs + 1;
  high.priority = 3;
  EXPECT_EQ(ShareOf(options, urgent, kSlot, kNowNs).group, 0u) << "deadlines come in their order";
  EXPECT_NE(ShareOf(options, urgent, kSlot, kNowNs + 1).group, 0u) << "it is over";
  EXPECT_NE(ShareOf(options, other, kSlot, kNowNs).group, 0u);
  EXPECT_NE(ShareOf(options, other, kSlot, kNowNs).group,
            ShareOf(options, high, kSlot, kNowNs).group);
}

TEST(Share, IsNothingForAnEventThatStarves) {
  const PolicyOptions options = OptionsOf(PolicyKind::kService);
  EXPECT_NE(ShareOf(options, EventOf(1), kSlot, options.starvation_ns - 1).group, 0u);
  EXPECT_EQ(ShareOf(options, EventOf(1), kSlot, options.starvation_ns).group, 0u);
  PolicyOptions patient = options;
  patient.starvation_ns = 0;
  EXPECT_NE(ShareOf(patient, EventOf(1), kSlot, options.starvation_ns).group, 0u);
}

TEST(Share, IsNothingUnderPoliciesThatOrder) {
  for (const PolicyKind kind : {PolicyKind::kPriority, PolicyKind::kEarliestDeadline,
                                PolicyKind::kShortestJob, PolicyKind::kFifo}) {
    EXPECT_EQ(ShareOf(OptionsOf(kind), EventOf(2), kSlot, kNowNs).group, 0u);
  }
}

TEST(Share, IsUnjudgedForANewcomerWhereEventsMayShare) {
  for (const PolicyKind kind : {PolicyKind::kQuota, PolicyKind::kFairShare, PolicyKind::kService}) {
    EXPECT_TRUE(IsUnjudged(PackShare(ShareOfNewcomer(OptionsOf(kind)))));
    EXPECT_FALSE(IsUnjudged(PackShare(ShareOf(OptionsOf(kind), EventOf(1), kSlot, kNowNs))));
  }
  for (const PolicyKind kind : {PolicyKind::kPriority, PolicyKind::kEarliestDeadline,
                                PolicyKind::kShortestJob, PolicyKind::kFifo}) {
    EXPECT_EQ(ShareOfNewcomer(OptionsOf(kind)).group, 0u);
  }
}

TEST(Share, FitsAWord) {
  const Share share = UnpackShare(PackShare({4, 63, kMostStride}));
  EXPECT_EQ(share.group, 4u);
  EXPECT_EQ(share.account, 63u);
  EXPECT_EQ(share.stride, kMostStride);
}

}  // namespace
}  // namespace warpyard::policy
