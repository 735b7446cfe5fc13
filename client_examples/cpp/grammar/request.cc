// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/cpp/grammar/request.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <set>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "client_examples/cpp/messages.h"
#include "client_examples/mesh_io/files.h"

namespace warpyard::cli {
namespace {

void AddLots(const Lots& lots, v1::DeriveGrammarRequest& request) {
  for (std::uint32_t row = 0; row < lots.count[1]; ++row) {
    for (std::uint32_t column = 0; column < lots.count[0]; ++column) {
      v1::GrammarParcel& parcel = *request.add_parcels();
      parcel.add_position(static_cast<float>(column) * (lots.size[0] + lots.gap));
      parcel.add_position(0);
      parcel.add_position(static_cast<float>(row) * (lots.size[2] + lots.gap));
      for (const float size : lots.size) parcel.add_size(size);
    }
  }
}

void AddParcels(const city_io::ParcelFile& file, v1::DeriveGrammarRequest& request) {
  for (const city_io::MapParcel& from : file.parcels) {
    v1::GrammarParcel& parcel = *request.add_parcels();
    parcel.set_id(from.id);
    parcel.set_ground(static_cast<float>(from.ground));
    parcel.set_height(static_cast<float>(from.height));
    for (const city_io::LocalPoint& corner : from.corners) {
      parcel.add_polygon(static_cast<float>(corner[0]));
      parcel.add_polygon(static_cast<float>(corner[1]));
    }
  }
}

}  // namespace

absl::Status ReadInputs(DeriveArguments& arguments, city_io::ParcelFile& parcels) {
  v1::DeriveGrammarRequest& request = arguments.request;
  if (!arguments.view_file.empty()) {
    absl::Status read = ReadJsonMessage(arguments.view_file, *request.mutable_view());
    if (!read.ok()) return read;
  }
  if (arguments.parcels_file.empty()) {
    AddLots(arguments.lots, request);
    return absl::OkStatus();
  }
  const absl::StatusOr<std::string> text = mesh_io::ReadFile(arguments.parcels_file);
  if (!text.ok()) return text.status();
  absl::StatusOr<city_io::ParcelFile> file = city_io::ParseParcels(*text, arguments.parcels);
  if (!file.ok()) return mesh_io::InFile(arguments.parcels_file, file.status());
  parcels = *std::move(file);
  AddParcels(parcels, request);
  return absl::OkStatus();
}

absl::Status AddAttributes(const DeriveArguments& arguments, const city_io::ParcelFile& parcels,
                           const v1::CompileGrammarResponse& grammar,
                           v1::DeriveGrammarRequest& request) {
  for (const v1::GrammarAttribute& attribute : grammar.attributes()) {
    const std::string& name = attribute.name();
    if (IsSet(arguments, name)) continue;
    if (const auto other = parcels.others.find(name); other != parcels.others.end()) {
      return mesh_io::InFile(arguments.parcels_file, absl::InvalidArgumentError(other->second));
    }
    const auto column = parcels.numbers.find(name);
    if (column == parcels.numbers.end()) continue;
    v1::GrammarValues& values = *request.add_values();
    values.set_attribute(name);
    for (const float value : column->second) {
      values.add_values(std::isnan(value) ? attribute.value() : value);
    }
  }
  // Also unknown ones, so that the service names them.
  for (const auto& [name, value] : arguments.attributes) {
    v1::GrammarValues& values = *request.add_values();
    values.set_attribute(name);
    values.add_values(value);
  }
  return absl::OkStatus();
}

std::string NoteOfProperties(const DeriveArguments& arguments, const city_io::ParcelFile& parcels,
                             const v1::CompileGrammarResponse& grammar) {
  std::set<std::string> names;
  for (const auto& [name, column] : parcels.numbers) names.insert(name);
  for (const auto& [name, problem] : parcels.others) names.insert(name);
  for (const v1::GrammarAttribute& attribute : grammar.attributes()) names.erase(attribute.name());
  if (names.empty()) return "";
  constexpr std::size_t kMostShown = 20;
  std::string list;
  std::size_t shown = 0;
  for (const std::string& name : names) {
    if (shown++ == kMostShown) break;
    absl::StrAppend(&list, list.empty() ? "" : ", ", name);
  }
  if (shown > kMostShown) absl::StrAppend(&list, " and ", names.size() - kMostShown, " more");
  return absl::StrCat(arguments.parcels_file,
                      ": properties that are no attributes of the grammar: ", list);
}

std::vector<std::uint64_t> IdsOf(const v1::DeriveGrammarRequest& request) {
  std::vector<std::uint64_t> ids;
  for (const v1::GrammarParcel& parcel : request.parcels()) {
    ids.push_back(parcel.has_id() ? parcel.id() : ids.size());
  }
  return ids;
}

}  // namespace warpyard::cli
