// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Whether a step for the earliest time looks at a sample first.
#ifndef WARPYARD_CORE_WORKLOAD_CCD_SCENE_SAMPLE_RULE_H_
#define WARPYARD_CORE_WORKLOAD_CCD_SCENE_SAMPLE_RULE_H_

#include <cstdint>

namespace warpyard::ccd {

/// A sample spares the step the pairs that only meet after its earliest contact, and takes five
/// stages. So there is one where steps have as many pairs as that is worth, and none for a while
/// after one that spared fewer. What a step finds does not depend on it.
/// @scope one caller at a time; candidates are those of StepCounters, of both kinds
class SampleRule {
 public:
  /// Steps without a sample after one that did not pay.
  static constexpr std::uint32_t kRest = 32;

  /// Candidates that a sample has to spare. On a device its stages take what they wait for each
  /// other, as long as a million pairs on an H200; where there are few workers, what it takes to
  /// bound all triangles again, as long as two pairs each. @shape workers: as of EventRunner
  static std::uint64_t LeastSpared(std::uint32_t workers, std::uint32_t triangles);

  /// Whether the next step has one; the first step does.
  bool Samples() const { return samples_; }

  /// Takes the candidates of a step without a sample.
  void TakeWhole(std::uint64_t candidates, std::uint64_t least_spared);

  /// Takes those of a step with a sample. @shape expected: without it, as the sample tells;
  ///     candidates: of what was left to look at
  void TakeSampled(std::uint64_t expected, std::uint64_t candidates, std::uint64_t least_spared);

 private:
  bool samples_ = true;
  std::uint32_t rest_ = 0;
};

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_SCENE_SAMPLE_RULE_H_
