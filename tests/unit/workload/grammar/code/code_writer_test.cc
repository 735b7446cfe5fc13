// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/grammar/code/code_writer.h"

#include <gtest/gtest.h>

#include <optional>

namespace warpyard {
namespace {

using grammar::CodeWriter;
using grammar::Op;

constexpr grammar::Instruction kSizeOfX{Op::kVariable};

TEST(CodeWriter, FoldsConstantsOfAnyNumberOfOperands) {
  CodeWriter code;
  for (const float number : {9.0f, 2.0f, 5.0f}) code.PushNumber(number);
  code.Operate(Op::kClamp);
  code.PushNumber(3);
  code.Operate(Op::kSubtract);
  code.Operate(Op::kNegate);
  ASSERT_EQ(code.Here(), 1u);
  EXPECT_EQ(code.instructions()[0].Number(), -2);
  EXPECT_EQ(code.Top(), 1u);
}

TEST(CodeWriter, LeavesOtherOperandsForTheWorkers) {
  CodeWriter code;
  code.Push(kSizeOfX);
  code.PushNumber(3);
  code.Operate(Op::kMultiply);
  ASSERT_EQ(code.Here(), 3u);
  EXPECT_EQ(code.instructions()[2].op, Op::kMultiply);
}

TEST(CodeWriter, FoldsNothingThatAJumpMayLeaveOut) {
  CodeWriter code;
  code.PushNumber(1);
  const std::uint32_t jump = code.Write({Op::kJump});
  code.PushNumber(2);
  code.Land(jump);
  EXPECT_EQ(code.instructions()[jump].b, 3u);
  // The number before the place where the jump lands is not always the operand.
  code.PushNumber(3);
  code.Operate(Op::kAdd);
  EXPECT_EQ(code.Here(), 5u);
  // Constants behind that place may be folded.
  code.PushNumber(4);
  code.Operate(Op::kNegate);
  EXPECT_EQ(code.Here(), 6u);
}

TEST(CodeWriter, FoldsNothingAcrossTheBeginningOfARule) {
  CodeWriter code;
  code.PushNumber(1);
  EXPECT_EQ(code.Begin(), 1u);
  code.PushNumber(2);
  code.Operate(Op::kAdd);
  EXPECT_EQ(code.Here(), 3u);
}

TEST(CodeWriter, GivesConstantsBack) {
  CodeWriter code;
  code.Push(kSizeOfX);
  const std::uint32_t since = code.Begin();
  code.PushNumber(4);
  EXPECT_EQ(code.TakeConstant(since), 4);
  EXPECT_EQ(code.Here(), since);
  EXPECT_EQ(code.Top(), 1u);
  code.Push(kSizeOfX);
  EXPECT_EQ(code.TakeConstant(since), std::nullopt);
  code.PushNumber(4);
  EXPECT_EQ(code.TakeConstant(since), std::nullopt);
}

TEST(CodeWriter, CountsTheMostNumbersAtOnce) {
  CodeWriter code;
  for (int i = 0; i < 3; ++i) code.Push(kSizeOfX);
  code.Operate(Op::kAdd);
  code.Take({Op::kRotate}, 2);
  EXPECT_EQ(code.Top(), 0u);
  EXPECT_EQ(code.TakeMost(), 3u);
  code.Push(kSizeOfX);
  EXPECT_EQ(code.TakeMost(), 1u);
}

}  // namespace
}  // namespace warpyard
