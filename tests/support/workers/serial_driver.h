// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Runs an event of a program on the calling thread, one element after the other: the execution
// model for tests of procedures.
#ifndef WARPYARD_TESTS_SUPPORT_WORKERS_SERIAL_DRIVER_H_
#define WARPYARD_TESTS_SUPPORT_WORKERS_SERIAL_DRIVER_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <map>
#include <vector>

#include "core/base/macros.h"
#include "core/exec/thread_scope.h"
#include "core/procedure/element.h"
#include "core/procedure/procedure_concept.h"

namespace warpyard::test_support {

/// The order of the elements that wait in a bucket. Buckets are drawn in order, lowest first.
enum class SerialOrder { kOldestFirst, kNewestFirst };

/// What a run did. @shape executed: elements of each procedure
template <class Program>
struct SerialReport {
  std::array<std::uint64_t, Program::Procedures::kCount> executed{};
  std::uint64_t most_waiting = 0;
  procedure::EventError error = procedure::EventError::kNone;

  template <class P>
  std::uint64_t Executed() const {
    return executed[Program::Procedures::template IndexOf<P>()];
  }
};

template <class Program>
class SerialDriver {
 public:
  using Job = typename Program::Job;
  using List = typename Program::Procedures;

  explicit SerialDriver(SerialOrder order = SerialOrder::kOldestFirst) : order_(order) {}

  /// Runs all stages of `job`, or stops when a procedure fails.
  SerialReport<Program> Run(Job job) {
    report_ = {};
    waiting_.clear();
    for (std::uint32_t stage = 0; stage < Program::StageCount(job); ++stage) {
      QueueStage(Program::template Plan<exec::ThreadScope>(job, stage));
      while (!waiting_.empty() && report_.error == procedure::EventError::kNone) {
        Execute(job, Take());
      }
    }
    return report_;
  }

 private:
  using Element = procedure::Element;

  void QueueStage(const procedure::StagePlan& plan) {
    for (std::uint32_t begin = 0; begin < plan.count; begin += plan.grain) {
      Put({procedure::MakeHead(0, plan.procedure, 0),
           {begin, begin + std::min(plan.grain, plan.count - begin)}});
    }
  }

  void Put(const Element& element) {
    waiting_[element.Bucket()].push_back(element);
    std::uint64_t size = 0;
    for (const auto& [bucket, elements] : waiting_) size += elements.size();
    report_.most_waiting = std::max(report_.most_waiting, size);
  }

  Element Take() {
    const auto bucket = waiting_.begin();
    std::deque<Element>& elements = bucket->second;
    const bool oldest = order_ == SerialOrder::kOldestFirst;
    const Element element = oldest ? elements.front() : elements.back();
    if (oldest) {
      elements.pop_front();
    } else {
      elements.pop_back();
    }
    if (elements.empty()) waiting_.erase(bucket);
    return element;
  }

  void Execute(Job& job, const Element& element) {
    std::vector<Element> spawned(List::kMaxSpawns + 1);
    procedure::SpawnBuffer spawns{0, spawned.data()};
    std::uint32_t error = 0;
    exec::ThreadScope scope(shared_.data());
    procedure::Context<exec::ThreadScope, Job> context{scope,        job, nullptr, &spawns,
                                                       element.head, 0,   &error};
    List::Execute(element.Procedure(), context, element.payload);
    WY_ASSERT(spawns.count <= List::MaxSpawns(element.Procedure()));
    ++report_.executed[element.Procedure()];
    report_.error = static_cast<procedure::EventError>(error);
    for (std::uint32_t i = 0; i < spawns.count; ++i) Put(spawned[i]);
  }

  const SerialOrder order_;
  SerialReport<Program> report_;
  std::map<std::uint32_t, std::deque<Element>> waiting_;
  alignas(16) std::array<std::byte, List::SharedBytes(1) + 16> shared_{};
};

}  // namespace warpyard::test_support

#endif  // WARPYARD_TESTS_SUPPORT_WORKERS_SERIAL_DRIVER_H_
