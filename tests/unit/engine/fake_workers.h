// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Workers for tests of an event loop: events end when a test says so.
#ifndef WARPYARD_TESTS_UNIT_ENGINE_FAKE_WORKERS_H_
#define WARPYARD_TESTS_UNIT_ENGINE_FAKE_WORKERS_H_

#include <gtest/gtest.h>

#include <cstddef>
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
#include "core/engine/device_workers.h"

namespace warpyard {

/// What a test knows of an event that was started.
struct Known {
  std::optional<absl::StatusOr<procedure::StageTimes>> end;  // set by the test
  int cancels = 0;
  std::size_t jobs = 1;
  policy::EventAttributes attributes;
};

class FakeEvent final : public model::StartedEvent {
 public:
  explicit FakeEvent(std::shared_ptr<Known> known) : known_(std::move(known)) {}
  std::optional<absl::StatusOr<procedure::StageTimes>> TakeEnd() override { return known_->end; }
  void Cancel() override { ++known_->cancels; }

 private:
  const std::shared_ptr<Known> known_;
};

/// Workers that only start events.
class FakeWorkers final : public DeviceWorkers {
 public:
  absl::StatusOr<procedure::StageTimes> Run(const procedure::AnyJob&,
                                            const policy::EventAttributes&,
                                            const procedure::CancelToken&) override {
    return absl::InternalError("blocks");
  }
  absl::StatusOr<std::unique_ptr<model::StartedEvent>> Start(const procedure::AnyJob&,
                                                             const policy::EventAttributes& with,
                                                             Bell&) override {
    if (!refusal.ok()) return refusal;
    ++asked;
    if (with.deadline_ns == policy::kNoDeadline ? is_full : is_full_for_deadlines) return nullptr;
    events.push_back(std::make_shared<Known>());
    events.back()->attributes = with;
    return std::make_unique<FakeEvent>(events.back());
  }
  bool RingsBells() const override { return true; }
  std::uint64_t BatchKey(const procedure::AnyJob& job) const override {
    return *static_cast<const std::uint64_t*>(job.bytes);
  }
  std::size_t BatchedBytes() const override { return sizeof(std::uint64_t); }
  absl::StatusOr<std::unique_ptr<model::StartedEvent>> StartBatch(
      std::span<const procedure::AnyJob> jobs, BatchMemory& memory,
      const policy::EventAttributes& attributes, Bell& bell) override {
    EXPECT_GE(memory.sources.size(), jobs.size() * BatchedBytes());
    EXPECT_GE(memory.jobs.size(), jobs.size() * BatchedBytes());
    auto event = Start(jobs[0], attributes, bell);
    if (event.ok() && *event != nullptr) events.back()->jobs = jobs.size();
    return event;
  }
  bool CallsFinish() const override { return true; }
  std::uint32_t Workers() const override { return 1; }
  std::uint32_t Blocks() const override { return 1; }
  model::ModelStatistics Statistics() const override { return {}; }
  absl::Status Health() const override { return absl::OkStatus(); }
  absl::Status RunQuietly(const std::function<absl::Status()>& work) override { return work(); }
  std::span<const char* const> ProcedureNames() const override { return {}; }
  bool HasQueue(std::uint32_t) const override { return false; }

  absl::Status refusal;
  bool is_full = false, is_full_for_deadlines = false;
  int asked = 0;  // for an event
  std::vector<std::shared_ptr<Known>> events;
};

}  // namespace warpyard

#endif  // WARPYARD_TESTS_UNIT_ENGINE_FAKE_WORKERS_H_
