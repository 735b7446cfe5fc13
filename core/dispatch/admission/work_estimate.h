// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// What jobs of one kind on one resident have taken lately, and so will probably take again.
#ifndef WARPYARD_CORE_DISPATCH_ADMISSION_WORK_ESTIMATE_H_
#define WARPYARD_CORE_DISPATCH_ADMISSION_WORK_ESTIMATE_H_

#include <algorithm>
#include <atomic>
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
  /// False until some jobs of the kind have ended. The first ones often take longer: memory grows,
  /// hierarchies are built, caches are cold.
  bool IsKnown() const { return samples_ >= kFirst; }

  double Cost(std::int64_t now_ns) const { return cost_ns_ * Confidence(now_ns); }
  /// The cost without doubts, or 0 if it is not known. @scope any thread
  double LatestCost() const { return latest_cost_ns_.load(std::memory_order_relaxed); }
  double Least(std::int64_t now_ns) const { return least_ns_ * Confidence(now_ns); }

  /// What a job took.
  struct Sample {
    double cost_ns = 0;
    double served_ns = 0;    ///< from its start to its end
    bool was_alone = false;  ///< no other job with a deadline ran when it started
  };

  /// A job has ended well.
  void Learn(const Sample& sample) {
    if (!IsKnown()) {
      LearnFirst(sample);
    } else {
      cost_ns_ += kSmoothing * (sample.cost_ns - cost_ns_);
      if (sample.was_alone) least_ns_ += kSmoothing * (sample.served_ns - least_ns_);
      least_ns_ = std::min(least_ns_, sample.served_ns);
    }
    Trust();
    doubt_ns_ = kFirstDoubt;
  }

  /// A job was ended before it was done, so it takes more than this.
  void LearnAtLeast(const Sample& sample) {
    if (!IsKnown()) {
      LearnFirst(sample);
    } else {
      cost_ns_ += std::max(sample.cost_ns - cost_ns_, 0.0) / 2;
      if (sample.was_alone) least_ns_ = std::max(least_ns_, sample.served_ns);
    }
    Trust();
    doubt_ns_ = std::min(2 * doubt_ns_, kMostDoubt);
  }

  /// A job was refused. @shape is_alone: although no other job was in its way
  void Refuse(std::int64_t now_ns, bool is_alone) {
    if (refused_since_ns_ != kNever) return;
    refused_since_ns_ = now_ns;
    doubted_after_ns_ = is_alone ? doubt_ns_ : std::max(doubt_ns_, kFirstDoubtBesideOthers);
  }

 private:
  static constexpr int kFirst = 3;
  static constexpr double kSmoothing = 1.0 / 16;  // the weight of the latest job
  static constexpr double kFirstDoubt = 100e6, kMostDoubt = 60e9;
  static constexpr double kFirstDoubtBesideOthers = 1e9;
  static constexpr std::int64_t kNever = -1;

  /// The mean without the largest, and the least.
  void LearnFirst(const Sample& sample) {
    const double served_ns = sample.was_alone ? sample.served_ns : sample.cost_ns;
    least_ns_ = samples_ == 0 ? served_ns : std::min(least_ns_, served_ns);
    first_sum_ns_ += sample.cost_ns;
    first_most_ns_ = std::max(first_most_ns_, sample.cost_ns);
    ++samples_;
    cost_ns_ = samples_ == 1 ? sample.cost_ns : (first_sum_ns_ - first_most_ns_) / (samples_ - 1);
  }

  /// A job has told what it takes.
  void Trust() {
    refused_since_ns_ = kNever;
    if (IsKnown()) latest_cost_ns_.store(cost_ns_, std::memory_order_relaxed);
  }

  /// If every job of a kind is refused nobody sees that the jobs have become shorter. So after some
  /// time of refusals an estimate falls by half in each further such time, until a job is accepted
  /// and says more. If that job cannot be done either, the next one comes after twice the time.
  double Confidence(std::int64_t now_ns) const {
    if (refused_since_ns_ == kNever) return 1;
    const double over = static_cast<double>(now_ns - refused_since_ns_) - doubted_after_ns_;
    return over <= 0 ? 1 : std::exp2(-over / doubted_after_ns_);
  }

  double cost_ns_ = 0;
  double least_ns_ = 0;
  std::atomic<double> latest_cost_ns_ = 0;
  int samples_ = 0;                              // no more than kFirst
  double first_sum_ns_ = 0, first_most_ns_ = 0;  // of the costs of the first jobs
  std::int64_t refused_since_ns_ = kNever;  // the first refusal since a job was seen to its end
  double doubt_ns_ = kFirstDoubt;
  double doubted_after_ns_ = 0;  // the time of refusals after which the estimate falls
};

}  // namespace warpyard::dispatch

#endif  // WARPYARD_CORE_DISPATCH_ADMISSION_WORK_ESTIMATE_H_
