// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// What rules leave: instances, volumes, snap lines and sums of reports.
#ifndef WARPYARD_CORE_WORKLOAD_GRAMMAR_DERIVE_RESULT_H_
#define WARPYARD_CORE_WORKLOAD_GRAMMAR_DERIVE_RESULT_H_

#include <cmath>
#include <cstdint>

#include "core/base/macros.h"
#include "core/workload/grammar/derive/chance.h"
#include "core/workload/grammar/derive/lane.h"
#include "core/workload/grammar/derive/transform.h"

namespace warpyard::grammar {

/// What an instance is of.
struct Terminal {
  std::uint16_t mesh;
  std::uint16_t material;
  std::uint16_t flags;
  std::uint32_t place;  ///< in its rule's code
};

/// The terminal of an instruction of the symbol's rule. @shape at: its position
WY_HD inline Terminal TerminalOf(const DeriveJob& job, const Symbol& symbol, const Instruction& in,
                                 std::uint32_t at) {
  return {in.a, static_cast<std::uint16_t>(in.b), 0, at - job.rules[symbol.rule].begin};
}

/// The place of a symbol's instances. @shape scope: WriteInstance needs it in the world; key: of
/// the symbol
struct Placed {
  Scope scope;
  std::uint64_t key;
  bool mirrored;
};

/// Writes a scope as an instance of a mesh. @shape symbol: has all that is not in `placed`
WY_HD inline void WriteInstance(const DeriveJob& job, std::uint32_t place, const Symbol& symbol,
                                const Placed& placed, const Terminal& terminal) {
  const Vector3f &p = placed.scope.position, &size = placed.scope.size;
  const Rotation& q = placed.scope.rotation;
  job.instances[place] = {{p.x, p.y, p.z},
                          {q.x, q.y, q.z, q.w},
                          {placed.mirrored ? -size.x : size.x, size.y, size.z},
                          terminal.mesh,
                          terminal.material,
                          job.span.first + symbol.building,
                          symbol.color,
                          symbol.rule,
                          terminal.flags,
                          KeyOf(placed.key, terminal.place, kNone)};
}

/// The scope of a building in the world.
WY_HD inline Scope InWorld(const Scope& parcel, const Scope& scope) {
  return {parcel.position + Rotate(parcel.rotation, scope.position),
          Product(parcel.rotation, scope.rotation), scope.size};
}

/// Writes the scope as an instance of a mesh; leaves out what nobody could see.
template <class ExecScope>
WY_DEVICE_CALL WY_HD void MakeInstance(Lane<ExecScope>& lane, const Symbol& symbol,
                                       const Terminal terminal) {
  if (!IsSolid(symbol.scope)) return lane.CountDropped(symbol.rule);
  const std::uint32_t place = lane.TakeInstances(1).first;
  if (place == kNone) return;
  const Scope& parcel = lane.job.parcels[symbol.building].scope;
  WriteInstance(lane.job, place, symbol,
                {InWorld(parcel, symbol.scope), symbol.key, symbol.mirrored != 0}, terminal);
}

/// One instance for all that a rule would make, or none.
template <class ExecScope>
WY_HD void MakeCoarse(Lane<ExecScope>& lane, const Symbol& symbol, std::uint16_t mesh,
                      std::uint16_t material) {
  if (mesh != kNoMesh) MakeInstance(lane, symbol, {mesh, material, kCoarse, 0});
}

/// A byte of each of four numbers in [0, 1].
WY_HD inline std::uint32_t ColorOf(const float (&rgba)[4]) {
  std::uint32_t color = 0;
  for (std::uint32_t i = 0; i < 4; ++i) {
    const float clamped = rgba[i] >= 0 ? (rgba[i] < 1 ? rgba[i] : 1) : 0;
    color |= static_cast<std::uint32_t>(clamped * 255 + 0.5f) << (8 * i);
  }
  return color;
}

/// Registers the scope for queries of later stages.
template <class ExecScope>
WY_DEVICE_CALL WY_HD void MakeVolume(Lane<ExecScope>& lane, Symbol& symbol, std::uint32_t label) {
  if (!IsSolid(symbol.scope)) return lane.CountDropped(symbol.rule);
  const std::uint32_t unit = lane.TakeUnit();
  if (unit == kNone) return;
  Volume& volume = lane.job.units[unit].template As<Volume>();
  Symbol whole = symbol;
  // Queries know no mirrored boxes: the same box begins at its other end.
  if (symbol.mirrored != 0) Mirror(whole, 0);
  auto& context = lane.job.units[symbol.context].template As<BuildingContext>();
  const std::uint32_t stage = lane.job.rules[symbol.rule].stage;
  volume = {whole.scope, label, kNone, symbol.volume};
  volume.next = ExecScope::Word(context.volumes[stage]).ExchangeRelaxed(unit);
  symbol.volume = unit;
}

/// @shape step: positive and finite, or the lines are left out. A symbol looks at all lines for
/// each of its borders, so a building may not have very many.
template <class ExecScope>
WY_DEVICE_CALL WY_HD void MakeSnapLines(Lane<ExecScope>& lane, const Symbol& symbol,
                                        std::uint32_t axis, float step, float offset) {
  if (!(step > kLeastSize && step <= kMostCoordinate) || !(std::fabs(offset) <= kMostCoordinate)) {
    return lane.CountClamped(symbol.rule);
  }
  const std::uint32_t unit = lane.TakeUnit();
  if (unit == kNone) return;
  Vector3f direction{0, 0, 0};
  At(direction, axis) = 1;
  direction = ToParcel(symbol, direction);
  SnapLines& lines = lane.job.units[unit].template As<SnapLines>();
  lines = {symbol.scope.position + offset * direction, direction, step, kNone};
  auto& context = lane.job.units[symbol.context].template As<BuildingContext>();
  if (ExecScope::Word(context.snap_line_count).FetchAddRelaxed(1) >= kMostSnapLines) {
    return lane.TellExcess(Excess::kSnapLines, symbol.rule);
  }
  lines.next =
      ExecScope::Word(context.snap_lines[lane.job.rules[symbol.rule].stage]).ExchangeRelaxed(unit);
}

/// Adds to a report of the building. Sums of whole numbers do not depend on their order. Two words
/// hold a sum, as one would run over after 140 of the greatest numbers.
template <class ExecScope>
WY_HD void AddReport(Lane<ExecScope>& lane, const Symbol& symbol, std::uint32_t report,
                     float value) {
  if (!(std::fabs(value) <= 1e12f)) return lane.CountDropped(symbol.rule);
  const double scaled = std::floor(static_cast<double>(value) * 65536 + 0.5);
  ReportSum& sum = lane.job.reports.sums[symbol.building * lane.job.reports.count + report];
  const auto whole = static_cast<std::int64_t>(scaled);
  ExecScope::Word(sum.low).FetchAddRelaxed(static_cast<std::uint64_t>(whole) & 0xffffffffu);
  const std::int64_t high = whole >> 32;
  if (high != 0) ExecScope::Word(sum.high).FetchAddRelaxed(static_cast<std::uint64_t>(high));
}

/// A new context: rules below a @building know only each other. Returns kNone if there is no room.
template <class ExecScope>
WY_DEVICE_CALL WY_HD std::uint32_t MakeContext(Lane<ExecScope>& lane) {
  const std::uint32_t unit = lane.TakeUnit();
  if (unit == kNone) return kNone;
  auto& context = lane.job.units[unit].template As<BuildingContext>();
  for (std::uint32_t stage = 0; stage < kMostStages; ++stage) {
    context.volumes[stage] = kNone;
    context.snap_lines[stage] = kNone;
  }
  context.snap_line_count = 0;
  return unit;
}

}  // namespace warpyard::grammar

#endif  // WARPYARD_CORE_WORKLOAD_GRAMMAR_DERIVE_RESULT_H_
