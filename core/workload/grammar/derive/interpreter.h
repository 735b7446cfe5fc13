// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Executes rules: from a symbol to instances, and frames for all further symbols.
#ifndef WARPYARD_CORE_WORKLOAD_GRAMMAR_DERIVE_INTERPRETER_H_
#define WARPYARD_CORE_WORKLOAD_GRAMMAR_DERIVE_INTERPRETER_H_

#include <cmath>
#include <cstdint>

#include "core/base/macros.h"
#include "core/workload/grammar/derive/block.h"
#include "core/workload/grammar/derive/evaluate.h"
#include "core/workload/grammar/derive/lane.h"
#include "core/workload/grammar/derive/plain.h"
#include "core/workload/grammar/derive/result.h"
#include "core/workload/grammar/derive/sight.h"
#include "core/workload/grammar/derive/transform.h"

namespace warpyard::grammar {

/// What [ ] saves of a symbol.
struct Saved {
  Scope scope;
  std::uint32_t color;
  std::uint32_t volume;
  std::uint8_t pivot;
  std::uint8_t mirrored;
};

template <class ExecScope>
WY_HD Vector3f PopVector(Lane<ExecScope>& lane) {
  const float z = lane.Pop(), y = lane.Pop();
  return {lane.Pop(), y, z};
}

/// Replaces the symbol's parameters by arguments from the stack.
template <class ExecScope>
WY_HD void TakeArguments(Lane<ExecScope>& lane, Symbol& symbol, std::uint32_t count) {
  lane.top -= count;
  WY_ROLLED
  for (std::uint32_t i = 0; i < kSlots; ++i) {
    symbol.slots[i] = i < count ? lane.stack[lane.top + i] : 0;
  }
}

/// Tells the host which rule went too deep: the first of the first building, in any order of work.
template <class ExecScope>
WY_HD void TellDeep(Lane<ExecScope>& lane, const Symbol& symbol, std::uint32_t rule) {
  const std::uint64_t word = std::uint64_t{symbol.building} << 32 | rule;
  ExecScope::Word(lane.job.counters->deepest).FetchMinRelaxed(word);
}

/// Makes the symbol one of another rule. Returns false where the rule is not to be executed.
/// @shape place: of the call in the code of the symbol's rule
template <class ExecScope>
WY_DEVICE_CALL WY_HD bool EnterRule(Lane<ExecScope>& lane, Symbol& symbol, std::uint32_t rule,
                                    std::uint32_t place) {
  const DeriveJob& job = lane.job;
  const RuleEntry& entry = job.rules[rule];
  symbol.key = KeyOf(symbol.key, place, entry.name);
  symbol.rule = static_cast<std::uint16_t>(rule);
  if (!IsSolid(symbol.scope)) {
    lane.CountDropped(rule);
    return false;
  }
  if (symbol.depth >= job.depth.most) {
    if (job.depth.coarse != 0) {
      // Nobody has chosen a form for this case: the rule may be large in the view.
      MakeCoarse(lane, symbol, static_cast<std::uint16_t>(BuiltInMesh::kBox), 0);
    } else {
      TellDeep(lane, symbol, rule);
    }
    return false;
  }
  ++symbol.depth;
  ExecScope::Word(lane.CountsOf(rule).symbols).FetchAddRelaxed(1);
  if (IsSmall<ExecScope>(job, symbol, entry.detail)) {
    MakeCoarse(lane, symbol, entry.coarse_mesh, entry.coarse_material);
    return false;
  }
  // The parcel has a context already.
  if (entry.building != 0 && symbol.depth > 1) {
    const std::uint32_t context = MakeContext(lane);
    if (context == kNone) return false;
    symbol.context = context;
  }
  return true;
}

/// The turn of an instruction, by angles from the stack.
template <class ExecScope>
WY_HD Rotation TurnAsked(Lane<ExecScope>& lane, Op op) {
  if (op != Op::kRotate) {
    return TurnOf(op == Op::kYaw ? 1 : op == Op::kPitch ? 0 : 2, lane.Pop());
  }
  const Vector3f degrees = PopVector(lane);
  return Product(Product(TurnOf(1, degrees.y), TurnOf(0, degrees.x)), TurnOf(2, degrees.z));
}

/// Executes a transform. @shape center: of the scope with which the rule or block began
template <class ExecScope>
WY_HD void Transform(Lane<ExecScope>& lane, Symbol& symbol, const Instruction& in,
                     const Vector3f& center) {
  switch (in.op) {
    case Op::kTranslate:
      return Translate(symbol, PopVector(lane));
    case Op::kYaw:
    case Op::kPitch:
    case Op::kRoll:
    case Op::kRotate:
      return Turn(symbol, TurnAsked(lane, in.op));
    case Op::kScale:
      symbol.scope.size = Product(symbol.scope.size, PopVector(lane));
      return;
    case Op::kSize: {
      const Vector3f size = PopVector(lane);
      for (std::uint32_t axis = 0; axis < 3; ++axis) {
        if (At(size, axis) != 0) At(symbol.scope.size, axis) = At(size, axis);
      }
      return;
    }
    case Op::kCenter:
      return MoveToCenter(symbol, center, in.a);
    case Op::kPivot:
      symbol.pivot = static_cast<std::uint8_t>(in.a);
      return;
    case Op::kAlign:
      return Align(symbol);
    case Op::kMirror:
      return Mirror(symbol, in.a);
    default:
      return Extrude(symbol, lane.Pop());
  }
}

/// Executes an instruction that leaves something. @shape at: its position
template <class ExecScope>
WY_HD void MakeResult(Lane<ExecScope>& lane, Symbol& symbol, const Instruction& in,
                      std::uint32_t at) {
  switch (in.op) {
    case Op::kTerminal:
      return MakeInstance(lane, symbol, TerminalOf(lane.job, symbol, in, at));
    case Op::kColor: {
      float rgba[4] = {0, 0, 0, 1};
      lane.top -= in.flags;
      WY_ROLLED
      for (std::uint32_t i = 0; i < in.flags; ++i) rgba[i] = lane.stack[lane.top + i];
      symbol.color = ColorOf(rgba);
      return;
    }
    case Op::kVolume:
      return MakeVolume(lane, symbol, in.a);
    case Op::kSnap: {
      const float offset = in.flags > 1 ? lane.Pop() : 0;
      return MakeSnapLines(lane, symbol, in.a, lane.Pop(), offset);
    }
    default:
      return AddReport(lane, symbol, in.a, lane.Pop());
  }
}

/// Executes a jump. Returns the position that comes next.
template <class ExecScope>
WY_HD std::uint32_t Jump(Lane<ExecScope>& lane, const Instruction& in, std::uint32_t at) {
  if (in.op == Op::kJump) return in.b;
  const bool truth = lane.stack[lane.top - 1] != 0;
  if (in.op == Op::kJumpIfFalse) {
    --lane.top;
    return truth ? at + 1 : in.b;
  }
  if (truth == (in.op == Op::kKeepIfTrue)) return in.b;
  --lane.top;
  return at + 1;
}

/// Makes a frame for a rule that other symbols execute. @shape at: position of the call
template <class ExecScope>
WY_HD void MakeCall(Lane<ExecScope>& lane, const Symbol& symbol, const Instruction& in,
                    std::uint32_t at) {
  const std::uint32_t unit = lane.MakeFrame(symbol, {at, 1, 0});
  if (unit == kNone) {
    lane.top -= in.flags;
    return;
  }
  TakeArguments(lane, lane.job.units[unit].template As<Frame>().symbol, in.flags);
  if (in.op == Op::kDefer) lane.Defer(lane.job.rules[in.a].stage);
}

/// Executes code for a symbol until its end. Code has no jumps back but into rules, whose number is
/// limited by the symbol's depth. So a rule has few instructions, and the steps are compared
/// with their limit between rules.
template <class ExecScope>
WY_HD void ExecuteRules(Lane<ExecScope>& lane, Symbol& symbol, std::uint32_t at) {
  const DeriveJob& job = lane.job;
  Saved saved[kMostSaved];
  std::uint32_t depth = 0;
  Vector3f center = CenterOf(symbol);
  WY_ROLLED
  while (true) {
    const Instruction in = job.code[at];
    ++lane.steps.taken;
    if (in.op < Op::kJump) {
      Evaluate(lane, symbol, in);
    } else if (in.op <= Op::kKeepIfTrue) {
      at = Jump(lane, in, at);
      continue;
    } else if (in.op == Op::kEnd) {
      return;
    } else if (in.op == Op::kStore) {
      symbol.slots[in.a] = lane.Pop();
    } else if (in.op == Op::kSave) {
      saved[depth++] = {symbol.scope, symbol.color, symbol.volume, symbol.pivot, symbol.mirrored};
    } else if (in.op == Op::kRestore) {
      const Saved& s = saved[--depth];
      symbol.scope = s.scope;
      symbol.color = s.color;
      symbol.volume = s.volume;
      symbol.pivot = s.pivot;
      symbol.mirrored = s.mirrored;
    } else if (in.op == Op::kGoTo) {
      if (lane.steps.AreTooMany()) return;
      TakeArguments(lane, symbol, in.flags);
      if (!EnterRule(lane, symbol, in.a, at - job.rules[symbol.rule].begin)) return;
      at = job.rules[in.a].begin;
      center = CenterOf(symbol);
      continue;
    } else if (in.op <= Op::kDefer) {
      MakeCall(lane, symbol, in, at);
    } else if (in.op <= Op::kExtrude) {
      Transform(lane, symbol, in, center);
    } else if (in.op <= Op::kReport) {
      MakeResult(lane, symbol, in, at);
    } else {
      MakeBlock(lane, symbol, in, at);
      // The instructions of parts are data.
      at += PartsOf(in);
    }
    ++at;
  }
}

/// Executes code for a symbol, and ends the event where that takes too long.
template <class ExecScope>
WY_HD WY_DEVICE_CALL void Execute(Lane<ExecScope>& lane, Symbol& symbol, std::uint32_t at) {
  if (lane.steps.HaveEnded()) return;
  lane.steps.BeginSymbol();
  ExecuteRules(lane, symbol, at);
  if (lane.steps.AreTooMany() && !lane.steps.HaveEnded()) {
    lane.TellExcess(Excess::kSteps, symbol.rule);
  }
}

/// Executes the symbol `number` of a frame.
template <class ExecScope>
WY_HD void DeriveSymbol(Lane<ExecScope>& lane, const Frame& frame, std::uint32_t number) {
  const DeriveJob& job = lane.job;
  const BlockCells cells = frame.Cells();
  const Instruction block = job.code[cells.block];
  Symbol symbol = frame.symbol;
  std::uint32_t body = 0;
  if (block.op == Op::kCall || block.op == Op::kDefer) {
    const std::uint32_t place = cells.block - job.rules[symbol.rule].begin;
    if (!EnterRule(lane, symbol, block.a, place)) return;
    body = job.rules[block.a].begin;
  } else if (IsPlain(block)) {
    return DerivePlain(lane, symbol, cells, {number, number + 1});
  } else {
    body = PlaceInBlock(job, cells, number, symbol);
  }
  Execute(lane, symbol, body);
}

/// Whether a frame has few symbols, and these end at once: to spawn it and to take it up again
/// costs more than to execute it. But a thread that has done much leaves frames to others.
/// @shape steps: that the thread has taken
WY_HD inline bool IsSmallLeaf(const DeriveJob& job, const Frame& frame, std::uint32_t steps) {
  constexpr std::uint32_t kSmallLeaf = 8, kMuch = 1 << 15;
  return IsLeaf(job.code[frame.block]) && frame.count <= kSmallLeaf && steps < kMuch;
}

/// The symbols of a frame that one thread executes: numbers first, first + step, first + 2 * step
/// and so on, below end. @shape step: how many threads share the frame
struct SomeSymbols {
  std::uint32_t frame;  ///< its unit
  std::uint32_t first, end, step;
};

/// Executes symbols, and the small leaves that they make. Returns a list of all other frames that
/// they make. It is one function for all groups of threads, and calls each part at one place: with
/// all workers in different places, the instructions of a derivation must fit the caches of
/// instructions (docs/adr/0058-code-of-derivations.md). @shape part: of the pools
template <class ExecScope>
WY_DEVICE_CALL WY_HD std::uint32_t DeriveSome(const DeriveJob& job, const SomeSymbols symbols,
                                              std::uint32_t part) {
  Lane<ExecScope> lane(job);
  lane.part = part;
  std::uint32_t unit = symbols.frame, step = symbols.step, end = symbols.end, kept = kNone;
  std::uint32_t n = symbols.first;
  WY_ROLLED
  while (true) {
    if (n < end) {
      DeriveSymbol(lane, job.units[unit].template As<Frame>(), n);
      n += step;
      continue;
    }
    if (lane.list == kNone) return kept;
    unit = lane.list;
    Frame& frame = job.units[unit].template As<Frame>();
    lane.list = frame.next;
    if (IsSmallLeaf(job, frame, lane.steps.taken)) {
      n = 0, step = 1, end = frame.count;
    } else {
      frame.next = kept;
      kept = unit;
    }
  }
}

}  // namespace warpyard::grammar

#endif  // WARPYARD_CORE_WORKLOAD_GRAMMAR_DERIVE_INTERPRETER_H_
