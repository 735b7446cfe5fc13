// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/cpp/grammar/request.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
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

void AddAttributes(const DeriveArguments& arguments, const city_io::ParcelFile& parcels,
                   const v1::CompileGrammarResponse& grammar, v1::DeriveGrammarRequest& request) {
  // Also unknown ones, so that the service names them; the last one counts.
  std::vector<std::pair<std::string, float>> flags = arguments.attributes;
  const auto is_set = [&flags](const std::string& name) {
    return std::any_of(flags.begin(), flags.end(),
                       [&name](const auto& flag) { return flag.first == name; });
  };
  for (const v1::GrammarAttribute& attribute : grammar.attributes()) {
    const auto column = parcels.numbers.find(attribute.name());
    if (column == parcels.numbers.end() || is_set(attribute.name())) continue;
    v1::GrammarValues& values = *request.add_values();
    values.set_attribute(attribute.name());
    for (const float value : column->second) {
      values.add_values(std::isnan(value) ? attribute.value() : value);
    }
  }
  while (!flags.empty()) {
    const auto [name, value] = flags.back();
    flags.pop_back();
    const auto& known = request.values();
    if (std::any_of(known.begin(), known.end(), [name = name](const v1::GrammarValues& values) {
          return values.attribute() == name;
        })) {
      continue;
    }
    v1::GrammarValues& values = *request.add_values();
    values.set_attribute(name);
    values.add_values(value);
  }
}

std::vector<std::uint64_t> IdsOf(const v1::DeriveGrammarRequest& request) {
  std::vector<std::uint64_t> ids;
  for (const v1::GrammarParcel& parcel : request.parcels()) {
    ids.push_back(parcel.has_id() ? parcel.id() : ids.size());
  }
  return ids;
}

}  // namespace warpyard::cli
