// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The rules of scenes/skyscraper.wyg in C++.
#ifndef WARPYARD_BENCHMARKS_GRAMMAR_BY_HAND_SKYSCRAPER_H_
#define WARPYARD_BENCHMARKS_GRAMMAR_BY_HAND_SKYSCRAPER_H_

#include <bit>
#include <cstdint>

#include "benchmarks/grammar/by_hand/rules.h"
#include "core/base/macros.h"
#include "core/workload/grammar/derive/roof.h"

namespace warpyard::grammar_by_hand {

struct Skyscraper {
  /// Blocks whose symbols other threads may execute, and calls of rules of later stages.
  enum Block : std::uint32_t {
    kToHull,
    kHullSplit,
    kToPodium,
    kToShaft,
    kPodiumFaces,
    kShaftFaces,
    kFloors,
    kFloorSplit,
    kTiles,
    kShops,
    kRoofBorder,
    kBlocks
  };
  static constexpr std::uint32_t kStages = 3;
  static constexpr const char* kFile = "skyscraper.wyg";

  /// Threads for a block: as the grammar's @threads, or by the usual number of its symbols.
  static constexpr std::uint32_t LanesOf(std::uint32_t block) {
    if (block == kToHull || block == kToPodium || block == kToShaft) return 1;
    return block == kHullSplit ? 4 : 8;
  }

  template <class ExecScope>
  WY_HD static void Start(Lane<ExecScope>& lane, Symbol& symbol) {
    if (Enter<Lot>(lane, symbol, kStartPlace)) MakeDeferred(lane, symbol, kToHull, kMass);
  }

  template <class ExecScope>
  WY_HD WY_INLINED static void Derive(Lane<ExecScope>& lane, const Frame& frame,
                                      std::uint32_t block, std::uint32_t number) {
    const Symbol& whole = frame.symbol;
    switch (block) {
      case kToHull:
        return DeriveHull(lane, whole);
      case kHullSplit:
        return DeriveHullPart(lane, whole, number);
      case kToPodium:
        return DeriveFaces<PodiumB>(lane, whole, 1, kPodiumFaces);
      case kToShaft:
        return DeriveFaces<ShaftB>(lane, whole, 9, kShaftFaces);
      case kPodiumFaces:
        return DerivePodiumFace(lane, whole, number);
      case kShaftFaces:
        return DeriveShaftFace(lane, whole, number);
      case kFloors:
        return DeriveFloor(lane, CellOf(whole, 1, 1, number, frame.count));
      case kFloorSplit:
        return DeriveFloorPart(lane, whole, number);
      case kTiles:
        return DeriveTile(lane, CellOf(whole, 0, 9, number, frame.count));
      case kShops:
        return DeriveShop(lane, CellOf(whole, 0, 1, number, frame.count));
      default:
        return DeriveRoofPart(lane, whole, number);
    }
  }

 private:
  using Lot = Rule<0, HashOf("Lot")>;
  using Hull = Rule<1, HashOf("Hull")>;
  using Podium = Rule<2, HashOf("Podium")>;
  using Shaft = Rule<3, HashOf("Shaft")>;
  using PodiumB = Rule<4, HashOf("PodiumB")>;
  using ShaftB = Rule<5, HashOf("ShaftB")>;
  using Facade = Rule<6, HashOf("Facade")>;
  using Floor = Rule<7, HashOf("Floor")>;
  using Tile = Rule<8, HashOf("Tile")>;
  using Blind = Rule<9, HashOf("Blind")>;
  using Window = Rule<10, HashOf("Window")>;
  using Pane = Rule<11, HashOf("Pane")>;
  using Balcony = Rule<12, HashOf("Balcony")>;
  using Shopfront = Rule<13, HashOf("Shopfront")>;
  using RoofTop = Rule<14, HashOf("RoofTop")>;

