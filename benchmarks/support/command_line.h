// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Command lines of the collision benchmarks: words, and options with values.
#ifndef WARPYARD_BENCHMARKS_SUPPORT_COMMAND_LINE_H_
#define WARPYARD_BENCHMARKS_SUPPORT_COMMAND_LINE_H_

#include <cstdint>
#include <iostream>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"

namespace warpyard::collision_bench {

/// Removes folders from FILE or from NAME=FILE,FILE, because folders of a machine are not part of a
/// recorded command.
inline std::string WithoutFolders(const std::string& word) {
  const std::pair<std::string, std::string> parts = absl::StrSplit(word, absl::MaxSplits('=', 1));
  // A '=' behind a folder belongs to what follows the file.
  const bool named = word.find('=') != std::string::npos && word.find('=') < word.find('/');
  std::vector<std::string> files = absl::StrSplit(named ? parts.second : word, ',');
  for (std::string& file : files) file = file.substr(file.find_last_of('/') + 1);
  return absl::StrCat(named ? parts.first + "=" : "", absl::StrJoin(files, ","));
}

/// Reads a command line into words and options, and appends the recorded part to `command`:
/// everything except the machine and the commit. Returns false for an unknown option or one without
/// a value.
/// @shape options: all options, with their defaults
inline bool ReadCommandLine(int argc, char** argv, std::vector<std::string>& words,
                            std::map<std::string, std::string>& options, std::string& command) {
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word.rfind("--", 0) != 0) {
      words.push_back(word);
      absl::StrAppend(&command, " ", WithoutFolders(word));
      continue;
    }
    const auto option = options.find(word.substr(2));
    if (option == options.end() || i + 1 == argc) return false;
    option->second = argv[++i];
    if (option->first != "machine" && option->first != "commit") {
      absl::StrAppend(&command, " ", word, " ", option->second);
    }
  }
  return true;
}

/// Reads numbers with commas between them, each at least 1. Returns false for anything else.
template <class Count>
bool ReadCounts(const std::string& text, std::vector<Count>& counts) {
  for (const absl::string_view word : absl::StrSplit(text, ',')) {
    std::uint32_t count = 0;
    if (!absl::SimpleAtoi(word, &count) || count == 0) return false;
    counts.push_back(count);
  }
  return true;
}

/// The body of a benchmark's main: returns Bench(arguments).Run(), or prints the usage and returns
/// 2.
/// @shape Arguments: has Parse, which returns false for a wrong command line
template <class Bench, class Arguments>
int RunBench(int argc, char** argv, const char* usage) {
  Arguments arguments;
  if (!Parse(argc, argv, arguments)) {
    std::cerr << usage;
    return 2;
  }
  Bench(arguments).Run();
  return 0;
}

}  // namespace warpyard::collision_bench

#endif  // WARPYARD_BENCHMARKS_SUPPORT_COMMAND_LINE_H_
