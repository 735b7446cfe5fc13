// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/grammar/derive/interpreter.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "core/exec/thread_scope.h"
#include "tests/support/grammar/derive_memory.h"

namespace warpyard {
namespace {

using grammar::Instruction;
using grammar::kSlots;
using grammar::Lane;
using grammar::Op;
using grammar::Symbol;
using test_support::DeriveMemory;

/// A rule whose only statement calls another rule with as many arguments as there can be, again and
/// again: more of them than the stack has places.
std::vector<Instruction> ManyCalls(Op op, std::uint32_t calls) {
  std::vector<Instruction> code;
  for (std::uint32_t i = 0; i < calls; ++i) {
    for (std::uint32_t a = 0; a < kSlots; ++a) code.push_back({Op::kNumber, 0, 0, 0x3f800000u});
    code.push_back({op, kSlots, 1, 0});
  }
  code.push_back({Op::kEnd, 0, 0, 0});
  return code;
}

TEST(Interpreter, TakesArgumentsOfCallsForWhichThereIsNoRoom) {
  for (const Op op : {Op::kCall, Op::kDefer}) {
    DeriveMemory memory;
    memory.code = ManyCalls(op, 8);
    grammar::DeriveCounters counters{};
    grammar::DeriveJob job = memory.Job();
    job.counters = &counters;
    job.sizes.units = 0;
    Lane<exec::ThreadScope> lane(job);
    Symbol symbol;
    symbol.scope = {{0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}};
    grammar::Execute(lane, symbol, 0);
    EXPECT_EQ(lane.top, 0u);
    EXPECT_EQ(lane.list, grammar::kNone);
    EXPECT_EQ(counters.is_full, 1u) << "the host runs the batch again with more memory";
    EXPECT_TRUE(lane.steps.HaveEnded());
  }
}

}  // namespace
}  // namespace warpyard
