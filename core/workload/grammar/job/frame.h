// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Symbols of a derivation, and the frames that stand for many of them.
//
// A block makes up to 65,536 symbols of one scope. Only a frame is stored for them: each symbol is
// computed from the frame and its number when a worker takes it.
#ifndef WARPYARD_CORE_WORKLOAD_GRAMMAR_JOB_FRAME_H_
#define WARPYARD_CORE_WORKLOAD_GRAMMAR_JOB_FRAME_H_

#include <bit>
#include <cstddef>
#include <cstdint>

#include "core/base/macros.h"
#include "core/workload/geometry/vector3.h"
#include "core/workload/grammar/code/code.h"
#include "core/workload/grammar/limits.h"

namespace warpyard::grammar {

using Vector3f = geometry::Vector3<float>;

/// A rotation as a unit quaternion.
struct Rotation {
  float x, y, z, w;
};

/// An oriented box: least corner, axes and sizes, in metres, relative to the parcel.
struct Scope {
  Vector3f position;
  Rotation rotation;
  Vector3f size;
};
static_assert(sizeof(Scope) == 40);

inline constexpr std::uint32_t kNone = ~0u;

/// @shape last: the number of symbols, less 1
struct Ordinal {
  std::uint16_t index = 0;
  std::uint16_t last = 0;
};

/// What a rule can read, and what the rules below it inherit.
struct alignas(16) Symbol {
  Scope scope;
  std::uint64_t key = 0;       ///< hash of the path from the start
  std::uint32_t building = 0;  ///< in the batch
  std::uint32_t context = 0;   ///< unit of the Context
  std::uint32_t volume =
      kNone;  ///< unit of the volume that the symbol lies in, if a rule above made it
  std::uint32_t color = ~0u;
  float slots[kSlots] = {};
  Ordinal own;  ///< in its block
  Ordinal up;   ///< that of the symbol with the block
  std::uint16_t rule = 0;
  std::uint16_t depth = 0;
  std::uint8_t face = kNoFace;
  std::uint8_t pivot = 0;     ///< of rotations: fractions of the sizes in halves, 2 bits an axis
  std::uint8_t mirrored = 0;  ///< not 0: the x axis points the other way
};

/// A block and how many symbols it has.
struct BlockCells {
  std::uint32_t block;  ///< position of its instruction
  std::uint32_t count;
  std::uint32_t given;  ///< as in Frame

  WY_HD float Number() const { return std::bit_cast<float>(given); }
};

/// The symbols of a block, or one symbol that is to execute a rule.
struct Frame {
  Symbol symbol;
  std::uint32_t block = 0;     ///< position of the block's instruction, or of a call
  std::uint32_t count = 0;     ///< symbols, at least 1
  std::uint32_t next = kNone;  ///< unit of the next frame of a list
  /// What the block was given: kSplit, kRoof: unit of its SplitParts or RoofNumbers; others: bits
  /// of a number.
  std::uint32_t given = 0;

  WY_HD BlockCells Cells() const { return {block, count, given}; }
};

/// A part of a split. @shape count: how often it is there
struct SplitPart {
  float size;
  std::uint32_t count;
};
struct SplitParts {
  SplitPart parts[kMostParts];
};

struct RoofNumbers {
  float degrees;   ///< above the horizon
  float overhang;  ///< metres
};

/// A box that rules can ask for.
struct Volume {
  Scope scope;
  std::uint32_t label;
  std::uint32_t next;    ///< unit of another one of the context and stage
  std::uint32_t parent;  ///< unit of the one that this one lies in
};

/// Planes that cells of repeat(..., snap) end at: at origin + n step along a direction.
struct SnapLines {
  Vector3f origin;
  Vector3f direction;
  float step;
  std::uint32_t next;
};

/// What the rules below one @building know of each other. A stage reads the lists of earlier stages
/// only, so that no two workers race.
struct BuildingContext {
  std::uint32_t volumes[kMostStages];
  std::uint32_t snap_lines[kMostStages];
  std::uint32_t snap_line_count;
};

/// A piece of memory for any of these.
struct alignas(16) Unit {
  std::byte bytes[128];

  template <class T>
  WY_HD T& As() {
    static_assert(sizeof(T) <= sizeof bytes);
    return *reinterpret_cast<T*>(bytes);
  }
};
static_assert(sizeof(Symbol) == 112 && sizeof(Frame) == 128 && sizeof(SplitParts) == 128);

}  // namespace warpyard::grammar

#endif  // WARPYARD_CORE_WORKLOAD_GRAMMAR_JOB_FRAME_H_
