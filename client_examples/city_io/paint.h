// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// How materials look: grammars give them names alone.
#ifndef WARPYARD_CLIENT_EXAMPLES_CITY_IO_PAINT_H_
#define WARPYARD_CLIENT_EXAMPLES_CITY_IO_PAINT_H_

#include <array>
#include <cstdint>

#include "absl/strings/string_view.h"

namespace warpyard::city_io {

/// @shape color: red, green, blue and alpha in [0, 1], not linear (sRGB)
struct Paint {
  std::array<float, 4> color{1, 1, 1, 1};
  float roughness = 0.9F;
  float metallic = 0;
};

/// The look of a material: by a word that its name contains ("glass", "roof"), or else a quiet
/// colour that only depends on the name.
Paint PaintOf(absl::string_view material);

/// The same in the colour of an instance, unless that is kNoColor.
Paint PaintOf(absl::string_view material, std::uint32_t color);

/// A number of a colour as light adds up: glTF's factors.
float LinearOf(float value);

}  // namespace warpyard::city_io

#endif  // WARPYARD_CLIENT_EXAMPLES_CITY_IO_PAINT_H_
