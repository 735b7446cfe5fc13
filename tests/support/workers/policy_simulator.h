// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Workers that draw elements in the order of a policy, in simulated time.
//
// As on a device: the time of a worker is charged late; the policy is evaluated every few
// microseconds, and its order holds until the next evaluation; a new event ranks first until then;
// a running element is not stopped. Unlike on a device: a draw costs nothing.
#ifndef WARPYARD_TESTS_SUPPORT_WORKERS_POLICY_SIMULATOR_H_
#define WARPYARD_TESTS_SUPPORT_WORKERS_POLICY_SIMULATOR_H_

#include <algorithm>
#include <cstdint>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

#include "core/exec/thread_scope.h"
#include "core/policy/key.h"
#include "core/policy/policy.h"
#include "core/policy/ranks.h"
#include "core/policy/tenant_times.h"

namespace warpyard::test_support {

constexpr std::uint64_t kMs = 1'000'000;  ///< a millisecond in the simulator's unit

struct SimulatorShape {
  std::uint32_t workers = 16;
  std::uint64_t evaluation_ns = 5'000;  ///< between two evaluations of the policy
  std::uint64_t charge_ns = 8'000;      ///< time that a worker executes before it reports
};

struct SimulatedEvent {
  static constexpr std::uint64_t kEndless = ~std::uint64_t{0};

  policy::EventAttributes attributes;
  std::uint64_t arrival_ns = 0;
  std::uint64_t element_ns = 1'000;
  std::uint64_t elements = kEndless;

  // Results.
  std::uint64_t executed_ns = 0;
  std::uint64_t started_ns = 0;       ///< when a worker first drew from it
  std::uint64_t done_ns = 0;          ///< 0: not yet
  std::uint64_t longest_wait_ns = 0;  ///< between two draws
};

class PolicySimulator {
 public:
  static constexpr std::uint64_t kStart = 1'000'000'000'000;  ///< of time: clocks do not start at 0

  explicit PolicySimulator(const policy::PolicyOptions& options, const SimulatorShape& shape = {})
      : options_(options), shape_(shape), workers_(shape.workers) {
    idle_.resize(shape.workers, false);
    for (std::uint32_t w = 0; w < shape.workers; ++w) agenda_.push({kStart, kFirstWorker + w});
    agenda_.push({kStart, kController});
  }

  /// Adds an event that arrives at its arrival_ns, which is not before now; returns its number.
  std::uint32_t Add(SimulatedEvent event) {
    event.arrival_ns = std::max(event.arrival_ns, now_ns_);
    events_.push_back({event, {}, event.elements, 0});
    const auto number = static_cast<std::uint32_t>(events_.size() - 1);
    arrivals_.push({event.arrival_ns, number});
    agenda_.push({event.arrival_ns, kArrival});
    return number;
  }

  void RunUntil(std::uint64_t end_ns) {
    while (!agenda_.empty() && agenda_.top().first <= end_ns) {
      const auto [time_ns, actor] = agenda_.top();
      agenda_.pop();
      now_ns_ = time_ns;
      if (actor == kArrival) {
        FillSlots();
      } else if (actor == kController) {
        Evaluate();
        agenda_.push({now_ns_ + shape_.evaluation_ns, kController});
      } else {
        Draw(actor - kFirstWorker);
      }
    }
    now_ns_ = end_ns;
  }

  const SimulatedEvent& operator[](std::uint32_t number) const { return events_[number].event; }

 private:
  static constexpr std::uint32_t kSlots = 64;
  static constexpr std::uint32_t kNone = ~0u;
  // At the same time, events arrive first, and workers draw last.
  static constexpr std::uint32_t kArrival = 0, kController = 1, kFirstWorker = 2;

  struct Running {
    SimulatedEvent event;
    policy::EventView view;
    std::uint64_t to_draw;
    std::uint64_t drawn;
    std::uint64_t finished = 0;
    bool seen = false;
  };
  struct Worker {
    std::uint32_t runs = kNone;  ///< the event of the element that it executes
    std::uint32_t charges = kNone;
    std::uint64_t charged_ns = 0;
    bool served = false;
  };
  using Entry = std::pair<std::uint64_t, std::uint32_t>;
  using Agenda = std::priority_queue<Entry, std::vector<Entry>, std::greater<Entry>>;

  /// Starts events that have arrived while there are slots, and wakes the workers.
  void FillSlots() {
    for (std::uint32_t slot = 0; slot < kSlots; ++slot) {
      if (slots_[slot] != kNone) continue;
      if (arrivals_.empty() || arrivals_.top().first > now_ns_) break;
      const std::uint32_t number = arrivals_.top().second;
      arrivals_.pop();
      Start(slot, number);
    }
    for (std::uint32_t w = 0; w < shape_.workers; ++w) {
      if (idle_[w]) agenda_.push({now_ns_, kFirstWorker + w});
      idle_[w] = false;
    }
  }

