// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Flags of a command line as a table: parsing, messages and the help text all come from it, so that
// a new flag is one entry.
#ifndef WARPYARD_CLIENT_EXAMPLES_SUPPORT_COMMAND_LINE_H_
#define WARPYARD_CLIENT_EXAMPLES_SUPPORT_COMMAND_LINE_H_

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace warpyard::client_support {

struct Flag {
  std::string name;      ///< with its dashes: "--steps"
  std::string value;     ///< what the help calls the value: "N"; empty for a flag without a value
  std::string help;      ///< what the flag is for
  std::string expected;  ///< which values are right: "a number from 1 to 9"
  /// Takes the value (empty for a flag without one); returns false if it is not as expected.
  std::function<bool(const std::string& value)> set;
};

/// A flag whose value is any text that is not empty.
Flag TextFlag(std::string name, std::string value, std::string help, std::string& text);

/// A flag whose value is one of several words. `set` gets the number of the word.
Flag ChoiceFlag(std::string name, std::string help, const std::vector<std::string>& choices,
                std::function<void(std::size_t choice)> set);

/// A flag without a value, which sets `is_on`.
Flag Switch(std::string name, std::string help, bool& is_on);

/// The flag --server, the same for all clients.
Flag ServerFlag(std::string& server);

/// The flag --deadline in milliseconds, the same for all clients.
Flag DeadlineFlag(double& deadline_ms);

/// Whether one of the words asks for help: "--help" or "-h".
bool WantsHelp(const std::vector<std::string>& words);

/// Passes the flags among the words to the table and returns the other words in their order. A flag
/// is "--flag value" or "--flag=value"; every word that begins with "-" counts as a flag.
/// @errors INVALID_ARGUMENT: no such flag, no value, or not the value that is expected. The message
/// begins with the flag
absl::StatusOr<std::vector<std::string>> ParseFlags(const std::vector<Flag>& flags,
                                                    const std::vector<std::string>& words);

/// What a program says of itself, beside its flags.
struct ProgramTexts {
  const char* name;
  const char* help;       ///< before the flags
  const char* exit_help;  ///< after them
  int exit_usage;         ///< exit status for wrong usage
};

/// Reads a command line that has flags alone. Prints the help, or what is wrong. Returns the exit
/// status with which the program ends; nothing: it goes on.
std::optional<int> ReadFlagsAlone(const ProgramTexts& program, const std::vector<Flag>& flags,
                                  const std::vector<std::string>& words);

/// An entry for each flag, and one for --help.
std::string FlagsHelp(const std::vector<Flag>& flags);

}  // namespace warpyard::client_support

#endif  // WARPYARD_CLIENT_EXAMPLES_SUPPORT_COMMAND_LINE_H_
