// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Prefix sums over indices, in three stages: sums of spans, sums of the spans before each, and then
// each index with the sum of all before it. So lists keep the order of their indices, whatever the
// order in which workers execute.
#ifndef WARPYARD_CORE_WORKLOAD_SIMPLIFY_JOB_SCAN_H_
#define WARPYARD_CORE_WORKLOAD_SIMPLIFY_JOB_SCAN_H_

#include <cstddef>
#include <cstdint>

#include "core/base/macros.h"
#include "core/procedure/procedure_concept.h"
#include "core/workload/simplify/job/each.h"
#include "core/workload/simplify/job/simplify_job.h"

namespace warpyard::simplify {

/// Indices of a span; one element is one span.
inline constexpr std::uint32_t kSpan = 1024;

WY_HD constexpr std::uint32_t SpansOf(std::uint32_t count) {
  return count / kSpan + (count % kSpan != 0 ? 1 : 0);
}

/// A word for each thread of a warp.
struct LaneSums {
  std::uint64_t sums[32];

  /// The sum of the threads before this one; @shape all: gets that of all. @scope the group
  template <class Scope>
  WY_HD std::uint64_t Before(Scope& scope, std::uint64_t own, std::uint64_t& all) {
    scope.Barrier();
    sums[scope.Rank()] = own;
    scope.Barrier();
    std::uint64_t before = 0;
    all = 0;
    for (std::uint32_t i = 0; i < scope.Size(); ++i) {
      if (i == scope.Rank()) before = all;
      all += sums[i];
    }
    return before;
  }
};

/// The part of a span that a thread has, in the order of the threads.
template <class Scope>
WY_HD Range PartOf(const Scope& scope, std::uint32_t begin, std::uint32_t end) {
  const std::uint32_t each = (end - begin + scope.Size() - 1) / scope.Size();
  const std::uint32_t first = begin + scope.Rank() * each;
  if (first >= end) return {end, end};
  return {first, end - first < each ? end : first + each};
}

/// The members of the scan's procedures. @shape F: `kNames` [2],
///     `Count<Scope>(const SimplifyJob&)`: indices,
///     `Value(const SimplifyJob&, index)`: a std::uint64_t, which Place does not change,
///     `Place<Scope>(const SimplifyJob&, index, value, before)`: gets the sum before the index,
///     `End(const SimplifyJob&, total)`: called by one thread
template <class F>
struct SumSpans {
  using Item = Range;
  static constexpr std::size_t kSharedBytes = sizeof(LaneSums);
  static constexpr const char* kName = F::kNames[0];
  static constexpr std::uint32_t kThreads = 32;
  static constexpr std::uint32_t kGrain = 1;

  template <class Scope>
  WY_HD static void Execute(Context<Scope, SimplifyJob>& context, const Range& range) {
    const SimplifyJob& job = context.job;
    const std::uint32_t count = F::template Count<Scope>(job);
    for (std::uint32_t span = range.begin; span < range.end; ++span) {
      const std::uint32_t begin = span * kSpan;
      const std::uint32_t end = count - begin < kSpan ? count : begin + kSpan;
      std::uint64_t own = 0, all = 0;
      for (std::uint32_t i = begin + context.scope.Rank(); i < end; i += context.scope.Size()) {
        own += F::Value(job, i);
      }
      context.template Shared<LaneSums>().Before(context.scope, own, all);
      if (context.scope.Rank() != 0) continue;
      job.scan.sums[span] = all;
      if (span == 0) *job.scan.spans = SpansOf(count);
    }
  }
};

/// One element: the sums of all spans before each.
struct ScanSpans {
  using Item = Range;
  static constexpr std::size_t kSharedBytes = sizeof(LaneSums);
  static constexpr const char* kName = "ScanSpans";
  static constexpr std::uint32_t kThreads = 32;
  static constexpr std::uint32_t kGrain = 1;

  template <class Scope>
  WY_HD static void Execute(Context<Scope, SimplifyJob>& context, const Range&) {
    const ScanView& scan = context.job.scan;
    const Range part = PartOf(context.scope, 0, *scan.spans);
    std::uint64_t own = 0, all = 0;
    for (std::uint32_t i = part.begin; i < part.end; ++i) own += scan.sums[i];
    std::uint64_t before = context.template Shared<LaneSums>().Before(context.scope, own, all);
    for (std::uint32_t i = part.begin; i < part.end; ++i) {
      const std::uint64_t sum = scan.sums[i];
      scan.sums[i] = before;
      before += sum;
    }
    if (context.scope.Rank() == 0) *scan.total = all;
  }
};

template <class F>
struct PlaceSpans {
  using Item = Range;
  static constexpr std::size_t kSharedBytes = sizeof(LaneSums);
  static constexpr const char* kName = F::kNames[1];
  static constexpr std::uint32_t kThreads = 32;
  static constexpr std::uint32_t kGrain = 1;

  template <class Scope>
  WY_HD static void Execute(Context<Scope, SimplifyJob>& context, const Range& range) {
    const SimplifyJob& job = context.job;
    const std::uint32_t count = F::template Count<Scope>(job);
    for (std::uint32_t span = range.begin; span < range.end; ++span) {
      const std::uint32_t begin = span * kSpan;
      const std::uint32_t end = count - begin < kSpan ? count : begin + kSpan;
      const Range part = PartOf(context.scope, begin, end);
      std::uint64_t own = 0, all = 0;
      for (std::uint32_t i = part.begin; i < part.end; ++i) own += F::Value(job, i);
      std::uint64_t before = context.template Shared<LaneSums>().Before(context.scope, own, all);
      before += job.scan.sums[span];
      for (std::uint32_t i = part.begin; i < part.end; ++i) {
        const std::uint64_t value = F::Value(job, i);
        F::template Place<Scope>(job, i, value, before);
        before += value;
      }
      if (span == 0 && context.scope.Rank() == 0) F::End(job, *job.scan.total);
    }
  }
};

}  // namespace warpyard::simplify

#endif  // WARPYARD_CORE_WORKLOAD_SIMPLIFY_JOB_SCAN_H_