  void Start(std::uint32_t slot, std::uint32_t number) {
    Running& running = events_[number];
    const policy::EventAttributes& attributes = running.event.attributes;
    running.view.deadline_ns = attributes.deadline_ns;
    running.view.arrival_ns = running.view.served_ns = now_ns_;
    running.view.expected_ns = attributes.expected_ns;
    running.view.priority = attributes.priority;
    running.view.tenant = attributes.tenant;
    slots_[slot] = number;
    charged_ns_[slot] = 0;
  }

  /// Does the work of model::RankKeeper.
  void Evaluate() {
    std::uint32_t active = 0;
    for (std::uint32_t slot = 0; slot < kSlots; ++slot) {
      if (slots_[slot] == kNone) continue;
      const policy::EventView& view = events_[slots_[slot]].view;
      policy::Charge(tenants_, options_, view.tenant, view.executed_ns - charged_ns_[slot]);
      charged_ns_[slot] = view.executed_ns;
      active |= 1u << view.tenant;
    }
    for (std::uint32_t tenant = 0; tenant < policy::kMaxTenants; ++tenant) {
      const bool came = (active & ~active_) >> tenant & 1u;
      if (came) policy::Activate(tenants_, tenant, active_ & active);
    }
    active_ = active;
    StartNewcomers();
    for (std::uint32_t slot = 0; slot < kSlots; ++slot) {
      keys_[slot] = slots_[slot] == kNone
                        ? 0
                        : policy::KeyOf(options_, events_[slots_[slot]].view, tenants_, now_ns_);
    }
    exec::ThreadScope group(nullptr);
    policy::ComputeRanks(group, keys_, ranks_);
  }

  void StartNewcomers() {
    policy::FairStart start;
    for (const std::uint32_t number : slots_) {
      if (number == kNone || !events_[number].seen) continue;
      start.Add(events_[number].view.begun_ns + events_[number].view.executed_ns);
    }
    for (const std::uint32_t number : slots_) {
      if (number == kNone || events_[number].seen) continue;
      events_[number].seen = true;
      events_[number].view.begun_ns = start.BegunNs();
    }
  }

  /// A worker ends its element and takes the next one, from the first event that has one.
  void Draw(std::uint32_t w) {
    Worker& worker = workers_[w];
    if (worker.runs != kNone) Finish(worker);
    std::uint32_t best = kNone;
    for (std::uint32_t slot = 0; slot < kSlots; ++slot) {
      if (slots_[slot] == kNone || events_[slots_[slot]].to_draw == 0) continue;
      if (best == kNone || ranks_[slot] < ranks_[best]) best = slot;
    }
    worker.runs = best == kNone ? kNone : slots_[best];
    if (worker.runs != worker.charges || !worker.served) TurnTo(worker, worker.runs);
    idle_[w] = best == kNone;
    if (best == kNone) return;
    Running& running = events_[worker.runs];
    if (running.drawn++ == 0) running.event.started_ns = now_ns_;
    if (running.to_draw != SimulatedEvent::kEndless) --running.to_draw;
    agenda_.push({now_ns_ + running.event.element_ns, kFirstWorker + w});
  }

  void TurnTo(Worker& worker, std::uint32_t number) {
    FlushCharge(worker);
    worker.charges = number;
    if (number == kNone) return;
    worker.served = true;
    Running& running = events_[number];
    const std::uint64_t waited_ns = now_ns_ - running.view.served_ns;
    running.event.longest_wait_ns = std::max(running.event.longest_wait_ns, waited_ns);
    running.view.served_ns = now_ns_;
  }

  void Finish(Worker& worker) {
    Running& running = events_[worker.runs];
    worker.charged_ns += running.event.element_ns;
    running.event.executed_ns += running.event.element_ns;
    if (worker.charged_ns >= shape_.charge_ns) FlushCharge(worker);
    if (++running.finished != running.event.elements) return;
    running.event.done_ns = now_ns_;
    *std::find(std::begin(slots_), std::end(slots_), worker.runs) = kNone;
    FillSlots();
  }

  void FlushCharge(Worker& worker) {
    if (worker.charges != kNone) events_[worker.charges].view.executed_ns += worker.charged_ns;
    worker.charged_ns = 0;
    worker.served = false;
  }

  static std::vector<std::uint32_t> Empty() { return std::vector<std::uint32_t>(kSlots, kNone); }

  const policy::PolicyOptions options_;
  const SimulatorShape shape_;
  std::uint64_t now_ns_ = kStart;
  Agenda agenda_;
  Agenda arrivals_;  ///< time and number of events that have no slot yet
  std::vector<Running> events_;
  std::vector<Worker> workers_;
  std::vector<bool> idle_;
  std::vector<std::uint32_t> slots_ = Empty();  ///< the event in each
  std::uint64_t charged_ns_[kSlots] = {};
  std::uint64_t keys_[kSlots] = {};
  std::uint16_t ranks_[kSlots] = {};
  policy::TenantTimes tenants_;
  std::uint32_t active_ = 0;
};

}  // namespace warpyard::test_support

#endif  // WARPYARD_TESTS_SUPPORT_WORKERS_POLICY_SIMULATOR_H_
