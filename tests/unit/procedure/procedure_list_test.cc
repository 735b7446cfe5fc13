// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/procedure/procedure_list.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/exec/thread_scope.h"

namespace warpyard::procedure {
namespace {

/// Writes down that it was executed, and with what.
template <char kLetter, std::size_t kShared>
struct Recorder {
  using Item = Range;
  static constexpr std::size_t kSharedBytes = kShared;
  static constexpr char kName[] = {kLetter, '\0'};

  template <class Scope>
  static void Execute(Context<Scope, std::vector<std::string>>& context, const Range& range) {
    context.job.push_back(kLetter + std::to_string(range.begin) + "-" + std::to_string(range.end));
  }
};

using A = Recorder<'a', 0>;
using B = Recorder<'b', 300>;
using C = Recorder<'c', 20>;
using List = ProcedureList<A, B, C>;

TEST(ProcedureList, NumbersProceduresInOrder) {
  EXPECT_EQ(List::kCount, 3u);
  EXPECT_EQ(List::IndexOf<A>(), 0u);
  EXPECT_EQ(List::IndexOf<B>(), 1u);
  EXPECT_EQ(List::IndexOf<C>(), 2u);
  EXPECT_STREQ(List::kNames[0], "a");
  EXPECT_STREQ(List::kNames[2], "c");
}

TEST(ProcedureList, NeedsTheSharedMemoryOfTheLargest) { EXPECT_EQ(List::SharedBytes(), 300u); }

TEST(ProcedureList, ExecutesTheProcedureWithTheId) {
  std::vector<std::string> log;
  exec::ThreadScope scope(nullptr);
  Context<exec::ThreadScope, std::vector<std::string>> context{scope, log};
  for (const std::uint32_t id : {2u, 0u, 1u}) List::Execute(id, context, Range{id, id + 5});
  EXPECT_EQ(log, (std::vector<std::string>{"c2-7", "a0-5", "b1-6"}));
}

}  // namespace
}  // namespace warpyard::procedure
