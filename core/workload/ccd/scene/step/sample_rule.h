// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Whether a step for the earliest time looks at a sample first.
#ifndef WARPYARD_CORE_WORKLOAD_CCD_SCENE_STEP_SAMPLE_RULE_H_
#define WARPYARD_CORE_WORKLOAD_CCD_SCENE_STEP_SAMPLE_RULE_H_

#include <cstdint>

namespace warpyard::ccd {

/// A sample takes five stages, and spares the step the pairs that only meet after the sample's
/// earliest contact. So steps have a sample where they have enough pairs to spare, and have none
/// for a while after a sample that spared too few. The result of a step does not depend on the
/// sample.
/// @scope one caller at a time; candidates: of both kinds, from StepCounters
class SampleRule {
 public:
  /// Steps without a sample after one that did not pay.
  static constexpr std::uint32_t kRest = 32;

  /// Candidates that a sample has to spare. On a device the stages wait for each other, which takes
  /// as long as a million pairs on an H200. With few workers the sample costs the second bounding,
  /// which takes as long as two pairs a triangle. @shape workers: as of EventRunner
  static std::uint64_t LeastSpared(std::uint32_t workers, std::uint32_t triangles);

  /// Whether the next step has one; the first step does.
  bool Samples() const { return samples_; }

  /// Takes the candidates of a step without a sample.
  void TakeWhole(std::uint64_t candidates, std::uint64_t least_spared);

  /// Takes the candidates of a step with a sample. @shape expected: without a sample, as the sample
  ///     tells; candidates: of the second look
  void TakeSampled(std::uint64_t expected, std::uint64_t candidates, std::uint64_t least_spared);

 private:
  bool samples_ = true;
  std::uint32_t rest_ = 0;
};

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_SCENE_STEP_SAMPLE_RULE_H_