  static constexpr std::uint32_t kMass = 1, kBuild = 2;                     // stages
  static constexpr std::uint32_t kFloorHeight = 0, kBay = 1, kSetback = 2;  // attributes
  static constexpr std::uint16_t kBalcony = kFirstOwnMesh, kHvac = kBalcony + 1;
  enum Material : std::uint16_t {
    kNoMaterial,
    kTerrace,
    kSpandrel,
    kCorner,
    kPanel,
    kReveal,
    kPier,
    kGlass,
    kFrame,
    kParapet
  };
  static constexpr std::uint32_t kHullVolume = 0, kMassVolume = 1;
  static constexpr std::uint32_t kStartPlace = ~0u - 1;
  static constexpr std::uint32_t kTop = 4;  // number of the face

  template <class ExecScope>
  WY_HD static void DeriveHull(Lane<ExecScope>& lane, Symbol symbol) {
    if (!Enter<Hull>(lane, symbol, 0)) return;
    const float step = grammar::AttributeOf(lane.job, symbol, kFloorHeight);
    grammar::MakeSnapLines(lane, symbol, 1, step, 0);
    grammar::MakeVolume(lane, symbol, kHullVolume);
    lane.MakeFrame(symbol, {kHullSplit, 3, 0});
  }

  /// split(y) { 12 | '0.55 | ~1 }
  template <class ExecScope>
  WY_HD static void DeriveHullPart(Lane<ExecScope>& lane, const Symbol& whole,
                                   std::uint32_t number) {
    Symbol symbol = PieceOf(whole, 6, number, 3);
    const float length = whole.scope.size.y, asked = 0.55f * length;
    const float podium = length < 12 ? length : 12, rest = length - podium;
    const float shaft = asked < rest ? asked : rest;
    if (number == 0) {
      grammar::Narrow(symbol, 1, 0, podium);
      if (!Enter<Podium>(lane, symbol, 11)) return;
      grammar::MakeVolume(lane, symbol, kMassVolume);
      return MakeDeferred(lane, symbol, kToPodium, kBuild);
    }
    const float middle = podium + shaft;
    grammar::Narrow(symbol, 1, number == 1 ? podium : middle,
                    number == 1 ? middle : middle + (rest - shaft));
    const float setback = number == 1 ? 0 : grammar::AttributeOf(lane.job, symbol, kSetback);
    if (!Enter<Shaft>(lane, symbol, number == 1 ? 14 : 17)) return;
    symbol.scope.size = grammar::Product(symbol.scope.size, {1 - setback, 1, 1 - setback});
    grammar::MakeVolume(lane, symbol, kMassVolume);
    MakeDeferred(lane, symbol, kToShaft, kBuild);
  }

  template <class R, class ExecScope>
  WY_HD static void DeriveFaces(Lane<ExecScope>& lane, Symbol symbol, std::uint32_t place,
                                Block faces) {
    if (Enter<R>(lane, symbol, place)) lane.MakeFrame(symbol, {faces, kTop + 1, 0});
  }

  WY_HD static Symbol FaceOf(const Symbol& whole, std::uint32_t number) {
    Symbol face = PieceOf(whole, 0, number, kTop + 1);
    grammar::PlaceFace(face, static_cast<grammar::Face>(number));
    return face;
  }

  template <class ExecScope>
  WY_HD static void DerivePodiumFace(Lane<ExecScope>& lane, const Symbol& whole,
                                     std::uint32_t number) {
    Symbol face = FaceOf(whole, number);
    if (number == kTop) return MakeMesh(lane, face, kQuad, kTerrace, 15);
    if (!Enter<Shopfront>(lane, face, 7 + 2 * number)) return;
    lane.MakeFrame(face, {kShops, grammar::CellsOf(face.scope.size.x, 6), 0});
  }

  template <class ExecScope>
  WY_HD static void DeriveShaftFace(Lane<ExecScope>& lane, const Symbol& whole,
                                    std::uint32_t number) {
    Symbol face = FaceOf(whole, number);
    if (number == kTop) {
      if (Enter<RoofTop>(lane, face, 15)) lane.MakeFrame(face, {kRoofBorder, 5, 0});
      return;
    }
    if (!Enter<Facade>(lane, face, 7 + 2 * number)) return;
    const float height = grammar::AttributeOf(lane.job, face, kFloorHeight);
    lane.MakeFrame(face, {kFloors, grammar::CellsOf(face.scope.size.y, height), 0});
  }

