// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Executes elements on a worker of one thread, whatever number of threads their procedures want.
#ifndef WARPYARD_CORE_MODEL_CPU_THREAD_EXECUTOR_H_
#define WARPYARD_CORE_MODEL_CPU_THREAD_EXECUTOR_H_

#include <cstdint>

#include "core/model/worker/stack/own_stack.h"
#include "core/model/worker/workspace.h"
#include "core/procedure/element.h"

namespace warpyard::model {

template <class Scope, class Space>
class ThreadExecutor {
 public:
  static constexpr bool kTeams = false;

  /// @shape in_block: the worker's place in its block
  ThreadExecutor(Scope& scope, Space& space, std::uint32_t in_block = 0)
      : scope_(scope), space_(space), in_block_(in_block) {}

  bool IsWanted(bool) const { return false; }
  void Join(bool) const {}
  bool Close() const { return true; }
  void Dissolve() const {}
  bool StaysForTeam() const { return false; }
  bool Leads() const { return false; }
  bool Wants() const { return false; }
  bool YieldToUrgent() const { return false; }
  std::uint32_t Members() const { return 1u << in_block_; }

  /// See WarpExecutor::Run.
  template <class ClaimMore>
  void Run(const Round& round, const procedure::Element& mine, procedure::SpawnBuffer& spawns,
           ClaimMore& claim_more) {
    procedure::Element element = mine;
    bool goes_on = false;
    do {
      auto context = MakeContext(scope_, space_, spawns, element.head);
      Space::Procedures::Execute(round.procedure, context, element.payload);
      goes_on = Space::Procedures::IsUnevenId(round.procedure) &&
                (context.TakeRest(element) || claim_more(element));
    } while (goes_on);
  }

 private:
  Scope& scope_;
  Space& space_;
  const std::uint32_t in_block_;
};

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_CPU_THREAD_EXECUTOR_H_
