// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/synthetic/synthetic_run.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/clock.h"
#include "core/base/exact_text.h"
#include "core/base/macros.h"
#include "core/base/status_facts.h"
#include "core/memory/device_array.h"
#include "core/workload/synthetic/synthetic_node.h"
#include "core/workload/synthetic/synthetic_oracle.h"
#include "core/workload/synthetic/synthetic_program.h"

namespace warpyard::synthetic {
namespace {

template <class T>
using Array = memory::DeviceArray<T>;

/// A field and the range of its values.
struct Field {
  absl::string_view name;
  std::uint32_t value;
  std::uint32_t least;
  std::uint32_t most;
};

absl::Status Check(const Field& field) {
  if (field.value >= field.least && field.value <= field.most) return absl::OkStatus();
  return InvalidField(field.name,
                      absl::StrCat(field.value, ", expected ", field.least, " to ", field.most));
}

bool Grows(const SyntheticJob& job) {
  return !IsFlat(job.kind) && job.kind != SyntheticKind::kPrioritised;
}

std::uint32_t MaxAmount(WorkKind kind) {
  switch (kind) {
    case WorkKind::kFma:
      return kMaxFma;
    case WorkKind::kMemory:
      return kMaxLoads;
    case WorkKind::kSpin:
      return kMaxSpinNs;
    default:
      return 0;
  }
}

absl::Status CheckWork(const Work& work) {
  WY_RETURN_IF_ERROR(Check({"work.kind", static_cast<std::uint32_t>(work.kind), 0,
                            static_cast<std::uint32_t>(WorkKind::kSpin)}));
  WY_RETURN_IF_ERROR(Check({"work.amount", work.amount, 0, MaxAmount(work.kind)}));
  WY_RETURN_IF_ERROR(Check({"work.spread_permille", work.spread_permille, 0, 1000}));
  const bool loads = work.kind == WorkKind::kMemory;
  return Check(
      {"work.memory_words", work.memory_words, loads ? 1u : 0u, loads ? kMaxMemoryWords : 0u});
}

absl::Status CheckGrowth(const Growth& growth) {
  WY_RETURN_IF_ERROR(Check({"growth.depths", growth.depths, 1, kMaxDepths}));
  for (const std::uint32_t permille : growth.child_permille) {
    WY_RETURN_IF_ERROR(Check({"growth.child_permille", permille, 0, 1000}));
  }
  WY_RETURN_IF_ERROR(Check({"growth.decline_from", growth.decline_from, 0, kMaxDepths}));
  WY_RETURN_IF_ERROR(Check({"growth.decline_permille", growth.decline_permille, 0, 1000}));
  return Check({"growth.type_change_permille", growth.type_change_permille, 0, 1000});
}

/// Memory that elements of kMemory read. It is written first, because the system maps pages that
/// were never written to one shared page.
absl::Status FillMemory(device::Backend& backend, Array<std::uint32_t>& memory) {
  constexpr std::size_t kPiece = std::size_t{1} << 18;
  std::vector<std::uint32_t> piece(std::min(kPiece, memory.size()));
  for (std::size_t i = 0; i < piece.size(); ++i) piece[i] = Mix(static_cast<std::uint32_t>(i));
  for (std::size_t first = 0; first < memory.size(); first += kPiece) {
    const std::size_t count = std::min(kPiece, memory.size() - first);
    WY_RETURN_IF_ERROR(
        backend.CopyIn(memory.data() + first, piece.data(), count * sizeof(std::uint32_t)));
  }
  return absl::OkStatus();
}

}  // namespace

double MeanElements(const SyntheticJob& job) {
  if (job.kind == SyntheticKind::kPrioritised) return std::max(job.elements, job.total);
  double level = job.elements, sum = 0;
  for (std::uint32_t depth = 0; depth < (Grows(job) ? job.growth.depths : 1); ++depth) {
    sum += level;
    level *= (ChildPermille(job.growth, depth, 0) + ChildPermille(job.growth, depth, 1)) / 1000.0;
  }
  return sum * job.stages;
}

absl::Status CheckJob(const SyntheticJob& job) {
  if (job.fault != Fault::kNone) {
    return InvalidField("fault", "a service runs no load with faults");
  }
  if (job.results != nullptr || job.trace != nullptr || job.work.memory != nullptr) {
    return absl::InvalidArgumentError("results, trace, work.memory: the job gets memory itself");
  }
  const bool prioritised = job.kind == SyntheticKind::kPrioritised;
  if (prioritised && job.counting == Counting::kOff) {
    return InvalidField("uncounted", "elements with priorities of their own are counted");
  }
  WY_RETURN_IF_ERROR(Check({"kind", static_cast<std::uint32_t>(job.kind), 0,
                            static_cast<std::uint32_t>(SyntheticKind::kFlatWarps)}));
  WY_RETURN_IF_ERROR(
      Check({"stages", job.stages, 1, prioritised ? 1 : SyntheticProgram::kMaxStages}));
  WY_RETURN_IF_ERROR(Check({"elements", job.elements, 1, kMaxElements}));
  WY_RETURN_IF_ERROR(
      Check({"total", job.total, prioritised ? job.elements : 0, prioritised ? kMaxElements : 0}));
  WY_RETURN_IF_ERROR(Check({"levels", job.levels, 0, prioritised ? procedure::kLevels : 0}));
  WY_RETURN_IF_ERROR(CheckGrowth(job.growth));
  WY_RETURN_IF_ERROR(CheckWork(job.work));
  if (const double mean = MeanElements(job); mean > kMaxMeanElements) {
    return InvalidField("growth", absl::StrCat(ExactText(mean), " elements in the mean, at most ",
                                               kMaxMeanElements));
  }
  return absl::OkStatus();
}

Task<absl::StatusOr<SyntheticResult>> RunJob(device::Backend& backend, SyntheticRunner& runner,
                                             SyntheticJob job,
                                             const procedure::CancelToken& token) {
  const absl::Time begin = absl::Now();
  const bool counts = job.counting != Counting::kOff;
  Array<SyntheticResults> counters;
  if (counts) {
    const SyntheticResults none{};
    WY_CO_RETURN_IF_ERROR(counters.Reserve(backend, 1));
    WY_CO_RETURN_IF_ERROR(backend.CopyIn(counters.data(), &none, sizeof none));
  }
  Array<std::uint32_t> memory;
  if (job.work.kind == WorkKind::kMemory) {
    WY_CO_RETURN_IF_ERROR(memory.Reserve(backend, job.work.memory_words));
    WY_CO_RETURN_IF_ERROR(FillMemory(backend, memory));
  }
  job.results = counters.data();
  job.work.memory = memory.data();
  const absl::Time ready = absl::Now();
  WY_CO_ASSIGN_OR_RETURN(const procedure::StageTimes times, co_await runner.Await(job, token));
  SyntheticResult result;
  result.prepare = ready - begin;
  result.run = absl::Nanoseconds(times.All());
  if (counts) {
    SyntheticResults counted;
    WY_CO_RETURN_IF_ERROR(backend.CopyOut(&counted, counters.data(), sizeof counted));
    const SyntheticTotals totals = TotalOf(counted);
    result.executed = totals.executed;
    result.checksum = totals.checksum;
  }
  co_return result;
}

}  // namespace warpyard::synthetic