  template <class ExecScope>
  WY_HD static void DeriveFloor(Lane<ExecScope>& lane, Symbol symbol) {
    if (Enter<Floor>(lane, symbol, 3)) lane.MakeFrame(symbol, {kFloorSplit, 2, 0});
  }

  template <class ExecScope>
  WY_HD static void DeriveFloorPart(Lane<ExecScope>& lane, const Symbol& whole,
                                    std::uint32_t number) {
    const Symbol part = HalfOf(whole, 1, 0.4f, 2, number);
    if (number == 0) return MakeMesh(lane, part, kBox, kSpandrel, 6);
    const float bay = grammar::AttributeOf(lane.job, part, kBay);
    lane.MakeFrame(part, {kTiles, grammar::CellsOf(part.scope.size.x, bay), 0});
  }

  template <class ExecScope>
  WY_HD static void DeriveTile(Lane<ExecScope>& lane, Symbol symbol) {
    if (!Enter<Tile>(lane, symbol, 11)) return;
    if (symbol.own.index == 0 || symbol.own.index == symbol.own.last) {
      return MakeMesh(lane, symbol, kBox, kCorner, 12);
    }
    const float percent = grammar::ChanceOf(symbol.key, 0) * 100;
    if (percent < 30) {
      if (!Enter<Blind>(lane, symbol, 20)) return;
      MakeMesh(lane, symbol, kBox, kPanel, 0);
      return MakeMesh(lane, symbol, kQuad, kReveal, 1);
    }
    if (percent < 42) {
      if (!Enter<Balcony>(lane, symbol, 28)) return;
      MakeMesh(lane, symbol, kBalcony, kNoMaterial, 0);
      return MakeMesh(lane, symbol, kQuad, kGlass, 1);
    }
    if (!Enter<Window>(lane, symbol, 30)) return;
    MakeMesh(lane, HalfOf(symbol, 0, 0.3f, 2, 0), kBox, kPier, 6);
    Symbol pane = HalfOf(symbol, 0, 0.3f, 2, 1);
    if (!Enter<Pane>(lane, pane, 8)) return;
    MakeMesh(lane, pane, kQuad, kGlass, pane.own.index % 2 == 1 ? 6 : 8);
  }

  template <class ExecScope>
  WY_HD static void DeriveShop(Lane<ExecScope>& lane, const Symbol& shop) {
    WY_ROLLED
    for (std::uint32_t number = 0; number < 5; ++number) {
      Symbol part = PieceOf(shop, 4, number, 5);
      grammar::PlaceStrip(part, 1, 0.3f, number);
      const bool edge = number < 4;
      MakeMesh(lane, part, edge ? kBox : kQuad, edge ? kFrame : kGlass, edge ? 8 : 10);
    }
  }

  template <class ExecScope>
  WY_HD static void DeriveRoofPart(Lane<ExecScope>& lane, const Symbol& whole,
                                   std::uint32_t number) {
    Symbol part = PieceOf(whole, 1, number, 5);
    grammar::PlaceStrip(part, 1, 0.6f, number);
    if (number < 4) return MakeMesh(lane, part, kBox, kParapet, 5);
    const std::uint32_t cells = grammar::CellsOf(part.scope.size.x, 5);
    WY_ROLLED
    for (std::uint32_t i = 0; i < cells; ++i) {
      const Symbol cell = CellOf(part, 0, 8, i, cells);
      if (grammar::ChanceOf(cell.key, 0) * 100 < 25) MakeMesh(lane, cell, kHvac, kNoMaterial, 16);
    }
  }
};

}  // namespace warpyard::grammar_by_hand

#endif  // WARPYARD_BENCHMARKS_GRAMMAR_BY_HAND_SKYSCRAPER_H_
