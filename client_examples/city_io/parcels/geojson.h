// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Reads the parcels of a city from GeoJSON (RFC 7946).
#ifndef WARPYARD_CLIENT_EXAMPLES_CITY_IO_PARCELS_GEOJSON_H_
#define WARPYARD_CLIENT_EXAMPLES_CITY_IO_PARCELS_GEOJSON_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "client_examples/city_io/parcels/projection.h"

namespace warpyard::city_io {

enum class MapUnit : std::uint8_t {
  kByFile,  ///< what the member crs says, or else what the numbers look like
  kDegrees,
  kMetres,
};

struct ParcelOptions {
  MapUnit unit = MapUnit::kByFile;
  /// Of features without the property `height`.
  std::optional<double> height;
};

/// @shape corners: 3 to 4,096, without the first one at the end again; feature: position in the
/// file
struct MapParcel {
  std::uint64_t id = 0;
  std::size_t feature = 0;
  std::vector<LocalPoint> corners;
  double ground = 0;
  double height = 0;
};

struct ParcelFile {
  std::vector<MapParcel> parcels;
  bool is_one_feature = false;  ///< and no collection
  /// Other properties that are numbers in some feature, or texts of numbers, as many programs write
  /// them. @shape NaN where a feature has none; one value for each parcel
  std::map<std::string, std::vector<float>> numbers;
  /// Other properties that are something else in some feature: the first such feature and its
  /// value, as "features[3].properties.floors: \"many\", expected a number". A property that is
  /// null has no value.
  std::map<std::string, std::string> others;
  Projection projection{{0, 0}, false};  ///< around the middle of all parcels
};

/// Where the file has the feature of a parcel: "features[3]".
std::string PlaceOf(const ParcelFile& file, std::size_t parcel);

/// Reads a FeatureCollection, or a Feature, of Polygon and MultiPolygon; each polygon is a parcel.
/// Only outer rings count: parcels have no holes. The property `height` is the height of a
/// parcel, and `ground` where it begins (0 where there is none). Each may be a text of a number. A
/// whole number as the feature's id
/// is the parcel's; of any other id it is a hash, and without one it is the position of the
/// feature. Further polygons of a feature get ids from its own.
/// @errors INVALID_ARGUMENT with the feature and the field, as "features[3].properties.height: ..."
absl::StatusOr<ParcelFile> ParseParcels(absl::string_view text, const ParcelOptions& options);

}  // namespace warpyard::city_io

#endif  // WARPYARD_CLIENT_EXAMPLES_CITY_IO_PARCELS_GEOJSON_H_
