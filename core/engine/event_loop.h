// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The events of the jobs that share a carrier (dispatch/job_loop.h).
#ifndef WARPYARD_CORE_ENGINE_EVENT_LOOP_H_
#define WARPYARD_CORE_ENGINE_EVENT_LOOP_H_

#include <cstddef>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/base/bell.h"
#include "core/base/macros.h"
#include "core/dispatch/job_loop.h"
#include "core/engine/device_workers.h"
#include "core/policy/policy.h"
#include "core/procedure/any_job.h"
#include "core/procedure/event_runner.h"

namespace warpyard {

/// @scope one carrier
class EventLoop final : public dispatch::JobLoop {
 public:
  /// @shape bell: the carrier's; both outlive the object
  EventLoop(DeviceWorkers& workers, Bell& bell) : workers_(workers), bell_(bell) {}

  /// As EventRunner::Start. Poll calls `ended`.
  absl::Status Start(const procedure::AnyJob& job, const policy::EventAttributes& attributes,
                     const procedure::CancelToken& token, procedure::EventEnded ended) {
    events_.reserve(events_.size() + 1);  // an event that runs must not be lost for want of memory
    WY_ASSIGN_OR_RETURN(auto event, workers_.Start(job, attributes, bell_));
    events_.push_back({std::move(event), &token, std::move(ended)});
    return absl::OkStatus();
  }

  bool Poll() override {
    bool any = false;
    for (std::size_t i = 0; i < events_.size();) {
      Event& event = events_[i];
      if (event.token->Cancelled()) event.event->Cancel();
      auto end = event.event->TakeEnd();
      if (!end.has_value()) {
        ++i;
        continue;
      }
      any = true;
      const procedure::EventEnded ended = std::move(event.ended);
      if (i + 1 < events_.size()) std::swap(event, events_.back());
      events_.pop_back();
      ended(*std::move(end));  // may start the job's next event
    }
    return any;
  }

  std::size_t Waiting() const override { return events_.size(); }
  bool RingsBell() const override { return workers_.RingsBells(); }

 private:
  struct Event {
    std::unique_ptr<model::StartedEvent> event;
    const procedure::CancelToken* token;
    procedure::EventEnded ended;
  };

  DeviceWorkers& workers_;
  Bell& bell_;
  std::vector<Event> events_;
};

}  // namespace warpyard

#endif  // WARPYARD_CORE_ENGINE_EVENT_LOOP_H_
