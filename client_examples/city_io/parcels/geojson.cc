// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/city_io/parcels/geojson.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "client_examples/mesh_io/gltf/data/json.h"

namespace warpyard::city_io {
namespace {

using mesh_io::FindMember;
using mesh_io::Json;

constexpr std::size_t kLeastCorners = 3, kMostCorners = 4096;
/// Degrees of a city: a plan in metres of the same size would be smaller than a room.
constexpr double kMostDegrees = 2;

absl::Status Wrong(absl::string_view place, absl::string_view problem) {
  return absl::InvalidArgumentError(absl::StrCat(place, ": ", problem));
}

/// Mixes all bits of a number (the last steps of SplitMix64).
std::uint64_t Mixed(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9U;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBU;
  return x ^ (x >> 31);
}

std::uint64_t HashOf(absl::string_view text) {
  std::uint64_t hash = 0xCBF29CE484222325U;  // FNV-1a
  for (const char letter : text) {
    hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001B3U;
  }
  return hash;
}

std::uint64_t IdOf(const Json& feature, std::size_t position) {
  const Json* const id = FindMember(feature, "id");
  if (id == nullptr || id->is_null()) return position;
  if (id->is_number_unsigned()) return id->get<std::uint64_t>();
  std::uint64_t number = 0;
  if (id->is_string() && absl::SimpleAtoi(id->get<std::string>(), &number)) return number;
  return HashOf(id->is_string() ? id->get<std::string>() : id->dump());
}

/// A number, or a text that is one.
std::optional<double> NumberIn(const Json& value) {
  if (value.is_number()) return value.get<double>();
  double number = 0;
  if (!value.is_string() || !absl::SimpleAtod(value.get<std::string>(), &number)) return {};
  return std::isfinite(number) ? std::optional(number) : std::nullopt;
}

/// "\"many\", expected a number"; long values are cut.
std::string NoNumber(const Json& value) {
  constexpr std::size_t kMostShown = 40;
  std::string shown = value.dump(-1, ' ', true, Json::error_handler_t::replace);
  if (shown.size() > kMostShown) shown = shown.substr(0, kMostShown) + "...";
  return absl::StrCat(shown, ", expected a number");
}

class Reader {
 public:
  explicit Reader(const ParcelOptions& options) : options_(options) {}

  absl::StatusOr<ParcelFile> Read(const Json& file) {
    const Json* const features = FindMember(file, "features");
    const Json* const type = FindMember(file, "type");
    absl::Status status;
    if (type != nullptr && *type == "Feature") {
      file_.is_one_feature = true;
      status = AddFeature(file, "feature", 0);
    } else if (type == nullptr || *type != "FeatureCollection") {
      return Wrong("type", "expected \"FeatureCollection\" or \"Feature\"");
    } else if (features == nullptr || !features->is_array()) {
      return Wrong("features", "expected a list");
    } else {
      for (std::size_t i = 0; i < features->size() && status.ok(); ++i) {
        status = AddFeature((*features)[i], absl::StrCat("features[", i, "]"), i);
      }
    }
    if (!status.ok()) return status;
    if (file_.parcels.empty()) return Wrong("features", "no polygons");
    const absl::StatusOr<bool> is_degrees = IsDegrees(file);
    if (!is_degrees.ok()) return is_degrees.status();
    Project(*is_degrees);
    return std::move(file_);
  }

 private:
  absl::Status AddFeature(const Json& feature, const std::string& place, std::size_t position) {
    const Json* const geometry = FindMember(feature, "geometry");
    const Json* const type = geometry == nullptr ? nullptr : FindMember(*geometry, "type");
    const Json* const lists = geometry == nullptr ? nullptr : FindMember(*geometry, "coordinates");
    if (type == nullptr || (*type != "Polygon" && *type != "MultiPolygon")) {
      return Wrong(absl::StrCat(place, ".geometry.type"),
                   absl::StrCat(type == nullptr ? "missing" : type->dump(),
                                ", expected \"Polygon\" or \"MultiPolygon\""));
    }
    const std::string at = absl::StrCat(place, ".geometry.coordinates");
    if (lists == nullptr || !lists->is_array()) return Wrong(at, "expected a list");
    MapParcel parcel;
    parcel.id = IdOf(feature, position);
    parcel.feature = position;
    const std::size_t first = file_.parcels.size();
    if (absl::Status read = ReadProperties(feature, place, parcel); !read.ok()) return read;
    const bool is_one = *type == "Polygon";
    const std::uint64_t id = parcel.id;
    for (std::size_t i = 0; i < (is_one ? 1 : lists->size()); ++i) {
      const std::string here = is_one ? at : absl::StrCat(at, "[", i, "]");
      if (i > 0) parcel.id = Mixed(Mixed(id) + i);
      absl::Status ring = ReadOuterRing(is_one ? *lists : (*lists)[i], here, parcel);
      if (!ring.ok()) return ring;
      file_.parcels.push_back(parcel);
    }
    AddNumbers(feature, place, first);
    return absl::OkStatus();
  }

