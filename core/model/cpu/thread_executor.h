// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Executes elements on a worker of one thread, whatever number of threads their procedures want.
#ifndef WARPYARD_CORE_MODEL_CPU_THREAD_EXECUTOR_H_
#define WARPYARD_CORE_MODEL_CPU_THREAD_EXECUTOR_H_

#include "core/model/worker/own_stack.h"
#include "core/model/worker/worker.h"
#include "core/procedure/element.h"

namespace warpyard::model {

template <class Scope, class Space>
class ThreadExecutor {
 public:
  static constexpr bool kTeams = false;

  ThreadExecutor(Scope& scope, Space& space) : scope_(scope), space_(space) {}

  bool IsWanted() const { return false; }
  bool Close() const { return true; }
  void PostsNothing() const {}

  void Run(const Round&, const procedure::Element& element, procedure::SpawnBuffer& spawns) {
    auto context = MakeContext(scope_, space_, spawns, element.head);
    Space::Procedures::Execute(element.Procedure(), context, element.payload);
  }

 private:
  Scope& scope_;
  Space& space_;
};

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_CPU_THREAD_EXECUTOR_H_
