// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Where the faces of boxes and roofs are.
#ifndef WARPYARD_CORE_WORKLOAD_GRAMMAR_DERIVE_ROOF_H_
#define WARPYARD_CORE_WORKLOAD_GRAMMAR_DERIVE_ROOF_H_

#include <cmath>
#include <cstdint>

#include "core/base/macros.h"
#include "core/workload/grammar/derive/transform.h"

namespace warpyard::grammar {

/// Makes the scope one of its faces: x along the face, y up, z to the outside, without thickness.
WY_DEVICE_CALL WY_HD inline void PlaceFace(Symbol& symbol, Face face) {
  constexpr float kHalf = 0.70710678f;
  const Vector3f size = symbol.scope.size;
  const bool is_side = face == Face::kRight || face == Face::kLeft;
  const bool is_level = face == Face::kTop || face == Face::kBottom;
  if (face != Face::kLeft && face != Face::kBottom) {
    Translate(symbol, {face == Face::kFront || face == Face::kRight ? size.x : 0,
                       face == Face::kTop ? size.y : 0, face == Face::kFront ? 0 : size.z});
  }
  if (face != Face::kBack) {
    Rotation turn{0, 0, 0, kHalf};
    if (face == Face::kFront) turn = {0, 1, 0, 0};
    if (is_side) turn.y = face == Face::kRight ? kHalf : -kHalf;
    if (is_level) turn.x = face == Face::kBottom ? kHalf : -kHalf;
    TurnAxes(symbol, turn);
  }
  symbol.scope.size = {is_side ? size.z : size.x, is_level ? size.z : size.y, 0};
  symbol.face = static_cast<std::uint8_t>(face);
}

/// Symbols of a part of a roof: rectangular planes, triangular gables, and right triangles of hips.
WY_HD constexpr std::uint32_t RoofSymbols(RoofKind kind, std::uint16_t part) {
  const bool hip = kind == RoofKind::kHip, pyramid = kind == RoofKind::kPyramid;
  if (part == kHipPart) return hip || pyramid ? 8 : 0;
  if (part == kGablePart) return hip || pyramid ? 0 : 2;
  return pyramid ? 0 : kind == RoofKind::kShed ? 1 : 2;
}

/// The sides of a roof are the sides of a box, of which it leaves the walls' planes behind.
/// @shape run: horizontal, from the side to the ridge; rise: of the ridge
struct RoofSide {
  Face face;
  float length;  ///< of the side
  float run;
  float rise;
};

/// Leans the face inwards about its lower edge, and makes it as long as the slope.
WY_DEVICE_CALL WY_HD inline void Lean(Symbol& symbol, const RoofSide& side) {
  const float slope = std::sqrt(side.run * side.run + side.rise * side.rise);
  // The y axis leans from the vertical towards the ridge. The cosine of the angle is rise / slope.
  const float cosine = slope > 0 ? side.rise / slope : 1;
  TurnAxes(symbol, {-std::sqrt((1 - cosine) / 2), 0, 0, std::sqrt((1 + cosine) / 2)});
  symbol.scope.size.y = slope;
}

/// One of the two right triangles at the ends of a side. @shape width: of the triangle
WY_HD inline void PlaceRoofEnd(Symbol& symbol, const RoofSide& side, float width, bool second) {
  PlaceFace(symbol, side.face);
  Lean(symbol, side);
  if (second) Mirror(symbol, 0);
  symbol.scope.size.x = width;
}

WY_HD inline void PlaceGable(Symbol& symbol, RoofKind kind, bool along_x, float rise,
                             std::uint32_t number) {
  const Face first = along_x ? Face::kLeft : Face::kFront;
  const Face second = along_x ? Face::kRight : Face::kBack;
  PlaceFace(symbol, number == 0 ? first : second);
  symbol.scope.size.y = rise;
  // Both triangles of a shed rise towards its high side, which is to the left of the second one.
  if (kind == RoofKind::kShed && number == 1) Mirror(symbol, 0);
}

/// A part of a roof on top of the lower face of the scope. The ridge goes along the longer side.
WY_DEVICE_CALL WY_HD inline void PlaceRoof(Symbol& symbol, RoofKind kind, const RoofNumbers& roof,
                                           std::uint16_t part, std::uint32_t number) {
  const SineCosine angle = SineCosineOf(roof.degrees);
  const float slope = angle.sine / angle.cosine;
  const Vector3f whole = symbol.scope.size;
  const bool along_x = whole.x >= whole.z;
  if (part == kGablePart) {
    const float depth = along_x ? whole.z : whole.x;
    return PlaceGable(symbol, kind, along_x, slope * (kind == RoofKind::kShed ? depth : depth / 2),
                      number);
  }
  // Overhanging planes go on below the walls' tops.
  Translate(symbol, {-roof.overhang, -roof.overhang * slope, -roof.overhang});
  Vector3f& size = symbol.scope.size;
  size.x += 2 * roof.overhang;
  size.z += 2 * roof.overhang;
  const float length = along_x ? size.x : size.z, depth = along_x ? size.z : size.x;
  const float rise = slope * (kind == RoofKind::kShed ? depth : depth / 2);
  // Sides of planes come first, and then the two others.
  const std::uint32_t side_number = part == kPlanePart ? number : number / 2;
  const bool is_long = side_number < 2, is_first = side_number % 2 == 0;
  const bool is_front_or_back = is_long == along_x;
  const Face face = is_front_or_back ? (is_first ? Face::kFront : Face::kBack)
                                     : (is_first ? Face::kRight : Face::kLeft);
  RoofSide side{face, is_long ? length : depth, depth / 2, rise};
  if (kind == RoofKind::kShed) side.run = depth;
  if (kind == RoofKind::kPyramid && !is_long) side.run = length / 2;
  if (part == kHipPart) {
    const float width = kind == RoofKind::kPyramid ? side.length / 2 : depth / 2;
    return PlaceRoofEnd(symbol, side, width, number % 2 == 1);
  }
  PlaceFace(symbol, side.face);
  Lean(symbol, side);
  if (kind == RoofKind::kHip) {
    Translate(symbol, {depth / 2, 0, 0});
    symbol.scope.size.x = side.length - depth;
  }
}

}  // namespace warpyard::grammar

#endif  // WARPYARD_CORE_WORKLOAD_GRAMMAR_DERIVE_ROOF_H_
