// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/engine/event_loop.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/base/bell.h"

namespace warpyard {
namespace {

using procedure::StageTimes;

/// What a test knows of an event that was started.
struct Known {
  std::optional<absl::StatusOr<StageTimes>> end;  // set by the test
  int cancels = 0;
};

class FakeEvent final : public model::StartedEvent {
 public:
  explicit FakeEvent(std::shared_ptr<Known> known) : known_(std::move(known)) {}
  std::optional<absl::StatusOr<StageTimes>> TakeEnd() override { return known_->end; }
  void Cancel() override { ++known_->cancels; }

 private:
  const std::shared_ptr<Known> known_;
};

/// Workers that only start events.
class FakeWorkers final : public DeviceWorkers {
 public:
  absl::StatusOr<StageTimes> Run(const procedure::AnyJob&, const policy::EventAttributes&,
                                 const procedure::CancelToken&) override {
    return absl::InternalError("blocks");
  }
  absl::StatusOr<std::unique_ptr<model::StartedEvent>> Start(const procedure::AnyJob&,
                                                             const policy::EventAttributes&,
                                                             Bell&) override {
    if (!refusal.ok()) return refusal;
    events.push_back(std::make_shared<Known>());
    return std::make_unique<FakeEvent>(events.back());
  }
  bool RingsBells() const override { return true; }
  bool CallsFinish() const override { return true; }
  std::uint32_t Workers() const override { return 1; }
  std::uint32_t Blocks() const override { return 1; }
  model::ModelStatistics Statistics() const override { return {}; }
  absl::Status Health() const override { return absl::OkStatus(); }
  absl::Status RunQuietly(const std::function<absl::Status()>& work) override { return work(); }
  std::span<const char* const> ProcedureNames() const override { return {}; }
  bool HasQueue(std::uint32_t) const override { return false; }

  absl::Status refusal;
  std::vector<std::shared_ptr<Known>> events;
};

class EventLoopTest : public ::testing::Test {
 protected:
  absl::Status Start(procedure::EventEnded ended) {
    const int job = 0;
    return loop_.Start(procedure::AnyJob::Of(job), {}, token_, std::move(ended));
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
