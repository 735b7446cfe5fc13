// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A pipe in place of stderr, and its lines as JSON objects.
#ifndef WARPYARD_TESTS_SUPPORT_LOG_PIPE_H_
#define WARPYARD_TESTS_SUPPORT_LOG_PIPE_H_

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <string>
#include <vector>

#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "core/base/macros.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"

namespace warpyard::test_support {

/// A JSON object; an expectation fails if the text is none. Not google.protobuf.Struct: the headers
/// of protobuf 3.21 lay maps out in another way under ThreadSanitizer than the library does.
inline nlohmann::json ParseJson(absl::string_view text) {
  nlohmann::json object = nlohmann::json::parse(text.begin(), text.end(), nullptr, false);
  EXPECT_TRUE(object.is_object()) << text;
  return object.is_object() ? object : nlohmann::json::object();
}

/// The text of a member; empty: there is none.
inline std::string TextOf(const nlohmann::json& line, const std::string& name) {
  const auto found = line.find(name);
  return found == line.end() || !found->is_string() ? "" : found->get<std::string>();
}

inline double NumberOf(const nlohmann::json& line, const std::string& name) {
  const auto found = line.find(name);
  return found == line.end() || !found->is_number() ? -1 : found->get<double>();
}

class LogPipe {
 public:
  LogPipe() { WY_ASSERT(pipe2(ends_.data(), O_CLOEXEC) == 0); }
  ~LogPipe() {
    for (const int end : ends_) close(end);
  }

  int fd() const { return ends_[1]; }

  /// What has been written since the last call.
  std::string Read() {
    fcntl(ends_[0], F_SETFL, O_NONBLOCK);
    std::string text;
    std::array<char, 65536> buffer;
    ssize_t count;
    while ((count = read(ends_[0], buffer.data(), buffer.size())) > 0) {
      text.append(buffer.data(), static_cast<std::size_t>(count));
    }
    return text;
  }

  std::vector<nlohmann::json> ReadLines() {
    std::vector<nlohmann::json> lines;
    const std::string text = Read();
    for (const absl::string_view line : absl::StrSplit(text, '\n', absl::SkipEmpty())) {
      lines.push_back(ParseJson(line));
    }
    return lines;
  }

 private:
  std::array<int, 2> ends_;
};

}  // namespace warpyard::test_support

#endif  // WARPYARD_TESTS_SUPPORT_LOG_PIPE_H_
