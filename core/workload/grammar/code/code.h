// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The code of a compiled grammar: words of 8 bytes that workers interpret.
//
// A resident kernel cannot take new functions, so that a grammar has to be data. Expressions work
// on a stack of numbers. Operators take their numbers from it.
#ifndef WARPYARD_CORE_WORKLOAD_GRAMMAR_CODE_CODE_H_
#define WARPYARD_CORE_WORKLOAD_GRAMMAR_CODE_CODE_H_

#include <bit>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "core/base/macros.h"

namespace warpyard::grammar {

enum class Op : std::uint8_t {
  // Put a number on the stack.
  kNumber,     ///< b: its bits
  kSlot,       ///< a: parameter or variable
  kAttribute,  ///< a: its position
  kVariable,   ///< a: Variable
  kChance,     ///< in [0, 1); b: tells the choices of a rule apart
  kInside,     ///< a: label
  kTouches,    ///< a: label
  kOverlaps,   ///< a: label
  kNear,       ///< a: label
  // Replace one number.
  kNegate,
  kNot,
  kTruth,  ///< 0 or 1
  kFloor,
  kCeil,
  kRound,
  kAbs,
  kSqrt,
  kSin,
  kCos,
  // Replace two numbers.
  kMin,
  kMax,
  kMod,
  kLess,
  kAtMost,
  kEqual,
  kUnequal,
  kAdd,
  kSubtract,
  kMultiply,
  kDivide,
  kPow,
  // Replace three numbers.
  kClamp,  ///< value, least, most
  // Control. b: where to go on
  kJump,
  kJumpIfFalse,  ///< takes the number
  kKeepIfFalse,  ///< goes on at b and keeps the number if it is 0; otherwise takes it
  kKeepIfTrue,
  kEnd,
  kStore,    ///< takes a number into slot a
  kSave,     ///< the scope
  kRestore,  ///< the scope saved last
  // Rules. a: rule, flags: arguments, which it takes
  kGoTo,   ///< executes the rule in place of the rest
  kCall,   ///< the rule becomes a symbol
  kDefer,  ///< the rule becomes a symbol of a later stage
  // Transforms.
  kTranslate,
  kYaw,
  kPitch,
  kRoll,
  kRotate,
  kScale,
  kSize,
  kCenter,  ///< a: axes, a bit each
  kPivot,   ///< a: fractions of the sizes in halves, 2 bits an axis
  kAlign,
  kMirror,  ///< a: axis
  kExtrude,
  // Results.
  kTerminal,  ///< a: mesh, b: material
  kColor,     ///< flags: numbers
  kVolume,    ///< a: label, flags: VolumeKind
  kSnap,      ///< a: axis, flags: numbers (step, offset)
  kReport,    ///< a: report
  // Blocks; those of several parts are followed by so many kPart. flags: kLeaf and kPlain, too
  kRepeat,   ///< a: axis, flags: kSnaps, b: body; takes the extent
  kCopies,   ///< b: body; takes the number
  kScatter,  ///< b: body; takes number and extent
  kSplit,    ///< a: axis, flags: parts; takes the sizes
  kComp,     ///< flags: parts
  kBorder,   ///< flags: parts; takes the width
  kOffset,   ///< flags: parts; takes the distance
  kRoof,     ///< a: RoofKind, flags: parts; takes angle and overhang
  kPart,     ///< of split: flags: PartFlags; of others: a: which; b: body
};

enum class Variable : std::uint16_t {
  kSizeX,
  kSizeY,
  kSizeZ,
  kPositionX,
  kPositionY,
  kPositionZ,
  kFace,
  kDepth,
  kIndex,
  kCount,
  kUpIndex,
  kUpCount,
  kVolume,
  kArea,
};

/// Faces of a box. The number of each is also what `face` says, and what `front` means there.
enum class Face : std::uint16_t { kFront, kRight, kBack, kLeft, kTop, kBottom };
inline constexpr std::uint16_t kFaces = 6;
inline constexpr std::uint8_t kNoFace = kFaces;

/// Parts of border and offset, and of roof.
inline constexpr std::uint16_t kEdgePart = 0;
inline constexpr std::uint16_t kInsidePart = 1;
inline constexpr std::uint16_t kPlanePart = 0;
inline constexpr std::uint16_t kGablePart = 1;
inline constexpr std::uint16_t kHipPart = 2;

enum class RoofKind : std::uint16_t { kShed, kGable, kHip, kPyramid };
enum class VolumeKind : std::uint8_t { kOpaque, kEnclosing, kHidden };

// Flags of the parts of a split.
inline constexpr std::uint8_t kRelative = 1;
inline constexpr std::uint8_t kFloating = 2;
inline constexpr std::uint8_t kRepeats = 4;     ///< belongs to a group that repeats
inline constexpr std::uint8_t kGroupBegin = 8;  ///< is its first part

// Flags of blocks.
inline constexpr std::uint8_t kSnaps = 1;   ///< of repeat
inline constexpr std::uint8_t kLeaf = 128;  ///< its symbols make no frames, and end soon
inline constexpr std::uint8_t kPlain = 64;  ///< the bodies of its symbols are terminals alone

struct Instruction {
  Op op = Op::kEnd;
  std::uint8_t flags = 0;
  std::uint16_t a = 0;
  std::uint32_t b = 0;

  WY_HD float Number() const { return std::bit_cast<float>(b); }
};
static_assert(sizeof(Instruction) == 8);

/// How many kPart follow the instruction of a block.
WY_HD constexpr std::uint32_t PartsOf(const Instruction& block) {
  return block.op >= Op::kSplit ? block.flags & (kPlain - 1u) : 0;
}

/// Whether the instruction is a block whose symbols make no frames.
WY_HD constexpr bool IsLeaf(const Instruction& in) {
  return in.op >= Op::kRepeat && (in.flags & kLeaf) != 0;
}

/// Whether the instruction is a block whose bodies are terminals alone.
WY_HD constexpr bool IsPlain(const Instruction& in) {
  return in.op >= Op::kRepeat && (in.flags & kPlain) != 0;
}

/// Instead of a mesh: nothing stands for a rule that is small.
inline constexpr std::uint16_t kNoMesh = 0xFFFF;

/// A rule as workers read it.
struct RuleEntry {
  std::uint32_t begin = 0;  ///< of its code
  std::uint32_t name = 0;   ///< hash of its name: other rules do not change its random choices
  float detail = 0;         ///< metres, of @lod; 0: it never ends early
  std::uint8_t stage = 0;
  std::uint8_t lanes = 0;         ///< of @threads; 0: by the number of cells
  std::uint8_t arguments = 0;     ///< of the rule
  std::uint8_t building = 0;      ///< @building
  std::uint16_t coarse_mesh = 0;  ///< of @lod: the first one is the box; or kNoMesh
  std::uint16_t coarse_material = 0;
};
static_assert(sizeof(RuleEntry) == 20);

/// Code and rules. The code at 0 starts the derivation of a parcel.
struct Code {
  std::vector<Instruction> instructions;
  std::vector<RuleEntry> rules;
};

}  // namespace warpyard::grammar

#endif  // WARPYARD_CORE_WORKLOAD_GRAMMAR_CODE_CODE_H_
