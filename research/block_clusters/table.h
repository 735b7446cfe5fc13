// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Cells of the cluster benchmark, printed as JSON while they are measured.
#ifndef WARPYARD_RESEARCH_BLOCK_CLUSTERS_TABLE_H_
#define WARPYARD_RESEARCH_BLOCK_CLUSTERS_TABLE_H_

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "benchmarks/support/samples.h"

namespace warpyard::bench {

/// One combination of axes. @shape measures: name and a value of each repetition
struct ClusterCell {
  std::vector<std::pair<std::string, std::string>> axes;  ///< name and JSON literal
  std::vector<std::pair<std::string, std::vector<double>>> measures;
  bool right = true;  ///< whether every element came out exactly once, and whole

  ClusterCell& On(const std::string& axis, const std::string& word) {
    axes.emplace_back(axis, "\"" + word + "\"");
    return *this;
  }
  ClusterCell& On(const std::string& axis, std::uint32_t number) {
    axes.emplace_back(axis, std::to_string(number));
    return *this;
  }
  /// Adds a value of another repetition.
  void Add(const std::string& measure, double value) {
    for (auto& [name, values] : measures) {
      if (name != measure) continue;
      values.push_back(value);
      return;
    }
    measures.emplace_back(measure, std::vector<double>{value});
  }
};

class ClusterTable {
 public:
  /// Begins a list of cells of one kind.
  void Begin(const char* list) {
    std::printf("%s  \"%s\": [\n", first_list_ ? "" : "\n  ],\n", list);
    first_list_ = false;
    first_cell_ = true;
  }

  void Add(const ClusterCell& cell) {
    std::printf("%s    {", first_cell_ ? "" : ",\n");
    for (const auto& [name, literal] : cell.axes) {
      std::printf("\"%s\": %s, ", name.c_str(), literal.c_str());
    }
    for (const auto& [name, values] : cell.measures) {
      std::printf("\"%s\": {\"median\": %.1f, \"min\": %.1f, \"max\": %.1f}, ", name.c_str(),
                  Median(values), *std::min_element(values.begin(), values.end()),
                  *std::max_element(values.begin(), values.end()));
    }
    std::printf("\"exactly_once\": %s}", cell.right ? "true" : "false");
    std::fflush(stdout);
    first_cell_ = false;
    all_right_ &= cell.right;
  }

  void End() const { std::printf("\n  ]\n}\n"); }
  bool all_right() const { return all_right_; }

 private:
  bool first_list_ = true;
  bool first_cell_ = true;
  bool all_right_ = true;
};

/// Passes elements from an owner to a taker, in all ways. @shape processors: of the device
void MeasurePasses(ClusterTable& table, std::uint32_t processors);

/// Measures an owner's cost on its own stack. @shape processors: of the device
void MeasureOwnStacks(ClusterTable& table, std::uint32_t processors);

}  // namespace warpyard::bench

#endif  // WARPYARD_RESEARCH_BLOCK_CLUSTERS_TABLE_H_
