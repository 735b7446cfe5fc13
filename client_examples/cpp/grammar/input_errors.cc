// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/cpp/grammar/input_errors.h"

#include <cstddef>
#include <optional>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"

namespace warpyard::cli {
namespace {

/// Takes "12]" from the front of a text.
std::optional<std::size_t> TakePosition(absl::string_view& text) {
  const std::size_t end = text.find(']');
  std::size_t position = 0;
  if (end == absl::string_view::npos || !absl::SimpleAtoi(text.substr(0, end), &position)) {
    return std::nullopt;
  }
  text.remove_prefix(end + 1);
  return position;
}

/// Takes "12].polygon: " of a field below `parcels`. Returns where the file has it, or nothing.
std::string PlaceOfParcel(absl::string_view& text, const city_io::ParcelFile& parcels) {
  const std::optional<std::size_t> parcel = TakePosition(text);
  if (!parcel || *parcel >= parcels.parcels.size()) return "";
  const std::string feature = PlaceOf(parcels, *parcel);
  if (absl::ConsumePrefix(&text, ".height: ")) return feature + ".properties.height";
  if (absl::ConsumePrefix(&text, ".ground: ")) return feature + ".properties.ground";
  if (absl::ConsumePrefix(&text, ".polygon: ")) return feature + ".geometry";
  return "";
}

/// Takes "3].values[12]: " of a field below `values`. Returns the flag, or where the file has it,
/// or nothing.
std::string PlaceOfValue(absl::string_view& text, const DeriveArguments& arguments,
                         const city_io::ParcelFile& parcels) {
  const std::optional<std::size_t> column = TakePosition(text);
  const auto columns = static_cast<std::size_t>(arguments.request.values_size());
  if (!column || *column >= columns) return "";
  const std::string& name = arguments.request.values(static_cast<int>(*column)).attribute();
  const bool is_flag = IsSet(arguments, name);
  if (is_flag && absl::ConsumePrefix(&text, ".attribute: ")) return "--attr " + name;
  if (!absl::ConsumePrefix(&text, ".values[")) return "";
  const std::optional<std::size_t> parcel = TakePosition(text);
  if (!parcel || !absl::ConsumePrefix(&text, ": ")) return "";
  if (is_flag) return "--attr " + name;
  if (*parcel >= parcels.parcels.size()) return "";
  return absl::StrCat(PlaceOf(parcels, *parcel), ".properties.", name);
}

}  // namespace

absl::Status InInputs(const absl::Status& error, const DeriveArguments& arguments,
                      const city_io::ParcelFile& parcels) {
  absl::string_view rest = error.message();
  std::string place;
  if (absl::ConsumePrefix(&rest, "parcels[")) {
    place = PlaceOfParcel(rest, parcels);
  } else if (absl::ConsumePrefix(&rest, "values[")) {
    place = PlaceOfValue(rest, arguments, parcels);
  }
  if (place.empty()) return error;
  if (!absl::StartsWith(place, "--")) place = absl::StrCat(arguments.parcels_file, ": ", place);
  // The message of the service ends with its details, which name the field again.
  const absl::string_view named = error.message().substr(0, error.message().size() - rest.size());
  const std::string detail = absl::StrCat(", field ", absl::StripSuffix(named, ": "));
  return absl::Status(error.code(),
                      absl::StrCat(place, ": ", absl::StrReplaceAll(rest, {{detail, ""}})));
}

}  // namespace warpyard::cli
