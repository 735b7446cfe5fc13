// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/engine/event_loop.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/base/bell.h"
#include "tests/unit/engine/fake_workers.h"

namespace warpyard {
namespace {

using procedure::StageTimes;

class EventLoopTest : public ::testing::Test {
 protected:
  absl::Status Start(procedure::EventEnded ended) {
    static constexpr std::uint64_t kAlone = 0;
    return loop_.Start(procedure::AnyJob::Of(kAlone), {}, token_, std::move(ended));
  }

  FakeWorkers workers_;
  Bell bell_;
  EventLoop loop_{workers_, bell_};
  procedure::CancelToken token_;
};

TEST_F(EventLoopTest, TellsEachEndOnce) {
  std::vector<int> ended;
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(Start([&ended, i](const auto& end) {
                  EXPECT_EQ(end.ok(), i != 1);
                  ended.push_back(i);
                }).ok());
  }
  EXPECT_EQ(loop_.Waiting(), 3u);
  EXPECT_FALSE(loop_.Poll());
  workers_.events[0]->end = StageTimes{{1, 2}};
  EXPECT_TRUE(loop_.Poll());
  EXPECT_EQ(ended, std::vector<int>{0});
  workers_.events[1]->end = absl::AbortedError("failed");
  workers_.events[2]->end = StageTimes{{1, 2}};
  EXPECT_TRUE(loop_.Poll());
  EXPECT_EQ(ended.size(), 3u);
  EXPECT_EQ(loop_.Waiting(), 0u);
  EXPECT_FALSE(loop_.Poll());
  EXPECT_TRUE(loop_.RingsBell());
}

TEST_F(EventLoopTest, AJobMayStartItsNextEventWhenOneEnds) {
  int ends = 0;
  std::function<void(absl::StatusOr<StageTimes>)> next = [&](const auto&) {
    if (++ends == 5) return;
    EXPECT_TRUE(Start(next).ok());
  };
  EXPECT_TRUE(Start(next).ok());
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(loop_.Waiting(), 1u);
    workers_.events[i]->end = StageTimes{{1, 2}};
    EXPECT_TRUE(loop_.Poll());
  }
  EXPECT_EQ(ends, 5);
  EXPECT_EQ(loop_.Waiting(), 0u);
}

TEST_F(EventLoopTest, PassesCancelsOn) {
  EXPECT_TRUE(Start([](const auto&) {}).ok());
  EXPECT_FALSE(loop_.Poll());
  EXPECT_EQ(workers_.events[0]->cancels, 0);
  token_.Cancel();
  EXPECT_FALSE(loop_.Poll());
  EXPECT_GE(workers_.events[0]->cancels, 1);
}

TEST_F(EventLoopTest, AnEventThatDoesNotStartIsForgotten) {
  workers_.refusal = absl::UnavailableError("lost");
  EXPECT_EQ(Start([](const auto&) { ADD_FAILURE(); }), workers_.refusal);
  EXPECT_EQ(loop_.Waiting(), 0u);
}

}  // namespace
}  // namespace warpyard
