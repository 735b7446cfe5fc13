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
inline constexpr std::uint32_t kSpan = 512;

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

/// Calls visit(index, value) for indices of a part in order. It gets some values at a time, so that
/// their loads are under way together. @shape stride: from one index to the next
template <class Value, class Visit>
WY_HD void ForEachValue(const Range& part, std::uint32_t stride, Value&& value, Visit&& visit) {
  constexpr std::uint32_t kBatch = 8;
  std::uint64_t values[kBatch];
  for (std::uint32_t first = part.begin; first < part.end; first += kBatch * stride) {
    WY_UNROLLED
    for (std::uint32_t k = 0; k < kBatch; ++k) {
      const std::uint32_t i = first + k * stride;
      values[k] = i < part.end ? value(i) : 0;
    }
    WY_UNROLLED
    for (std::uint32_t k = 0; k < kBatch; ++k) {
      const std::uint32_t i = first + k * stride;
      if (i < part.end) visit(i, values[k]);
    }
  }
}

/// The sum of the values of a part, from the index `rank` of it on. Not inlined: see Each.
template <class F>
WY_DEVICE_CALL WY_HD std::uint64_t SumOf(const SimplifyJob& job, const Range part,
                                         std::uint32_t rank, std::uint32_t stride) {
  std::uint64_t sum = 0;
  ForEachValue(
      {part.begin + rank, part.end}, stride, [&](std::uint32_t i) { return F::Value(job, i); },
      [&](std::uint32_t, std::uint64_t value) { sum += value; });
  return sum;
}

/// What the scan's procedures have in common: an element is a span.
struct SpanElement {
  using Item = Range;
  static constexpr std::size_t kSharedBytes = sizeof(LaneSums);
  static constexpr std::uint32_t kThreads = 32;
  static constexpr std::uint32_t kGrain = 1;
};

/// Calls visit(span, its indices) for each span of an element. @scope the group
template <class F, class Scope, class Visit>
WY_HD void ForEachSpan(const SimplifyJob& job, const Range& spans, Visit&& visit) {
  const std::uint32_t count = F::template Count<Scope>(job);
  for (std::uint32_t span = spans.begin; span < spans.end; ++span) {
    const std::uint32_t begin = span * kSpan;
    visit(span, Range{begin, count - begin < kSpan ? count : begin + kSpan});
  }
}

/// The members of the scan's procedures. @shape F: `kNames` [2],
///     `Count<Scope>(const SimplifyJob&)`: indices,
///     `Value(const SimplifyJob&, index)`: a std::uint64_t, which Place does not change,
///     `Place<Scope>(const SimplifyJob&, index, value, before)`: gets the sum before the index,
///     `End(const SimplifyJob&, total)`: called by one thread
template <class F>
struct SumSpans : SpanElement {
  static constexpr const char* kName = F::kNames[0];

  template <class Scope>
  WY_HD static void Execute(Context<Scope, SimplifyJob>& context, const Range& range) {
    const SimplifyJob& job = context.job;
    Scope& scope = context.scope;
    ForEachSpan<F, Scope>(job, range, [&](std::uint32_t span, const Range& indices) {
      const std::uint64_t own = SumOf<F>(job, indices, scope.Rank(), scope.Size());
      std::uint64_t all = 0;
      context.template Shared<LaneSums>().Before(scope, own, all);
      if (scope.Rank() != 0) return;
      job.scan.sums[span] = all;
      if (span == 0) *job.scan.spans = SpansOf(F::template Count<Scope>(job));
    });
  }
};

/// One element: the sums of all spans before each.
struct ScanSpans : SpanElement {
  static constexpr const char* kName = "SimplifyScanSpans";

  template <class Scope>
  WY_HD static void Execute(Context<Scope, SimplifyJob>& context, const Range&) {
    const ScanView& scan = context.job.scan;
    const Range part = PartOf(context.scope, 0, *scan.spans);
    const auto sum_of = [&](std::uint32_t i) { return scan.sums[i]; };
    std::uint64_t own = 0, all = 0;
    ForEachValue(part, 1, sum_of, [&](std::uint32_t, std::uint64_t sum) { own += sum; });
    std::uint64_t before = context.template Shared<LaneSums>().Before(context.scope, own, all);
    ForEachValue(part, 1, sum_of, [&](std::uint32_t i, std::uint64_t sum) {
      scan.sums[i] = before;
      before += sum;
    });
    if (context.scope.Rank() == 0) *scan.total = all;
  }
};

template <class F>
struct PlaceSpans : SpanElement {
  static constexpr const char* kName = F::kNames[1];

  template <class Scope>
  WY_HD static void Execute(Context<Scope, SimplifyJob>& context, const Range& range) {
    const SimplifyJob& job = context.job;
    Scope& scope = context.scope;
    ForEachSpan<F, Scope>(job, range, [&](std::uint32_t span, const Range& indices) {
      const Range part = PartOf(scope, indices.begin, indices.end);
      std::uint64_t all = 0;
      const std::uint64_t before =
          context.template Shared<LaneSums>().Before(scope, SumOf<F>(job, part, 0, 1), all);
      PlaceAll<Scope>(job, part, before + job.scan.sums[span]);
      if (span == 0 && scope.Rank() == 0) F::End(job, *job.scan.total);
    });
  }

 private:
  template <class Scope>
  WY_DEVICE_CALL WY_HD static void PlaceAll(const SimplifyJob& job, const Range part,
                                            std::uint64_t before) {
    ForEachValue(
        part, 1, [&](std::uint32_t i) { return F::Value(job, i); },
        [&](std::uint32_t i, std::uint64_t value) {
          F::template Place<Scope>(job, i, value, before);
          before += value;
        });
  }
};

}  // namespace warpyard::simplify

#endif  // WARPYARD_CORE_WORKLOAD_SIMPLIFY_JOB_SCAN_H_
