// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A procedure: a function that a group of threads runs for one queued element. [Steinberger §3.1]
#ifndef WARPYARD_CORE_PROCEDURE_PROCEDURE_CONCEPT_H_
#define WARPYARD_CORE_PROCEDURE_PROCEDURE_CONCEPT_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "core/base/ids.h"
#include "core/base/macros.h"
#include "core/procedure/element.h"

namespace warpyard::procedure {

/// A procedure declares `template <class Scope> static void Execute(Context<Scope, Job>&, const
/// Item&)` and:
///   Item          the queued data: trivially copyable, at most 8 bytes
///   kSharedBytes  shared memory of its group; 0 where that is a single thread
///   kName         its name in metrics and profiler ranges: the class name
/// and, where the default does not fit:
///   kThreads      1: work item; 2 to 32: item set; more: work package. Default: kWholeBlock
///   kMaxSpawns    the most elements that one element may spawn. Default: none
///   kSpawned      whether it may be spawned, and not only run as a stage. Default: false
///   kUneven       see IsUneven; needs at least 32 threads and no spawns. Default: false
/// On CPU threads every group is one thread, whatever kThreads says.
template <class P>
concept Procedure = requires {
  requires std::is_trivially_copyable_v<typename P::Item>;
  requires sizeof(typename P::Item) <= 8;
  {P::kSharedBytes + std::size_t{0}};
  {P::kName[0]};
};

/// All worker threads of a block.
inline constexpr std::uint32_t kWholeBlock = 0;

template <class P>
constexpr std::uint32_t ThreadsOf() {
  if constexpr (requires { P::kThreads; }) {
    return P::kThreads;
  } else {
    return kWholeBlock;
  }
}

template <class P>
constexpr std::uint32_t MaxSpawnsOf() {
  if constexpr (requires { P::kMaxSpawns; }) {
    return P::kMaxSpawns;
  } else {
    return 0;
  }
}

template <class P>
constexpr bool IsSpawned() {
  if constexpr (requires { P::kSpawned; }) {
    return P::kSpawned;
  } else {
    return false;
  }
}

/// Whether a group executes all indices of a claim as one element, and then claims more of the
/// stage: costs vary widely, or stages are short.
template <class P>
constexpr bool IsUneven() {
  if constexpr (requires { P::kUneven; }) {
    return P::kUneven;
  } else {
    return false;
  }
}

/// What P declares, for a procedure that runs P in another program to derive from.
template <class P>
struct SameDeclarations {
  using Item = typename P::Item;
  static constexpr std::size_t kSharedBytes = P::kSharedBytes;
  static constexpr const char* kName = P::kName;
  static constexpr std::uint32_t kThreads = ThreadsOf<P>();
  static constexpr std::uint32_t kMaxSpawns = MaxSpawnsOf<P>();
  static constexpr bool kSpawned = IsSpawned<P>();
  static constexpr bool kUneven = IsUneven<P>();
};

/// The element of all data-parallel procedures: indices [begin, end) of a stage.
struct Range {
  std::uint32_t begin;
  std::uint32_t end;
};

/// Why an event ends early; the host reads it.
enum class EventError : std::uint32_t { kNone, kNoRoom, kProcedure };

/// The view of a running procedure: its group, the job of its event, and the place of its spawns.
template <class Scope, class Job>
struct Context {
  Scope& scope;
  Job& job;
  std::uint32_t* cancel = nullptr;  ///< the event's cancel word, if it has one
  SpawnBuffer* spawns = nullptr;
  std::uint32_t head = 0;                ///< of the running element
  std::uint32_t first_procedure = 0;     ///< id of the workload's first procedure in the program
  std::uint32_t* error = nullptr;        ///< the event's EventError
  const std::uint32_t* stage = nullptr;  ///< the event's stage that runs, if it has one
  Range rest{0, 0};  ///< what an uneven element of several jobs leaves to be executed next

  /// Whether the event is to end. A long procedure asks now and then. @scope the group
  WY_HD bool Cancelled() {
    std::uint32_t cancelled = 0;
    if (scope.Rank() == 0 && cancel != nullptr) cancelled = Scope::Word(*cancel).LoadRelaxed();
    return scope.Broadcast(cancelled) != 0;
  }

  /// The group's scratch memory as a T. @scope the group; contents do not outlive the element
  template <class T>
  WY_HD T& Shared() {
    return *reinterpret_cast<T*>(scope.Shared());
  }

  /// Queues an element of the same event for a procedure with kSpawned; one element may spawn
  /// kMaxSpawns. Any thread of the group may write the memory that the Item refers to, if a barrier
  /// of the group follows before the spawn. @shape procedure: in the workload's list
  /// @scope any one thread of the group
  template <class Item>
  WY_HD void Spawn(ProcedureId procedure, const Item& item) {
    SpawnIn(BucketOf(head), procedure, item);
  }

  /// The same, but the element waits at a level, 0 first; all events share the levels.
  /// [Steinberger §5.2.2] @shape level: less than kLevels
  template <class Item>
  WY_HD void SpawnAt(Level level, ProcedureId procedure, const Item& item) {
    Scope::BlockWord(spawns->levels).StoreRelaxed(1);
    SpawnIn(BucketOfLevel(level), procedure, item);
  }

  /// Index of the running procedure in the workload's list.
  WY_HD ProcedureId OwnProcedure() const {
    return ProcedureId(ProcedureOf(head) - first_procedure);
  }

  /// Makes the rest of the running element the next one. Returns false if there is none.
  WY_HD bool TakeRest(Element& element) const {
    if (rest.begin == rest.end) return false;
    memcpy(element.payload, &rest, sizeof rest);
    return true;
  }

  /// Ends the event with an error when the elements that run now are done. @scope any thread
  WY_HD void Fail() {
    if (error != nullptr) {
      Scope::Word(*error).StoreRelaxed(static_cast<std::uint32_t>(EventError::kProcedure));
    }
  }

 private:
  template <class Item>
  WY_HD void SpawnIn(std::uint32_t bucket, ProcedureId procedure, const Item& item) {
    static_assert(std::is_trivially_copyable_v<Item> && sizeof(Item) <= 8);
    Element element{MakeHead(EventOf(head), first_procedure + procedure, bucket), {0, 0}};
    memcpy(element.payload, &item, sizeof item);
    const std::uint32_t place = spawns->common ? Scope::CountUp(spawns->count)
                                               : Scope::BlockWord(spawns->count).FetchAddRelaxed(1);
    spawns->elements[place] = element;
  }
};

/// One stage of an event: `count` indices for a procedure, `grain` of them an element.
struct StagePlan {
  ProcedureId procedure;
  std::uint32_t count = 0;
  std::uint32_t grain = 1;
};

}  // namespace warpyard::procedure

#endif  // WARPYARD_CORE_PROCEDURE_PROCEDURE_CONCEPT_H_
