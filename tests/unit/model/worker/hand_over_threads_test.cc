// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Elements that change hands between threads.

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "core/exec/thread_scope.h"
#include "core/model/worker/hand_over.h"
#include "tests/support/run_bodies.h"
#include "tests/support/workers/small_space.h"

namespace warpyard::model {
namespace {

using exec::ThreadScope;
using test_support::NumberedElement;

/// For ThreadSanitizer, which sees whether an inbox's elements are ordered by its count and by the
/// ring.
TEST(HandOverOnThreads, BringsEveryElementOnce) {
  constexpr std::uint32_t kPacks = 2'000, kWaiters = 2;
  HandOver<ThreadScope, kWaiters> hand_over{};
  hand_over.Reset();
  std::vector<std::uint32_t> times(kPacks * kGivenElements, 0);
  std::uint32_t done = 0;
  test_support::Bodies bodies;
  bodies.emplace_back([&] {
    ThreadScope scope(nullptr);
    for (std::uint32_t pack = 0; pack < kPacks;) {
      const std::uint32_t worker = hand_over.Choose(scope, 1);
      if (worker == hand_over.kNobody) {
        ThreadScope::Pause(0);
        continue;
      }
      hand_over.Give(scope, worker, 1 + pack % kGivenElements,
                     [&](std::uint32_t i) { return NumberedElement(pack * kGivenElements + i); });
      ++pack;
    }
    ThreadScope::Word(done).StoreRelease(1);
  });
  for (std::uint32_t worker = 0; worker < kWaiters; ++worker) {
    bodies.emplace_back([&, worker] {
      ThreadScope scope(nullptr);
      hand_over.Wait(worker);
      while (true) {
        const bool over = ThreadScope::Word(done).LoadAcquire() != 0;
        if (hand_over.Given(worker) == 0) {
          if (over) return;
          ThreadScope::Pause(0);
          continue;
        }
        hand_over.Take(scope, worker, [&](std::uint32_t count, auto&& at) {
          for (std::uint32_t i = 0; i < count; ++i) {
            ThreadScope::Word(times[at(i).payload[0]]).FetchAddRelaxed(1);
          }
        });
        hand_over.Wait(worker);
      }
    });
  }
  test_support::RunOnThreads(bodies);
  for (std::uint32_t pack = 0; pack < kPacks; ++pack) {
    for (std::uint32_t i = 0; i < kGivenElements; ++i) {
      ASSERT_EQ(times[pack * kGivenElements + i], i <= pack % kGivenElements ? 1u : 0u);
    }
  }
}

}  // namespace
}  // namespace warpyard::model
