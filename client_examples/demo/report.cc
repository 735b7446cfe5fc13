// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/demo/report.h"

#include <algorithm>
#include <cstddef>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace warpyard::demo {
namespace {

// Columns: step, candidates, collisions, earliest time, the phases, round trip.
constexpr char kCountColumns[] = "%5s %15s %12s %12s";

std::string FormatRow(const std::string& name, const StepSummary& step) {
  const std::string earliest =
      step.earliest_time ? absl::StrFormat("%.6g", *step.earliest_time) : "-";
  std::string row = absl::StrFormat(kCountColumns, name, WithThousands(step.candidates),
                                    WithThousands(step.collisions), earliest);
  for (const double ms : step.phase_ms) absl::StrAppendFormat(&row, " %9.1f", ms);
  absl::StrAppendFormat(&row, " %11.1f\n", step.round_trip_ms);
  return row;
}

StepSummary Total(const std::vector<StepSummary>& steps) {
  StepSummary total;
  for (const StepSummary& step : steps) {
    total.candidates += step.candidates;
    total.collisions += step.collisions;
    total.capped_pairs += step.capped_pairs;
    if (step.earliest_time) {
      total.earliest_time =
          std::min(total.earliest_time.value_or(*step.earliest_time), *step.earliest_time);
    }
    for (std::size_t i = 0; i < kPhases.size(); ++i) total.phase_ms[i] += step.phase_ms[i];
    total.round_trip_ms += step.round_trip_ms;
  }
  return total;
}

}  // namespace

std::string WithThousands(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, 1, ',');
  return digits;
}

std::string FormatTable(const std::vector<StepSummary>& steps) {
  std::string table = absl::StrFormat("%47s %71s\n", "",
                                      "milliseconds on the server, by phase; round trip seen here");
  absl::StrAppendFormat(&table, kCountColumns, "step", "candidate pairs", "collisions", "earliest");
  for (const char* phase : kPhases) absl::StrAppendFormat(&table, " %9s", phase);
  absl::StrAppendFormat(&table, " %11s\n", "round trip");
  for (std::size_t i = 0; i < steps.size(); ++i) {
    table += FormatRow(std::to_string(i + 1), steps[i]);
  }
  const StepSummary total = Total(steps);
  table += FormatRow("total", total);
  if (total.capped_pairs > 0) {
    absl::StrAppend(&table, WithThousands(total.capped_pairs),
                    " pairs reached the limit of intervals and count as collisions\n");
  }
  return table;
}

void Progress::Show(int done) {
  if (!is_terminal_) {
    if (done > 0) std::fprintf(out_, "step %d of %d\n", done, steps_);
  } else {
    constexpr int kWidth = 40;
    const auto filled = static_cast<std::size_t>(std::int64_t{kWidth} * done / steps_);
    const std::string bar = std::string(filled, '#') + std::string(kWidth - filled, '.');
    std::fprintf(out_, "\r[%s] %d of %d steps", bar.c_str(), done, steps_);
  }
  std::fflush(out_);
}

void Progress::Clear() {
  // Returns to the start of the line and erases it.
  if (is_terminal_) std::fputs("\r\033[K", out_);
  std::fflush(out_);
}

}  // namespace warpyard::demo
