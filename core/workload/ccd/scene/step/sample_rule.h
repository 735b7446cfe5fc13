// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Decides whether a step for the earliest time examines a sample first.
#ifndef WARPYARD_CORE_WORKLOAD_CCD_SCENE_STEP_SAMPLE_RULE_H_
#define WARPYARD_CORE_WORKLOAD_CCD_SCENE_STEP_SAMPLE_RULE_H_

#include <cstdint>

namespace warpyard::ccd {

/// A sample takes five stages. It saves the step the pairs that only meet after the sample's
/// earliest contact. So a step has a sample if it has enough pairs to save. After a sample that
/// saved too few, the following steps have none for a while. The result of a step does not depend
/// on the sample.
/// @scope one caller at a time; candidates: of both kinds, from StepCounters
class SampleRule {
 public:
  /// Steps without a sample after one that did not pay.
  static constexpr std::uint32_t kRest = 32;

  /// Candidates that a sample must save. On a device the five stages wait for each other, which
  /// takes as long as a million pairs on an H200. With few workers a sample costs the second
  /// bounding, which takes as long as two pairs for each triangle. @shape workers: as of
  /// EventRunner
  static std::uint64_t LeastSpared(std::uint32_t workers, std::uint32_t triangles);

  /// Whether the next step has a sample; the first step has one.
  bool Samples() const { return samples_; }

  /// Takes the candidates of a step without a sample.
  void TakeWhole(std::uint64_t candidates, std::uint64_t least_spared);

  /// Takes the candidates of a step with a sample. @shape expected: estimate from the sample for a
  /// step without one; candidates: of the second pass
  void TakeSampled(std::uint64_t expected, std::uint64_t candidates, std::uint64_t least_spared);

 private:
  bool samples_ = true;
  std::uint32_t rest_ = 0;
};

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_SCENE_STEP_SAMPLE_RULE_H_
