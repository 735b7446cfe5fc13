// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/health_watch.h"

#include <condition_variable>
#include <mutex>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/fake_engine.h"

namespace warpyard::server {
namespace {

using ::testing::ElementsAre;

class HealthWatchTest : public ::testing::Test {
 protected:
  HealthWatch::Callbacks Noting() {
    return {[this](const DeviceHealth& device) {
              Note(device.name + ": " + std::string(device.status.message()));
            },
            [this] { Note("all"); }};
  }

  void Note(const std::string& note) {
    const std::lock_guard lock(mutex_);
    notes_.push_back(note);
    noted_.notify_all();
  }

  /// The notes, once there are `count` of them.
  std::vector<std::string> Notes(std::size_t count) {
    std::unique_lock lock(mutex_);
    noted_.wait_for(lock, std::chrono::seconds(10), [&] { return notes_.size() >= count; });
    return notes_;
  }

  test_support::FakeEngine engine_;
  std::mutex mutex_;
  std::condition_variable noted_;
  std::vector<std::string> notes_;  // guarded by mutex_
};

TEST_F(HealthWatchTest, TellsOfEachLostDeviceOnceAndOfTheLast) {
  const HealthWatch watch(engine_, absl::Milliseconds(1), Noting());
  engine_.LoseDevice(1);
  EXPECT_THAT(Notes(1), ElementsAre("fake:1: it broke"));
  engine_.LoseDevice(0);
  Notes(3);
  std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_THAT(Notes(3), ElementsAre("fake:1: it broke", "fake:0: it broke", "all"));
}

TEST_F(HealthWatchTest, LooksAtOnce) {
  engine_.LoseDevice(0);
  const HealthWatch watch(engine_, absl::Hours(1), Noting());
  EXPECT_THAT(Notes(1), ElementsAre("fake:0: it broke"));
}

TEST_F(HealthWatchTest, SaysNothingOfHealthyDevices) {
  { const HealthWatch watch(engine_, absl::Milliseconds(1), Noting()); }
  EXPECT_TRUE(notes_.empty());
}

}  // namespace
}  // namespace warpyard::server
