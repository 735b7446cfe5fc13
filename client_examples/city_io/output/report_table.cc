// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/city_io/output/report_table.h"

#include <array>
#include <charconv>
#include <cstddef>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"

namespace warpyard::city_io {
namespace {

std::string Field(const std::string& name) {
  if (name.find_first_of(",\"\r\n") == std::string::npos) return name;
  return absl::StrCat("\"", absl::StrReplaceAll(name, {{"\"", "\"\""}}), "\"");
}

/// The shortest text that gives the same number.
std::string Text(double value) {
  std::array<char, 32> text;
  const std::to_chars_result end = std::to_chars(text.begin(), text.end(), value);
  return {text.begin(), end.ptr};
}

}  // namespace

absl::Status WriteReportTable(const std::vector<std::string>& names,
                              absl::Span<const std::uint64_t> ids, absl::Span<const double> values,
                              std::ostream& out) {
  if (values.size() != names.size() * ids.size()) {
    return absl::InvalidArgumentError(absl::StrCat(values.size(), " values, expected ",
                                                   names.size(), " for each of ", ids.size(),
                                                   " parcels"));
  }
  out << "parcel,id";
  for (const std::string& name : names) out << ',' << Field(name);
  out << '\n';
  for (std::size_t parcel = 0; parcel < ids.size(); ++parcel) {
    out << parcel << ',' << ids[parcel];
    for (std::size_t i = 0; i < names.size(); ++i) {
      out << ',' << Text(values[parcel * names.size() + i]);
    }
    out << '\n';
  }
  return absl::OkStatus();
}

}  // namespace warpyard::city_io
