// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/city_io/paint.h"

#include <cmath>
#include <cstddef>
#include <string>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "client_examples/city_io/instance.h"

namespace warpyard::city_io {
namespace {

struct KnownWord {
  const char* word;
  std::uint32_t rgb;
  float roughness = 0.9F;
  float metallic = 0;
};

// The first word that a name contains counts. derive_city.py has the same colours.
constexpr KnownWord kWords[] = {
    {"glass", 0x5B7C93, 0.15F},
    {"window", 0x5B7C93, 0.2F},
    {"water", 0x4C7A94, 0.1F},
    {"roof", 0x8C4A3A},
    {"tile", 0x9A5544},
    {"brick", 0x9C5B45},
    {"stone", 0xA9A396},
    {"concrete", 0xB3B1AB},
    {"plaster", 0xE3D9C6},
    {"wall", 0xDDD2BD},
    {"wood", 0x8A6242},
    {"door", 0x6B4630},
    {"trunk", 0x6A4E37},
    {"leaf", 0x5F8747},
    {"leaves", 0x5F8747},
    {"grass", 0x7FA35C},
    {"garden", 0x7FA35C},
    {"hedge", 0x4F7A41},
    {"road", 0x5A5B5E},
    {"asphalt", 0x5A5B5E},
    {"pavement", 0xB9B4AA},
    {"path", 0xC4B69B},
    {"metal", 0x9AA1A8, 0.4F, 0.8F},
    {"steel", 0x9AA1A8, 0.35F, 0.9F},
    {"frame", 0xF0EDE6},
    {"trim", 0xF0EDE6},
    {"fence", 0xD9CDB8},
    {"chimney", 0x7D5144},
};

std::array<float, 4> ColorOf(std::uint32_t rgb) {
  const auto channel = [rgb](unsigned shift) {
    return static_cast<float>(rgb >> shift & 0xFF) / 255;
  };
  return {channel(16), channel(8), channel(0), 1};
}

/// FNV-1a: the same on every machine.
std::uint32_t HashOf(absl::string_view name) {
  std::uint32_t hash = 2166136261U;
  for (const char letter : name) {
    hash = (hash ^ static_cast<unsigned char>(letter)) * 16777619U;
  }
  return hash;
}

}  // namespace

Paint PaintOf(absl::string_view material) {
  const std::string name = absl::AsciiStrToLower(material);
  for (const KnownWord& known : kWords) {
    if (absl::StrContains(name, known.word)) {
      return {ColorOf(known.rgb), known.roughness, known.metallic};
    }
  }
  // Light, and not very colourful, so that cities stay pleasant.
  const std::uint32_t hash = HashOf(name);
  Paint paint;
  for (std::size_t channel = 0; channel < 3; ++channel) {
    paint.color[channel] = 0.55F + 0.3F * static_cast<float>(hash >> (8 * channel) & 0xFF) / 255;
  }
  return paint;
}

Paint PaintOf(absl::string_view material, std::uint32_t color) {
  Paint paint = PaintOf(material);
  if (color == kNoColor) return paint;
  for (std::size_t channel = 0; channel < 4; ++channel) {
    paint.color[channel] = static_cast<float>(color >> (8 * channel) & 0xFF) / 255;
  }
  return paint;
}

float LinearOf(float value) {
  return value <= 0.04045F ? value / 12.92F : std::pow((value + 0.055F) / 1.055F, 2.4F);
}

}  // namespace warpyard::city_io
