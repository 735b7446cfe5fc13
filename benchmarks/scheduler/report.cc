// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "benchmarks/scheduler/report.h"

#include <algorithm>
#include <cstdio>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "benchmarks/support/samples.h"

namespace warpyard::bench {
namespace {

std::string Number(double value) { return absl::StrFormat("%.9g", value); }

std::string Array(const std::vector<double>& values) {
  return absl::StrCat(
      "[",
      absl::StrJoin(values, ", ",
                    [](std::string* out, double value) { absl::StrAppend(out, Number(value)); }),
      "]");
}

double Least(const std::vector<double>& values) {
  return *std::min_element(values.begin(), values.end());
}
double Largest(const std::vector<double>& values) {
  return *std::max_element(values.begin(), values.end());
}

bool IsMet(const Cell& cell, const Goal& goal) {
  const Measure* measure = cell.Find(goal.measure);
  if (measure == nullptr) return false;
  const double median = Median(measure->values);
  return goal.sense == Goal::Sense::kAtMost ? median <= goal.limit : median >= goal.limit;
}

std::string MeasureJson(const Measure& measure) {
  return absl::StrFormat(R"("%s": {"median": %s, "min": %s, "max": %s, "values": %s})",
                         measure.name, Number(Median(measure.values)),
                         Number(Least(measure.values)), Number(Largest(measure.values)),
                         Array(measure.values));
}

std::string GoalJson(const Cell& cell, const Goal& goal) {
  return absl::StrFormat(R"({"measure": "%s", "sense": "%s", "limit": %s, "met": %s})",
                         goal.measure, goal.sense == Goal::Sense::kAtMost ? "at_most" : "at_least",
                         Number(goal.limit), IsMet(cell, goal) ? "true" : "false");
}

std::string CellJson(const Cell& cell) {
  std::vector<std::string> axes, measures, goals, curves;
  for (const auto& [name, value] : cell.axes) {
    axes.push_back(absl::StrCat(Quoted(name), ": ", value));
  }
  for (const Measure& measure : cell.measures) measures.push_back(MeasureJson(measure));
  for (const Goal& goal : cell.goals) goals.push_back(GoalJson(cell, goal));
  for (const Curve& curve : cell.curves) {
    curves.push_back(absl::StrFormat("%s: {\"x\": %s, \"y\": %s}", Quoted(curve.name),
                                     Array(curve.x), Array(curve.y)));
  }
  return absl::StrFormat(
      "      {\"axes\": {%s}, \"correct\": %s,\n       \"measures\": {%s},\n       \"goals\": "
      "[%s],\n       \"curves\": {%s}}",
      absl::StrJoin(axes, ", "), cell.correct ? "true" : "false",
      absl::StrJoin(measures, ",\n                    "), absl::StrJoin(goals, ", "),
      absl::StrJoin(curves, ",\n                  "));
}

}  // namespace

std::string Quoted(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
  }
  return quoted + "\"";
}

Cell& Cell::On(const std::string& axis, const std::string& value) {
  axes.emplace_back(axis, Quoted(value));
  return *this;
}

Cell& Cell::On(const std::string& axis, double value) {
  axes.emplace_back(axis, Number(value));
  return *this;
}

void Cell::Add(const std::string& measure, double value) {
  for (Measure& known : measures) {
    if (known.name == measure) return known.values.push_back(value);
  }
  measures.push_back({measure, {value}});
}

void Cell::AtMost(const std::string& measure, double limit) {
  goals.push_back({measure, Goal::Sense::kAtMost, limit});
}

void Cell::AtLeast(const std::string& measure, double limit) {
  goals.push_back({measure, Goal::Sense::kAtLeast, limit});
}

const Measure* Cell::Find(const std::string& measure) const {
  for (const Measure& known : measures) {
    if (known.name == measure) return &known;
  }
  return nullptr;
}

void Report::BeginCase(const std::string& name) {
  std::printf("%s\n", name.c_str());
  std::fflush(stdout);
  cases_.push_back({name, {}, "", "", NowNs(), 0});
}

void Report::EndCase() {
  Case& ended = cases_.back();
  ended.seconds = MicrosecondsSince(ended.begin_ns) * 1e-6;
  std::printf("  (%.1f s)\n", ended.seconds);
  std::fflush(stdout);
}

void Report::Add(Cell cell) {
  std::string line = "  ";
  for (const auto& [name, value] : cell.axes) absl::StrAppend(&line, name, "=", value, " ");
  std::printf("%s%s\n", line.c_str(), cell.correct ? "" : " WRONG RESULT");
  for (const Measure& measure : cell.measures) {
    std::string goals;
    for (const Goal& goal : cell.goals) {
      if (goal.measure != measure.name) continue;
      absl::StrAppend(&goals,
                      goal.sense == Goal::Sense::kAtMost ? " <= " : " >= ", Number(goal.limit),
                      IsMet(cell, goal) ? " met" : " MISSED");
    }
    std::printf("    %-28s %12.4f  [%.4f, %.4f]%s\n", measure.name.c_str(), Median(measure.values),
                Least(measure.values), Largest(measure.values), goals.c_str());
  }
  std::fflush(stdout);
  all_correct_ &= cell.correct;
  cases_.back().cells.push_back(std::move(cell));
}

void Report::Fail(const absl::Status& why) {
  cases_.back().error = std::string(why.message());
  all_correct_ = false;
  std::printf("  FAILED: %s\n", why.ToString().c_str());
  std::fflush(stdout);
}

void Report::Skip(const std::string& why) {
  cases_.back().skipped = why;
  std::printf("  skipped: %s\n", why.c_str());
}

std::string Report::ToJson(const Facts& facts) const {
  std::string json = "{\n  \"benchmark\": \"bench.scheduler\",\n";
  for (const auto& [name, value] : facts) {
    absl::StrAppend(&json, "  ", Quoted(name), ": ", value, ",\n");
  }
  std::vector<std::string> cases;
  for (const Case& one : cases_) {
    std::vector<std::string> cells;
    for (const Cell& cell : one.cells) cells.push_back(CellJson(cell));
    cases.push_back(absl::StrFormat(
        "    {\"case\": %s, \"seconds\": %s, \"error\": %s, \"skipped\": %s, \"cells\": [\n%s]}",
        Quoted(one.name), Number(one.seconds), Quoted(one.error), Quoted(one.skipped),
        absl::StrJoin(cells, ",\n")));
  }
  absl::StrAppend(&json, "  \"cases\": [\n", absl::StrJoin(cases, ",\n"), "\n  ]\n}\n");
  return json;
}

}  // namespace warpyard::bench
