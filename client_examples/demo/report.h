// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The output of warpyard-demo: the progress of the steps and a table of their results.
#ifndef WARPYARD_CLIENT_EXAMPLES_DEMO_REPORT_H_
#define WARPYARD_CLIENT_EXAMPLES_DEMO_REPORT_H_

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "client_examples/demo/step_stream.h"

namespace warpyard::demo {

/// "1234567" as "1,234,567".
std::string WithThousands(std::uint64_t number);

/// A line for each step, and one with the totals (the least of the earliest times). If pairs were
/// reported because they reached the limit of work, a line below gives their number.
std::string FormatTable(const std::vector<StepSummary>& steps);

/// Shows on a stream which step is running: a progress bar on a terminal, else a line for each
/// step.
class Progress {
 public:
  Progress(std::FILE* out, bool is_terminal, int steps)
      : out_(out), is_terminal_(is_terminal), steps_(steps) {}

  void Show(int done);
  /// Removes the bar.
  void Clear();

 private:
  std::FILE* out_;
  bool is_terminal_;
  int steps_;
};

}  // namespace warpyard::demo

#endif  // WARPYARD_CLIENT_EXAMPLES_DEMO_REPORT_H_
