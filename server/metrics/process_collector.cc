// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/metrics/process_collector.h"

#include <sys/resource.h>
#include <unistd.h>

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "server/metrics/family_builder.h"
#include "server/metrics/metric_names.h"

namespace warpyard::server {
namespace {

using prometheus::MetricType;
using Families = std::vector<prometheus::MetricFamily>;

std::string ReadFile(const char* path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Fields of /proc/self/stat after the name in parentheses, which may have spaces; see proc(5),
/// whose numbers are three more.
enum Field : std::size_t {
  kUserTicks = 11,
  kSystemTicks = 12,
  kThreadCount = 17,
  kStartTicks = 19,
  kVirtualBytes = 20,
  kResidentPages = 21
};

std::vector<double> ReadFields() {
  const std::string text = ReadFile("/proc/self/stat");
  std::vector<double> fields;
  const std::size_t name_end = text.rfind(") ");
  if (name_end == std::string::npos) return fields;
  for (const auto part : absl::StrSplit(text.substr(name_end + 2), ' ')) {
    double value = 0;  // the state is a letter
    (void)absl::SimpleAtod(part, &value);
    fields.push_back(value);
  }
  return fields;
}

/// When the system started, in seconds since 1970.
std::optional<double> BootTime() {
  for (const auto line : absl::StrSplit(ReadFile("/proc/stat"), '\n')) {
    double seconds = 0;
    if (line.substr(0, 6) == "btime " && absl::SimpleAtod(line.substr(6), &seconds)) return seconds;
  }
  return std::nullopt;
}

void Add(const MetricName& metric, MetricType type, double value, Families& out) {
  out.push_back(FamilyBuilder(metric, type).Add(value).Build());
}

void AddStat(Families& out) {
  const std::vector<double> fields = ReadFields();
  if (fields.size() <= kResidentPages) return;
  const auto ticks = static_cast<double>(sysconf(_SC_CLK_TCK));
  Add(kProcessCpu, MetricType::Counter, (fields[kUserTicks] + fields[kSystemTicks]) / ticks, out);
  Add(kProcessThreads, MetricType::Gauge, fields[kThreadCount], out);
  Add(kProcessVirtual, MetricType::Gauge, fields[kVirtualBytes], out);
  Add(kProcessResident, MetricType::Gauge,
      fields[kResidentPages] * static_cast<double>(sysconf(_SC_PAGESIZE)), out);
  if (const std::optional<double> boot = BootTime()) {
    Add(kProcessStart, MetricType::Gauge, *boot + fields[kStartTicks] / ticks, out);
  }
}

void AddFiles(Families& out) {
  std::error_code error;
  std::size_t open = 0;
  for (std::filesystem::directory_iterator entry("/proc/self/fd", error), end;
       !error && entry != end; entry.increment(error)) {
    ++open;
  }
  // One of them is that of the directory.
  if (!error && open > 0) {
    Add(kProcessOpenFiles, MetricType::Gauge, static_cast<double>(open - 1), out);
  }
  rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
    Add(kProcessMaxFiles, MetricType::Gauge, static_cast<double>(limit.rlim_cur), out);
  }
}

}  // namespace

Families ProcessCollector::Collect() const {
  Families families;
  AddStat(families);
  AddFiles(families);
  return families;
}

}  // namespace warpyard::server
