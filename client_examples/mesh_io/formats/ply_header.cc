// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/mesh_io/formats/ply_header.h"

#include <algorithm>
#include <array>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "client_examples/mesh_io/text.h"

namespace warpyard::mesh_io {
namespace {

struct ScalarName {
  absl::string_view name;
  PlyScalar scalar;
};

constexpr std::array<ScalarName, 16> kScalarNames = {{
    {"char", PlyScalar::kInt8},
    {"int8", PlyScalar::kInt8},
    {"uchar", PlyScalar::kUint8},
    {"uint8", PlyScalar::kUint8},
    {"short", PlyScalar::kInt16},
    {"int16", PlyScalar::kInt16},
    {"ushort", PlyScalar::kUint16},
    {"uint16", PlyScalar::kUint16},
    {"int", PlyScalar::kInt32},
    {"int32", PlyScalar::kInt32},
    {"uint", PlyScalar::kUint32},
    {"uint32", PlyScalar::kUint32},
    {"float", PlyScalar::kFloat32},
    {"float32", PlyScalar::kFloat32},
    {"double", PlyScalar::kFloat64},
    {"float64", PlyScalar::kFloat64},
}};

absl::StatusOr<PlyScalar> ParseScalar(absl::string_view name) {
  for (const ScalarName& known : kScalarNames) {
    if (known.name == name) return known.scalar;
  }
  return absl::InvalidArgumentError(absl::StrCat(Quoted(name), " is not a type"));
}

absl::Status ParseFormat(absl::string_view line, PlyHeader& header) {
  const absl::string_view encoding = TakeToken(line);
  const absl::string_view version = TakeToken(line);
  if (encoding == "ascii") {
    header.encoding = PlyEncoding::kAscii;
  } else if (encoding == "binary_little_endian") {
    header.encoding = PlyEncoding::kLittleEndian;
  } else if (encoding == "binary_big_endian") {
    header.encoding = PlyEncoding::kBigEndian;
  } else {
    return absl::InvalidArgumentError(absl::StrCat("unknown format ", Quoted(encoding)));
  }
  if (version != "1.0") {
    return absl::InvalidArgumentError(absl::StrCat("unknown version ", Quoted(version)));
  }
  return absl::OkStatus();
}

absl::Status ParseElement(absl::string_view line, PlyHeader& header) {
  PlyElement element;
  element.name = std::string(TakeToken(line));
  const absl::string_view count = TakeToken(line);
  if (element.name.empty() || !absl::SimpleAtoi(count, &element.count)) {
    return absl::InvalidArgumentError("expected: element NAME COUNT");
  }
  for (const PlyElement& other : header.elements) {
    if (other.name == element.name) {
      return absl::InvalidArgumentError(absl::StrCat("second element ", Quoted(element.name)));
    }
  }
  header.elements.push_back(std::move(element));
  return absl::OkStatus();
}

absl::Status ParseProperty(absl::string_view line, PlyHeader& header) {
  if (header.elements.empty()) return absl::InvalidArgumentError("property before any element");
  PlyProperty property;
  absl::string_view type_name = TakeToken(line);
  if (type_name == "list") {
    const absl::StatusOr<PlyScalar> length = ParseScalar(TakeToken(line));
    if (!length.ok()) return length.status();
    property.length_type = *length;
    type_name = TakeToken(line);
  }
  const absl::StatusOr<PlyScalar> type = ParseScalar(type_name);
  if (!type.ok()) return type.status();
  property.type = *type;
  property.name = std::string(TakeToken(line));
  if (property.name.empty()) return absl::InvalidArgumentError("property without a name");
  std::vector<PlyProperty>& properties = header.elements.back().properties;
  if (std::any_of(properties.begin(), properties.end(),
                  [&](const PlyProperty& other) { return other.name == property.name; })) {
    return absl::InvalidArgumentError(absl::StrCat("second property ", Quoted(property.name)));
  }
  properties.push_back(std::move(property));
  return absl::OkStatus();
}

}  // namespace

std::size_t PlyScalarBytes(PlyScalar scalar) {
  switch (scalar) {
    case PlyScalar::kInt8:
    case PlyScalar::kUint8:
      return 1;
    case PlyScalar::kInt16:
    case PlyScalar::kUint16:
      return 2;
    case PlyScalar::kInt32:
    case PlyScalar::kUint32:
    case PlyScalar::kFloat32:
      return 4;
    case PlyScalar::kFloat64:
      return 8;
  }
  return 0;
}

absl::StatusOr<PlyHeader> ParsePlyHeader(absl::string_view contents) {
  // Far above any real header. The limit bounds the checks for duplicates, whose time is quadratic.
  constexpr std::size_t kMaxLines = 10'000;
  PlyHeader header;
  bool format_seen = false;
  absl::string_view rest = contents;
  while (!rest.empty() && header.lines < kMaxLines) {
    absl::string_view line = TakeLine(rest);
    ++header.lines;
    const absl::string_view keyword = TakeToken(line);
    absl::Status status;
    if (header.lines == 1) {
      if (keyword != "ply") status = absl::InvalidArgumentError("a PLY file begins with \"ply\"");
    } else if (keyword == "format") {
      format_seen = true;
      status = ParseFormat(line, header);
    } else if (keyword == "element") {
      status = ParseElement(line, header);
    } else if (keyword == "property") {
      status = ParseProperty(line, header);
    } else if (keyword == "end_header") {
      header.bytes = contents.size() - rest.size();
      if (format_seen) return header;
      status = absl::InvalidArgumentError("the header has no format line");
    } else if (!keyword.empty() && keyword != "comment" && keyword != "obj_info") {
      status = absl::InvalidArgumentError(absl::StrCat("unknown keyword ", Quoted(keyword)));
    }
    if (!status.ok()) {
      return absl::InvalidArgumentError(
          absl::StrCat("line ", header.lines, ": ", status.message()));
    }
  }
  return absl::InvalidArgumentError(
      absl::StrCat("line ", header.lines, ": the header does not end (no \"end_header\")"));
}

}  // namespace warpyard::mesh_io
