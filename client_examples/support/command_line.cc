// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/support/command_line.h"

#include <algorithm>
#include <iostream>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/escaping.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"

namespace warpyard::client_support {
namespace {

constexpr std::size_t kHelpColumn = 24, kHelpWidth = 88;
constexpr double kMaxDeadlineMs = 1e9;

absl::Status Wrong(absl::string_view flag, absl::string_view problem) {
  return absl::InvalidArgumentError(absl::StrCat(flag, ": ", problem));
}

std::string AnyOf(std::vector<std::string> choices) {
  const std::string last = std::move(choices.back());
  choices.pop_back();
  return choices.empty() ? last : absl::StrCat(absl::StrJoin(choices, ", "), " or ", last);
}

// The help of one flag: its name and value, and the wrapped text beside or below them.
std::string FlagHelp(const Flag& flag) {
  std::string out = absl::StrCat("  ", flag.name, flag.value.empty() ? "" : " ", flag.value);
  std::size_t column = out.size();
  const auto new_line = [&] {
    out += '\n' + std::string(kHelpColumn, ' ');
    column = kHelpColumn;
  };
  if (column + 2 > kHelpColumn) {
    new_line();
  } else {
    out.resize(kHelpColumn, ' ');
    column = kHelpColumn;
  }
  for (const absl::string_view word : absl::StrSplit(flag.help, ' ')) {
    if (column > kHelpColumn && column + 1 + word.size() > kHelpWidth) {
      new_line();
    } else if (column > kHelpColumn) {
      out += ' ';
      ++column;
    }
    absl::StrAppend(&out, word);
    column += word.size();
  }
  return out + '\n';
}

}  // namespace

Flag TextFlag(std::string name, std::string value, std::string help, std::string& text) {
  const auto set = [&text](const std::string& word) {
    text = word;
    return !word.empty();
  };
  std::string expected = value;
  return {std::move(name), std::move(value), std::move(help), std::move(expected), set};
}

Flag ChoiceFlag(std::string name, std::string help, const std::vector<std::string>& choices,
                std::function<void(std::size_t choice)> set) {
  const auto find = [choices, set = std::move(set)](const std::string& word) {
    const auto found = std::find(choices.begin(), choices.end(), word);
    if (found == choices.end()) return false;
    set(static_cast<std::size_t>(found - choices.begin()));
    return true;
  };
  return {std::move(name), absl::StrJoin(choices, "|"), std::move(help), AnyOf(choices), find};
}

Flag Switch(std::string name, std::string help, bool& is_on) {
  const auto set = [&is_on](const std::string&) { return is_on = true; };
  return {std::move(name), "", std::move(help), "", set};
}

Flag ServerFlag(std::string& server) {
  Flag flag =
      TextFlag("--server", "HOST:PORT",
               absl::StrCat("where warpyard-server listens (default ", server, ")"), server);
  flag.set = [&server](const std::string& word) {
    server = word;
    return word.find(':') != std::string::npos;
  };
  return flag;
}

Flag DeadlineFlag(double& deadline_ms) {
  const auto set = [&deadline_ms](const std::string& word) {
    return absl::SimpleAtod(word, &deadline_ms) && deadline_ms > 0 && deadline_ms <= kMaxDeadlineMs;
  };
  return {"--deadline", "MS",
          "gives up after so many milliseconds; jobs with a deadline run first, the earliest "
          "before the others (default: none)",
          absl::StrCat("milliseconds, more than 0 and at most ", kMaxDeadlineMs), set};
}

bool WantsHelp(const std::vector<std::string>& words) {
  return std::any_of(words.begin(), words.end(),
                     [](const std::string& word) { return word == "--help" || word == "-h"; });
}

absl::StatusOr<std::vector<std::string>> ParseFlags(const std::vector<Flag>& flags,
                                                    const std::vector<std::string>& words) {
  std::vector<std::string> others;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i].empty() || words[i][0] != '-') {
      others.push_back(words[i]);
      continue;
    }
    const std::size_t equals = words[i].find('=');
    const std::string name = words[i].substr(0, equals);
    const auto flag = std::find_if(flags.begin(), flags.end(),
                                   [&](const Flag& known) { return known.name == name; });
    if (flag == flags.end()) return Wrong(name, "no such flag; --help lists all of them");
    std::string value;
    if (equals != std::string::npos) {
      if (flag->value.empty()) return Wrong(name, "takes no value");
      value = words[i].substr(equals + 1);
    } else if (!flag->value.empty()) {
      // A word with two dashes is the next flag. With one it may be a negative number.
      if (i + 1 == words.size() || words[i + 1].rfind("--", 0) == 0) {
        return Wrong(name, absl::StrCat("its value is missing, expected ", flag->expected));
      }
      value = words[++i];
    }
    if (!flag->set(value)) {
      return Wrong(name,
                   absl::StrCat("\"", absl::CHexEscape(value), "\", expected ", flag->expected));
    }
  }
  return others;
}

std::string FlagsHelp(const std::vector<Flag>& flags) {
  std::string out;
  for (const Flag& flag : flags) out += FlagHelp(flag);
  return out + FlagHelp({"--help", "", "prints this text", "", {}});
}

std::optional<int> ReadFlagsAlone(const ProgramTexts& program, const std::vector<Flag>& flags,
                                  const std::vector<std::string>& words) {
  if (WantsHelp(words)) {
    std::cout << program.help << FlagsHelp(flags) << program.exit_help;
    return 0;
  }
  const auto others = ParseFlags(flags, words);
  if (others.ok() && others->empty()) return std::nullopt;
  std::cerr << program.name << ": "
            << (others.ok() ? others->front() + ": expected flags only"
                            : std::string(others.status().message()))
            << "\n";
  return program.exit_usage;
}

}  // namespace warpyard::client_support
