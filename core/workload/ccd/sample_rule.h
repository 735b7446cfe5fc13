// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Whether a step for the earliest time looks at a sample first.
#ifndef WARPYARD_CORE_WORKLOAD_CCD_SAMPLE_RULE_H_
#define WARPYARD_CORE_WORKLOAD_CCD_SAMPLE_RULE_H_

#include <cstdint>

namespace warpyard::ccd {

/// A sample spares the step the pairs that only meet after its earliest contact, and takes five
/// stages, which is as long as about a million pairs. So there is one where steps have so many, and
/// none for a while after one that spared less. What a step finds does not depend on it.
/// @scope one caller at a time
class SampleRule {
 public:
  /// Candidates that a sample has to spare.
  static constexpr std::uint64_t kLeastSpared = 1u << 20;
  /// Steps without a sample after one that did not pay.
  static constexpr std::uint32_t kRest = 32;

  /// Whether the next step has one; the first step does.
  bool Samples() const { return samples_; }

  /// Takes the candidates of a step without a sample.
  void TakeWhole(std::uint64_t candidates);

  /// Takes those of a step with a sample. @shape sampled: of the sample; candidates: of what was
  ///     left to look at; stride: every so manieth cluster was in the sample
  void TakeSampled(std::uint64_t sampled, std::uint64_t candidates, std::uint32_t stride);

 private:
  bool samples_ = true;
  std::uint32_t rest_ = 0;
};

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_SAMPLE_RULE_H_