  absl::Status ReadProperties(const Json& feature, const std::string& place,
                              MapParcel& parcel) const {
    const Json* const properties = FindMember(feature, "properties");
    const auto read = [&](const char* name, std::optional<double> otherwise, double& number) {
      const std::string at = absl::StrCat(place, ".properties.", name);
      const Json* const value = properties == nullptr ? nullptr : FindMember(*properties, name);
      if (value != nullptr && !value->is_null()) {
        otherwise = NumberIn(*value);
        if (!otherwise) return Wrong(at, NoNumber(*value));
      }
      if (!otherwise) return Wrong(at, "missing, and there is no height for such features");
      number = *otherwise;
      return absl::OkStatus();
    };
    absl::Status status = read("ground", 0, parcel.ground);
    if (status.ok()) status = read("height", options_.height, parcel.height);
    if (!status.ok() || parcel.height > 0) return status;
    return Wrong(absl::StrCat(place, ".properties.height"),
                 absl::StrCat(parcel.height, ", expected more than 0"));
  }

  static absl::Status ReadOuterRing(const Json& polygon, const std::string& place,
                                    MapParcel& parcel) {
    const std::string at = absl::StrCat(place, "[0]");
    if (!polygon.is_array() || polygon.empty() || !polygon[0].is_array()) {
      return Wrong(at, "expected a ring, a list of positions");
    }
    parcel.corners.clear();
    for (std::size_t i = 0; i < polygon[0].size(); ++i) {
      const Json& corner = polygon[0][i];
      if (!corner.is_array() || corner.size() < 2 || !corner[0].is_number() ||
          !corner[1].is_number()) {
        return Wrong(absl::StrCat(at, "[", i, "]"), "expected two numbers");
      }
      parcel.corners.push_back({corner[0].get<double>(), corner[1].get<double>()});
    }
    if (parcel.corners.size() > 1 && parcel.corners.front() == parcel.corners.back()) {
      parcel.corners.pop_back();
    }
    const std::size_t corners = parcel.corners.size();
    if (corners >= kLeastCorners && corners <= kMostCorners) return absl::OkStatus();
    return Wrong(at,
                 absl::StrCat(corners, " corners, expected ", kLeastCorners, " to ", kMostCorners));
  }

  /// Notes the other properties of a feature for its parcels. @shape first: of them
  void AddNumbers(const Json& feature, const std::string& place, std::size_t first) {
    constexpr float kNone = std::numeric_limits<float>::quiet_NaN();
    if (const Json* const properties = FindMember(feature, "properties");
        properties != nullptr && properties->is_object()) {
      for (const auto& [name, value] : properties->items()) {
        if (value.is_null() || name == "height" || name == "ground") continue;
        const std::optional<double> number = NumberIn(value);
        if (!number) {
          if (file_.others.count(name) > 0) continue;
          file_.others[name] = absl::StrCat(place, ".properties.", name, ": ", NoNumber(value));
          continue;
        }
        std::vector<float>& column = file_.numbers[name];
        column.resize(first, kNone);
        column.resize(file_.parcels.size(), static_cast<float>(*number));
      }
    }
    for (auto& [name, column] : file_.numbers) column.resize(file_.parcels.size(), kNone);
  }

  /// The least and the largest coordinates.
  std::pair<MapPoint, MapPoint> Box() const {
    MapPoint least = file_.parcels[0].corners[0], most = least;
    for (const MapParcel& parcel : file_.parcels) {
      for (const MapPoint& corner : parcel.corners) {
        for (std::size_t axis = 0; axis < 2; ++axis) {
          least[axis] = std::min(least[axis], corner[axis]);
          most[axis] = std::max(most[axis], corner[axis]);
        }
      }
    }
    return {least, most};
  }

  absl::StatusOr<bool> IsDegrees(const Json& file) {
    if (options_.unit != MapUnit::kByFile) return options_.unit == MapUnit::kDegrees;
    if (const Json* const crs = FindMember(file, "crs"); crs != nullptr && !crs->is_null()) {
      const std::string name = crs->dump();
      return absl::StrContains(name, "CRS84") || absl::StrContains(name, "EPSG::4326") ||
             absl::StrContains(name, "EPSG:4326");
    }
    const auto [least, most] = Box();
    if (least[0] < -180 || most[0] > 180 || least[1] < -90 || most[1] > 90) return false;
    if (most[0] - least[0] <= kMostDegrees && most[1] - least[1] <= kMostDegrees) return true;
    return absl::InvalidArgumentError(
        "the coordinates could be degrees or metres: say which (--degrees or --metres)");
  }

  void Project(bool is_degrees) {
    if (is_degrees) {
      const double first = file_.parcels[0].corners[0][0];
      for (MapParcel& parcel : file_.parcels) {
        for (MapPoint& corner : parcel.corners) corner[0] = NearestLongitude(corner[0], first);
      }
    }
    const auto [least, most] = Box();
    file_.projection = Projection({(least[0] + most[0]) / 2, (least[1] + most[1]) / 2}, is_degrees);
    for (MapParcel& parcel : file_.parcels) {
      for (MapPoint& corner : parcel.corners) corner = file_.projection.Project(corner);
    }
  }

  const ParcelOptions& options_;
  ParcelFile file_;
};

}  // namespace

std::string PlaceOf(const ParcelFile& file, std::size_t parcel) {
  if (file.is_one_feature) return "feature";
  return absl::StrCat("features[", file.parcels[parcel].feature, "]");
}

absl::StatusOr<ParcelFile> ParseParcels(absl::string_view text, const ParcelOptions& options) {
  const absl::StatusOr<Json> file = mesh_io::ParseJson(text);
  if (!file.ok()) return file.status();
  return Reader(options).Read(*file);
}

}  // namespace warpyard::city_io
