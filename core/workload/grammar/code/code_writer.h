// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Writes instructions: folds constants, and counts how many numbers expressions need at once.
#ifndef WARPYARD_CORE_WORKLOAD_GRAMMAR_CODE_CODE_WRITER_H_
#define WARPYARD_CORE_WORKLOAD_GRAMMAR_CODE_CODE_WRITER_H_

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "core/workload/grammar/code/arithmetic.h"
#include "core/workload/grammar/code/code.h"

namespace warpyard::grammar {

class CodeWriter {
 public:
  /// Appends an instruction that is no arithmetic. Returns its position.
  std::uint32_t Write(Instruction in) {
    instructions_.push_back(in);
    return Here() - 1;
  }

  /// An instruction that puts a number on the stack.
  void Push(Instruction in) {
    Write(in);
    top_ += 1;
    most_ = std::max(most_, top_);
  }
  void PushNumber(float number) { Push({Op::kNumber, 0, 0, std::bit_cast<std::uint32_t>(number)}); }

  /// An operation of arithmetic. Constants are folded with the arithmetic of the workers.
  void Operate(Op op) {
    const std::uint32_t count = NumbersOf(op);
    top_ -= count - 1;
    if (!AreConstant(count)) {
      Write({op});
      return;
    }
    const float* const x = &folded_[0];
    for (std::uint32_t i = 0; i < count; ++i) {
      folded_[i] = instructions_[instructions_.size() - count + i].Number();
    }
    const float result = count == 1   ? Apply(op, x[0])
                         : count == 2 ? Apply(op, x[0], x[1])
                                      : ClampOf(x[0], x[1], x[2]);
    instructions_.resize(instructions_.size() - count);
    Write({Op::kNumber, 0, 0, std::bit_cast<std::uint32_t>(result)});
  }

  /// An instruction that takes numbers from the stack. Returns its position.
  std::uint32_t Take(Instruction in, std::uint32_t numbers) {
    top_ -= numbers;
    return Write(in);
  }

  /// Lets a jump go to the next instruction.
  void Land(std::uint32_t jump) {
    instructions_[jump].b = Here();
    barrier_ = Here();
  }
  /// Begins code that is reached by position: nothing before it may be folded into it.
  std::uint32_t Begin() { return barrier_ = Here(); }

  /// The number that all code since a position puts on the stack, if it is constant. Removes it.
  std::optional<float> TakeConstant(std::uint32_t since) {
    if (Here() != since + 1 || !AreConstant(1)) return std::nullopt;
    const float number = instructions_.back().Number();
    instructions_.pop_back();
    top_ -= 1;
    return number;
  }

  std::uint32_t Here() const { return static_cast<std::uint32_t>(instructions_.size()); }
  std::uint32_t Top() const { return top_; }
  void SetTop(std::uint32_t top) { top_ = top; }
  /// The most numbers at once since the last call.
  std::uint32_t TakeMost() { return std::exchange(most_, top_); }
  std::vector<Instruction>& instructions() { return instructions_; }

 private:
  bool AreConstant(std::uint32_t count) const {
    if (Here() < barrier_ + count) return false;
    return std::all_of(instructions_.end() - count, instructions_.end(),
                       [](const Instruction& in) { return in.op == Op::kNumber; });
  }

  std::vector<Instruction> instructions_;
  std::uint32_t barrier_ = 0;
  std::uint32_t top_ = 0;
  std::uint32_t most_ = 0;
  float folded_[3] = {};
};

}  // namespace warpyard::grammar

#endif  // WARPYARD_CORE_WORKLOAD_GRAMMAR_CODE_CODE_WRITER_H_
