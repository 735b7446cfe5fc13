// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// What jobs of one kind on one resident have taken lately, and so will probably take again.
#ifndef WARPYARD_CORE_DISPATCH_WORK_ESTIMATE_H_
#define WARPYARD_CORE_DISPATCH_WORK_ESTIMATE_H_

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace warpyard::dispatch {

/// Two numbers about a job. Its `cost` is its part of the device's time: costs of jobs that run
/// side by side add up to the time that passes, so the sum of costs says when all are done. Its
/// `least` is the shortest time from a start to an end: however idle the device is, the job takes
/// so long. On a GPU small jobs have a `least` of several times their cost.
///
/// @scope one thread at a time @units nanoseconds
class WorkEstimate {
 public:
  /// False until the first job of the kind has ended.
  bool IsKnown() const { return samples_ > 0; }

  double Cost(std::int64_t now_ns) const { return cost_ns_ * Confidence(now_ns); }
  double Least(std::int64_t now_ns) const { return least_ns_ * Confidence(now_ns); }

  /// What a job took.
  struct Sample {
    double cost_ns = 0;
    double served_ns = 0;    ///< from its start to its end
    bool was_alone = false;  ///< no other job with a deadline ran when it started
  };

  /// A job has ended well.
  void Learn(const Sample& sample) {
    const double weight = std::max(kSmoothing, 1.0 / (samples_ + 1));
    cost_ns_ += weight * (sample.cost_ns - cost_ns_);
    if (!IsKnown()) {
      least_ns_ = sample.was_alone ? sample.served_ns : sample.cost_ns;
    } else if (sample.served_ns < least_ns_) {
      least_ns_ = sample.served_ns;
    } else if (sample.was_alone) {
      least_ns_ += kForgetting * (sample.served_ns - least_ns_);
    }
    samples_ = std::min(samples_ + 1, kMostSamples);
    refused_since_ns_ = kNever;
  }

  /// A job was ended before it was done, so it takes more than this.
  void LearnAtLeast(const Sample& sample) {
    if (sample.cost_ns > cost_ns_ || (sample.was_alone && sample.served_ns > least_ns_)) {
      Learn({std::max(sample.cost_ns, cost_ns_), std::max(sample.served_ns, least_ns_),
             sample.was_alone});
    }
  }

  /// A job was refused because of the estimate.
  void Refuse(std::int64_t now_ns) {
    if (refused_since_ns_ == kNever) refused_since_ns_ = now_ns;
  }

 private:
  static constexpr double kSmoothing = 1.0 / 8;   // the weight of the latest job
  static constexpr double kForgetting = 1.0 / 8;  // how fast `least` follows longer times
  static constexpr int kMostSamples = 1000;
  static constexpr std::int64_t kNever = -1;
  static constexpr double kSecond = 1e9;

  /// If every job of a kind is refused nobody sees that the jobs have become shorter. So after a
  /// second of refusals an estimate halves each second, until a job is accepted and says more.
  double Confidence(std::int64_t now_ns) const {
    if (refused_since_ns_ == kNever) return 1;
    const double over = static_cast<double>(now_ns - refused_since_ns_) - kSecond;
    return over <= 0 ? 1 : std::exp2(-over / kSecond);
  }

  double cost_ns_ = 0;
  double least_ns_ = 0;
  int samples_ = 0;
  std::int64_t refused_since_ns_ = kNever;  // the first refusal since a job was seen to its end
};

}  // namespace warpyard::dispatch

#endif  // WARPYARD_CORE_DISPATCH_WORK_ESTIMATE_H_
