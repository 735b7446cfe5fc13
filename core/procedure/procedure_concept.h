// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A procedure: a function that a block runs for one queued element. [Steinberger §3.1]
#ifndef WARPYARD_CORE_PROCEDURE_PROCEDURE_CONCEPT_H_
#define WARPYARD_CORE_PROCEDURE_PROCEDURE_CONCEPT_H_

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "core/base/macros.h"

namespace warpyard::procedure {

/// What a procedure declares beside `template <class Scope> static void Execute(Context<Scope,
/// Job>&, const Item&)`:
///   Item          what is queued: trivially copyable, at most 8 bytes in this release
///   kSharedBytes  memory of the block that it uses
///   kName         its name in metrics and profiler ranges: the class name
/// Here every procedure is a work package: the whole block executes one element. Items and item
/// sets come with the versatile megakernel.
template <class P>
concept Procedure = requires {
  requires std::is_trivially_copyable_v<typename P::Item>;
  requires sizeof(typename P::Item) <= 8;
  {P::kSharedBytes + std::size_t{0}};
  {P::kName[0]};
};

/// The element of all data-parallel procedures: indices [begin, end) of a stage.
struct Range {
  std::uint32_t begin;
  std::uint32_t end;
};

/// What a running procedure sees: its block and the job of its event.
template <class Scope, class Job>
struct Context {
  Scope& scope;
  Job& job;
  std::uint32_t* cancel = nullptr;  ///< the event's cancel word, if it has one

  /// Whether the event is to end: procedures that run long ask now and then. @scope the block
  WY_HD bool Cancelled() {
    std::uint32_t cancelled = 0;
    if (scope.Rank() == 0 && cancel != nullptr) cancelled = Scope::Word(*cancel).LoadRelaxed();
    return scope.Broadcast(cancelled) != 0;
  }

  /// The block's scratch memory as a T. @scope the block; contents do not outlive the element
  template <class T>
  WY_HD T& Shared() {
    return *reinterpret_cast<T*>(scope.Shared());
  }
};

/// One stage of an event: `count` indices for procedure `procedure`, `grain` of them an element.
struct StagePlan {
  std::uint32_t procedure;
  std::uint32_t count;
  std::uint32_t grain;
};

}  // namespace warpyard::procedure

#endif  // WARPYARD_CORE_PROCEDURE_PROCEDURE_CONCEPT_H_
