// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/log/log_line.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "server/errors/text.h"

namespace warpyard::server {
namespace {

/// Appends a text as a JSON string. Control characters would end the line or steer a terminal.
void AppendText(absl::string_view value, std::string* out) {
  *out += '"';
  for (const char c : CleanText(value, LogLine::kMostValueBytes)) {
    if (c == '"' || c == '\\') {
      *out += {'\\', c};
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      absl::StrAppendFormat(out, "\\u%04x", static_cast<unsigned>(c));
    } else {
      *out += c;
    }
  }
  *out += '"';
}

void AppendMilliseconds(absl::Duration duration, std::string* out) {
  absl::StrAppendFormat(out, "%.3f", absl::ToDoubleMilliseconds(duration));
}

}  // namespace

absl::string_view NameOf(LogLevel level) {
  switch (level) {
    case LogLevel::kOff:
      return "off";
    case LogLevel::kError:
      return "error";
    case LogLevel::kWarning:
      return "warning";
    case LogLevel::kInfo:
      return "info";
    case LogLevel::kDebug:
      break;
  }
  return "debug";
}

LogLine::LogLine(absl::Time time, LogLevel level, absl::string_view event) {
  text_.reserve(512);
  absl::StrAppend(&text_, "{\"time\":\"",
                  absl::FormatTime("%Y-%m-%d%ET%H:%M:%E6SZ", time, absl::UTCTimeZone()), "\"");
  Add("level", NameOf(level));
  Add("event", event);
}

LogLine& LogLine::Add(absl::string_view name, absl::string_view value) {
  Name(name);
  AppendText(value, &text_);
  return *this;
}

LogLine& LogLine::Add(absl::string_view name, std::uint64_t number) {
  Name(name);
  absl::StrAppend(&text_, number);
  return *this;
}

LogLine& LogLine::Add(absl::string_view name, absl::Duration duration) {
  Name(name);
  AppendMilliseconds(duration, &text_);
  return *this;
}

LogLine& LogLine::Add(absl::string_view name, const PhaseTimes& phases) {
  Name(name);
  char separator = '{';
  for (const PhaseTime& phase : phases) {
    text_ += std::exchange(separator, ',');
    AppendText({phase.phase.data(), phase.phase.size()}, &text_);
    text_ += ':';
    AppendMilliseconds(phase.duration, &text_);
  }
  text_ += separator == '{' ? "{}" : "}";
  return *this;
}

std::string LogLine::Take() {
  text_ += "}\n";
  return std::move(text_);
}

void LogLine::Name(absl::string_view name) { absl::StrAppend(&text_, ",\"", name, "\":"); }

}  // namespace warpyard::server
