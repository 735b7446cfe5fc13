// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Evaluates the instructions of expressions.
#ifndef WARPYARD_CORE_WORKLOAD_GRAMMAR_DERIVE_EVALUATE_H_
#define WARPYARD_CORE_WORKLOAD_GRAMMAR_DERIVE_EVALUATE_H_

#include <cstdint>

#include "core/base/macros.h"
#include "core/workload/grammar/code/arithmetic.h"
#include "core/workload/grammar/derive/chance.h"
#include "core/workload/grammar/derive/lane.h"
#include "core/workload/grammar/derive/query.h"

namespace warpyard::grammar {

WY_HD inline float AreaOf(const Vector3f& size) {
  return size.x * (size.z < kLeastSize ? size.y : size.z);
}

WY_HD inline float ValueOf(const Symbol& symbol, Variable variable) {
  const Vector3f& size = symbol.scope.size;
  const Vector3f& position = symbol.scope.position;
  switch (variable) {
    case Variable::kSizeX:
      return size.x;
    case Variable::kSizeY:
      return size.y;
    case Variable::kSizeZ:
      return size.z;
    case Variable::kPositionX:
      return position.x;
    case Variable::kPositionY:
      return position.y;
    case Variable::kPositionZ:
      return position.z;
    case Variable::kFace:
      return static_cast<float>(symbol.face);
    case Variable::kDepth:
      return static_cast<float>(symbol.depth);
    case Variable::kIndex:
      return static_cast<float>(symbol.own.index);
    case Variable::kCount:
      return static_cast<float>(symbol.own.last + 1);
    case Variable::kUpIndex:
      return static_cast<float>(symbol.up.index);
    case Variable::kUpCount:
      return static_cast<float>(symbol.up.last + 1);
    case Variable::kVolume:
      return size.x * size.y * size.z;
    default:
      return AreaOf(size);
  }
}

WY_HD inline float AttributeOf(const DeriveJob& job, const Symbol& symbol, std::uint32_t which) {
  return job.attributes.values[symbol.building * job.attributes.stride + which];
}

/// Executes an instruction that puts a number on the stack or replaces some.
template <class ExecScope>
WY_HD void Evaluate(Lane<ExecScope>& lane, const Symbol& symbol, const Instruction& in) {
  switch (in.op) {
    case Op::kNumber:
      return lane.Push(in.Number());
    case Op::kSlot:
      return lane.Push(symbol.slots[in.a]);
    case Op::kAttribute:
      return lane.Push(AttributeOf(lane.job, symbol, in.a));
    case Op::kVariable:
      return lane.Push(ValueOf(symbol, static_cast<Variable>(in.a)));
    case Op::kChance:
      return lane.Push(ChanceOf(symbol.key, in.b));
    case Op::kInside:
    case Op::kTouches:
    case Op::kOverlaps:
    case Op::kNear:
      return lane.Push(AnswerOf(lane.job, symbol, in.op, in.a, lane.steps));
    case Op::kClamp: {
      const float most = lane.Pop(), least = lane.Pop();
      return lane.Push(ClampOf(lane.Pop(), least, most));
    }
    default:
      if (NumbersOf(in.op) == 1) return lane.Push(Apply(in.op, lane.Pop()));
      const float y = lane.Pop();
      lane.Push(Apply(in.op, lane.Pop(), y));
  }
}

}  // namespace warpyard::grammar

#endif  // WARPYARD_CORE_WORKLOAD_GRAMMAR_DERIVE_EVALUATE_H_
