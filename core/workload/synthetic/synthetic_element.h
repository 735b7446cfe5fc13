// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The common part of all synthetic procedures: the fault of an element, its work, and its trace.
#ifndef WARPYARD_CORE_WORKLOAD_SYNTHETIC_SYNTHETIC_ELEMENT_H_
#define WARPYARD_CORE_WORKLOAD_SYNTHETIC_SYNTHETIC_ELEMENT_H_

#include <cstdint>

#include "core/base/macros.h"
#include "core/procedure/procedure_concept.h"
#include "core/workload/synthetic/synthetic_job.h"
#include "core/workload/synthetic/synthetic_node.h"
#include "core/workload/synthetic/synthetic_work.h"

namespace warpyard::synthetic {

/// Number of an element in the order in which elements begin. @scope one thread of the group
template <class Scope>
WY_HD std::uint64_t TakeTurn(const SyntheticJob& job) {
  return Scope::Word(job.results->started).FetchAddRelaxed(1);
}

/// @scope the group
template <class Scope>
WY_HD void RunFault(Context<Scope, SyntheticJob>& context) {
  switch (context.job.fault) {
    case Fault::kNone:
      return;
    case Fault::kFail:
      return context.Fail();
    case Fault::kWildStore: {
      // No allocation can be at this address, because it is too far from all mapped memory.
      const auto wild = reinterpret_cast<std::uintptr_t>(context.job.results) ^ std::uintptr_t{1}
                                                                                    << 46;
      return Scope::Word(*reinterpret_cast<std::uint32_t*>(wild)).StoreRelaxed(1);
    }
    case Fault::kNeverReturn:
      for (std::uint32_t round = 0;; round = 1) Scope::Pause(round);
  }
}

/// @scope the group
template <class Scope>
WY_HD void Count(Context<Scope, SyntheticJob>& context, std::uint32_t hash, std::uint32_t type) {
  const SyntheticJob& job = context.job;
  if (job.counting == Counting::kOff) return;
  SyntheticCounters& part = job.results->parts[hash % SyntheticResults::kParts];
  if (context.scope.Rank() == 0) {
    Scope::Word(part.executed).FetchAddRelaxed(1);
    Scope::Word(part.checksum).FetchAddRelaxed(ChecksumOf(hash, type));
  }
  if (job.counting != Counting::kThreads) return;
  Scope::Word(part.threads).FetchAddRelaxed(1);
  if (context.scope.Broadcast(hash) != hash) context.Fail();
}

/// An element, and the properties that the procedure has computed.
struct ElementView {
  Node node;
  std::uint32_t hash;    ///< NodeHash of the node
  std::uint32_t type;    ///< kTree: of the procedure; else 0
  std::uint32_t detail;  ///< for the trace
};

/// When an element began: its time, and its number among all elements. @shape of rank 0 of a traced
/// job
struct Beginning {
  std::uint64_t turn = 0;
  std::uint64_t ns = 0;
};

/// Does the element's work and then calls then(), which spawns. @scope the group
template <class Scope, class Then>
WY_HD void RunElement(Context<Scope, SyntheticJob>& context, const ElementView& view,
                      const Beginning& begin, Then&& then) {
  const SyntheticJob& job = context.job;
  if (job.fault != Fault::kNone && view.node.depth == 0 && view.node.id == job.fault_at) {
    RunFault(context);
  }
  RunWork(context, view.hash);
  Count(context, view.hash, view.type);
  then();
  if (job.trace == nullptr) return;
  context.scope.Barrier();  // the element must not end before its last thread
  if (context.scope.Rank() == 0 && begin.turn < job.trace_capacity) {
    job.trace[begin.turn] = {view.node.id, view.detail, begin.ns, Scope::NowNs()};
  }
}

/// As the function above, for procedures that need no number.
template <class Scope, class Then>
WY_HD void RunElement(Context<Scope, SyntheticJob>& context, const ElementView& view, Then&& then) {
  Beginning begin;
  if (context.job.trace != nullptr && context.scope.Rank() == 0) {
    begin.ns = Scope::NowNs();
    begin.turn = TakeTurn<Scope>(context.job);
  }
  RunElement(context, view, begin, then);
}

}  // namespace warpyard::synthetic

#endif  // WARPYARD_CORE_WORKLOAD_SYNTHETIC_SYNTHETIC_ELEMENT_H_
