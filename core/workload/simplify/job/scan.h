// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Prefix sums over indices, in two stages: sums of spans, and then each index with the sum of all
// before it. Whoever sums the last span adds up those of all. A few indices, one span, need one
// stage. So lists keep the order of their indices, whatever the order in which workers execute.
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

/// Whether a group is the last one of a stage that tells how many of its indices are done: it sees
/// what all others have stored before. @scope the group @shape done: 0 before the stage and after
/// it;
///     all: indices of the stage
template <class Scope>
WY_HD bool IsLast(Scope& scope, std::uint32_t& done, std::uint32_t indices, std::uint32_t all) {
  scope.Barrier();  // all threads have stored theirs
  bool is_last = false;
  if (scope.Rank() == 0) {
    is_last = Scope::Word(done).FetchAddAcqRel(indices) == all - indices;
    if (is_last) Scope::Word(done).StoreRelaxed(0);
  }
  is_last = scope.Broadcast(is_last);
  scope.Barrier();
  return is_last;
}

/// Calls visit(span, its indices) for each span of an element. @scope the group
template <class F, class Scope, class Visit>
WY_HD void ForEachSpan(const SimplifyJob& job, const Range& spans, Visit&& visit) {
  const std::uint32_t count = F::template Count<Scope>(job);
  for (std::uint32_t span = spans.begin; span < spans.end; ++span) {
    const std::uint32_t begin = span * kSpan;
    visit(span, Range{begin, count - begin < kSpan ? count : begin + kSpan});
  }
}

/// Places the indices of a part. Not inlined: see Each.
template <class F, class Scope>
WY_DEVICE_CALL WY_HD void PlaceAll(const SimplifyJob& job, const Range part, std::uint64_t before) {
  ForEachValue(
      part, 1, [&](std::uint32_t i) { return F::Value(job, i); },
      [&](std::uint32_t i, std::uint64_t value) {
        F::template Place<Scope>(job, i, value, before);
        before += value;
      });
}

/// Places the indices of a span. Returns their sum. @scope the group @shape before: the sum of all
///     spans before
template <class F, class Scope>
WY_HD std::uint64_t PlaceSpan(Context<Scope, SimplifyJob>& context, const Range& indices,
                              std::uint64_t before) {
  const Range part = PartOf(context.scope, indices.begin, indices.end);
  std::uint64_t all = 0;
  before += context.template Shared<LaneSums>().Before(context.scope,
                                                       SumOf<F>(context.job, part, 0, 1), all);
  PlaceAll<F, Scope>(context.job, part, before);
  return all;
}

/// Makes the sums of spans those of all spans before each. @scope the group
template <class Scope>
WY_DEVICE_CALL WY_HD void AddUpSpans(Scope scope, LaneSums& lanes, const ScanView scan,
                                     std::uint32_t spans) {
  const Range part = PartOf(scope, 0, spans);
  const auto sum_of = [&](std::uint32_t i) { return scan.sums[i]; };
  std::uint64_t own = 0, all = 0;
  ForEachValue(part, 1, sum_of, [&](std::uint32_t, std::uint64_t sum) { own += sum; });
  std::uint64_t before = lanes.Before(scope, own, all);
  ForEachValue(part, 1, sum_of, [&](std::uint32_t i, std::uint64_t sum) {
    scan.sums[i] = before;
    before += sum;
  });
  if (scope.Rank() == 0) *scan.total = all;
}

/// The members of the scan's procedures. @shape F: `kNames` [2],
///     `Count<Scope>(const SimplifyJob&)`: indices, which End does not change,
///     `Value(const SimplifyJob&, index)`: a std::uint64_t, which Place does not change,
///     `Place<Scope>(const SimplifyJob&, index, value, before)`: gets the sum before the index,
///     `End(const SimplifyJob&, total)`: called by one thread;
///     and `kPlacesOnlySome` = true if Place does nothing for indices of the value 0
template <class F>
struct SumSpans : SpanElement {
  static constexpr const char* kName = F::kNames[0];

  template <class Scope>
  WY_HD static void Execute(Context<Scope, SimplifyJob>& context, const Range& range) {
    const std::uint32_t spans = SpansOf(F::template Count<Scope>(context.job));
    ForEachSpan<F, Scope>(context.job, range, [&](std::uint32_t span, const Range& indices) {
      if (spans != 1) return SumSpan(context, span, spans, indices);
      const std::uint64_t total = PlaceSpan<F>(context, indices, 0);
      if (context.scope.Rank() == 0) F::End(context.job, total);
    });
  }

 private:
  template <class Scope>
  WY_HD static void SumSpan(Context<Scope, SimplifyJob>& context, std::uint32_t span,
                            std::uint32_t spans, const Range& indices) {
    const ScanView& scan = context.job.scan;
    Scope& scope = context.scope;
    LaneSums& lanes = context.template Shared<LaneSums>();
    const std::uint64_t own = SumOf<F>(context.job, indices, scope.Rank(), scope.Size());
    std::uint64_t all = 0;
    lanes.Before(scope, own, all);
    if (scope.Rank() == 0) scan.sums[span] = all;
    if (IsLast(scope, *scan.done, 1, spans)) AddUpSpans(scope, lanes, scan, spans);
  }
};

template <class F>
struct PlaceSpans : SpanElement {
  static constexpr const char* kName = F::kNames[1];

  template <class Scope>
  WY_HD static void Execute(Context<Scope, SimplifyJob>& context, const Range& range) {
    const SimplifyJob& job = context.job;
    const std::uint32_t spans = SpansOf(F::template Count<Scope>(job));
    ForEachSpan<F, Scope>(job, range, [&](std::uint32_t span, const Range& indices) {
      if (!IsPassedOver(job.scan, span, spans)) {
        PlaceSpan<F>(context, indices, job.scan.sums[span]);
      }
      if (span == 0 && context.scope.Rank() == 0) F::End(job, *job.scan.total);
    });
  }

 private:
  /// Whether a span has nothing to place: a short list from many indices has few spans that do.
  WY_HD static bool IsPassedOver(const ScanView& scan, std::uint32_t span, std::uint32_t spans) {
    if constexpr (requires { requires F::kPlacesOnlySome; }) {
      return (span + 1 < spans ? scan.sums[span + 1] : *scan.total) == scan.sums[span];
    } else {
      return false;
    }
  }
};

/// A procedure, and what one group does when all indices of the stage are done: a stage of one
/// element would take longer. @shape P: a procedure of a warp over Indices; Last: a static
///     `Do(Scope&, LaneSums&, const SimplifyJob&)`
template <class P, class Indices, class Last>
struct AndLast : P {
  static constexpr std::size_t kSharedBytes = P::kSharedBytes > sizeof(LaneSums) ? P::kSharedBytes
                                                                                 : sizeof(LaneSums);

  template <class Scope>
  WY_HD static void Execute(Context<Scope, SimplifyJob>& context, const Range& range) {
    P::Execute(context, range);
    const SimplifyJob& job = context.job;
    const std::uint32_t all = Indices::template Count<Scope>(job);
    if (!IsLast(context.scope, *job.scan.done, range.end - range.begin, all)) return;
    Last::Do(context.scope, context.template Shared<LaneSums>(), job);
  }
};

}  // namespace warpyard::simplify

#endif  // WARPYARD_CORE_WORKLOAD_SIMPLIFY_JOB_SCAN_H_
