// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Jobs that were submitted, and that nobody has offered to admission yet.
//
// One thread at a time offers jobs, and takes some microseconds for each. Where more come than it
// can offer, they would wait there until all are late, also those that admission would accept.
#ifndef WARPYARD_CORE_DISPATCH_ADMISSION_OFFER_BACKLOG_H_
#define WARPYARD_CORE_DISPATCH_ADMISSION_OFFER_BACKLOG_H_

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <optional>

#include "core/dispatch/admission/admission.h"

namespace warpyard::dispatch {

/// Refuses a job that would wait for more than a quarter of its time, if its tenant has at least
/// its share of the jobs that wait. A tenant with less than its share is never refused here.
/// @scope one thread at a time calls Remove; any thread calls the other functions
class OfferBacklog {
 public:
  /// @shape weights: as in AdmissionOptions
  explicit OfferBacklog(const std::array<std::uint32_t, kAdmissionTenants>& weights) {
    for (std::size_t t = 0; t < weights.size(); ++t) weights_[t] = std::max(1u, weights[t]);
  }

  /// How long a job would wait until it is offered, if it is refused for that; else nothing.
  /// @units nanoseconds; left_ns: until its deadline
  std::optional<std::int64_t> Refuse(std::uint32_t tenant, std::int64_t left_ns) const {
    const std::int64_t jobs = all_.load(std::memory_order_relaxed);
    const auto wait_ns = static_cast<std::int64_t>(static_cast<double>(jobs) * NsOfOffer());
    if (wait_ns * kLeastTimes <= left_ns) return std::nullopt;
    const std::int64_t own = tenants_[tenant].load(std::memory_order_relaxed);
    const bool has_its_share =
        own * weight_.load(std::memory_order_relaxed) >= jobs * weights_[tenant];
    return has_its_share ? std::optional(wait_ns) : std::nullopt;
  }

  /// A job was submitted.
  void Add(std::uint32_t tenant) {
    all_.fetch_add(1, std::memory_order_relaxed);
    if (tenants_[tenant].fetch_add(1, std::memory_order_relaxed) == 0) {
      weight_.fetch_add(weights_[tenant], std::memory_order_relaxed);
    }
  }
  /// Jobs were offered, which took so long. @shape jobs: of each tenant
  void Remove(const std::array<std::int64_t, kAdmissionTenants>& jobs, std::int64_t took_ns) {
    std::int64_t sum = 0;
    for (std::size_t t = 0; t < jobs.size(); ++t) {
      if (jobs[t] == 0) continue;
      sum += jobs[t];
      if (tenants_[t].fetch_sub(jobs[t], std::memory_order_relaxed) == jobs[t]) {
        weight_.fetch_sub(weights_[t], std::memory_order_relaxed);
      }
    }
    if (sum == 0) return;
    all_.fetch_sub(sum, std::memory_order_relaxed);
    Learn(sum, took_ns);
  }

  double NsOfOffer() const { return ns_of_offer_.load(std::memory_order_relaxed); }

 private:
  /// To offer some jobs took so long. @shape jobs: at least 1
  void Learn(std::int64_t jobs, std::int64_t took_ns) {
    // A pause of the thread makes one time long, and says nothing of the next jobs.
    const double ns = static_cast<double>(took_ns) / static_cast<double>(jobs);
    const double part = std::min(static_cast<double>(jobs) / kLearntJobs, 1.0);
    // The clock of the host may be set back.
    const double learnt = NsOfOffer() + part * (std::clamp(ns, 0.0, kMostNs) - NsOfOffer());
    ns_of_offer_.store(learnt, std::memory_order_relaxed);
  }

  /// A job has at least so many times the wait.
  static constexpr std::int64_t kLeastTimes = 4;
  static constexpr double kLearntJobs = 256;
  static constexpr double kMostNs = 20'000;

  std::array<std::int64_t, kAdmissionTenants> weights_{};
  std::array<std::atomic<std::int64_t>, kAdmissionTenants> tenants_{};  ///< jobs that wait
  std::atomic<std::int64_t> all_ = 0;                                   ///< the sum of these
  std::atomic<std::int64_t> weight_ = 0;  ///< of tenants with jobs that wait
  std::atomic<double> ns_of_offer_ = 2'000;
};

}  // namespace warpyard::dispatch

#endif  // WARPYARD_CORE_DISPATCH_ADMISSION_OFFER_BACKLOG_H_
