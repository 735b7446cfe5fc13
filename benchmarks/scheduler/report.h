// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Results of benchmarks: cells of named measures, printed as a table during the run and as JSON at
// the end.
#ifndef WARPYARD_BENCHMARKS_SCHEDULER_REPORT_H_
#define WARPYARD_BENCHMARKS_SCHEDULER_REPORT_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"

namespace warpyard::bench {

/// A quantity. @shape values: one for each repetition
struct Measure {
  std::string name;  ///< with its unit last: "p99_us"
  std::vector<double> values;
};

/// The target for the median of a measure.
struct Goal {
  enum class Sense { kAtMost, kAtLeast };
  std::string measure;
  Sense sense;
  double limit;
};

/// A function, for plots.
struct Curve {
  std::string name;
  std::vector<double> x, y;
};

/// One combination of axes. @shape axes: name and value, the latter a JSON literal
struct Cell {
  std::vector<std::pair<std::string, std::string>> axes;
  std::vector<Measure> measures;
  std::vector<Goal> goals;
  std::vector<Curve> curves;
  bool correct = true;  ///< whether the oracle confirms all executed elements

  Cell& On(const std::string& axis, const std::string& value);
  Cell& On(const std::string& axis, double value);
  /// Adds a value of another repetition.
  void Add(const std::string& measure, double value);
  void AtMost(const std::string& measure, double limit);
  void AtLeast(const std::string& measure, double limit);
  /// Returns null if there is no such measure.
  const Measure* Find(const std::string& measure) const;
};

/// Facts about a run for the head of the JSON. @shape name and JSON literal
using Facts = std::vector<std::pair<std::string, std::string>>;

/// A string as a JSON literal.
std::string Quoted(const std::string& text);

class Report {
 public:
  /// Later cells belong to this case.
  void BeginCase(const std::string& name);
  /// Prints the cell and keeps it.
  void Add(Cell cell);
  void EndCase();
  /// The case could not be measured.
  void Fail(const absl::Status& why);
  /// The case does not apply here.
  void Skip(const std::string& why);

  bool AllCorrect() const { return all_correct_; }
  std::string ToJson(const Facts& facts) const;

 private:
  struct Case {
    std::string name;
    std::vector<Cell> cells;
    std::string error, skipped;
    std::uint64_t begin_ns = 0;
    double seconds = 0;
  };
  std::vector<Case> cases_;
  bool all_correct_ = true;
};

}  // namespace warpyard::bench

#endif  // WARPYARD_BENCHMARKS_SCHEDULER_REPORT_H_
