// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The compile-time list of the procedures of a program: ids, names, traits, dispatch.
#ifndef WARPYARD_CORE_PROCEDURE_PROCEDURE_LIST_H_
#define WARPYARD_CORE_PROCEDURE_PROCEDURE_LIST_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#include "core/base/macros.h"
#include "core/procedure/procedure_concept.h"

namespace warpyard::procedure {

template <Procedure... Ps>
struct ProcedureList {
  static_assert(((!IsUneven<Ps>() || (MaxSpawnsOf<Ps>() == 0 &&
                                      (ThreadsOf<Ps>() == kWholeBlock || ThreadsOf<Ps>() >= 32))) &&
                 ...),
                "groups of at least a warp claim, and have no room for what is spawned");

  static constexpr std::uint32_t kCount = sizeof...(Ps);
  static_assert(kCount <= kMaxProcedures,
                "a program has at most 256 procedures: an element names its procedure by a byte");

  /// @shape [kCount]; for the host
  static constexpr const char* kNames[] = {Ps::kName...};

  /// Procedures that may be spawned; each has a queue in every bucket.
  static constexpr std::uint32_t kSpawnedCount = ((IsSpawned<Ps>() ? 1u : 0u) + ... + 0u);

  /// The most elements that one element of any procedure may spawn.
  static constexpr std::uint32_t kMaxSpawns = std::max({MaxSpawnsOf<Ps>()...});

  /// As kMaxSpawns, but only for spawned procedures of single threads, whose elements may share a
  /// batch.
  static constexpr std::uint32_t kMaxSpawnsOfItems =
      std::max({0u, (IsSpawned<Ps>() && ThreadsOf<Ps>() == 1 ? MaxSpawnsOf<Ps>() : 0u)...});

  /// Shared memory of a block of `threads` worker threads: enough for all groups of a procedure
  /// that run together.
  static constexpr std::size_t SharedBytes(std::uint32_t threads) {
    return std::max({GroupsOf<Ps>(threads) * ((Ps::kSharedBytes + 15) / 16 * 16)...});
  }

  /// Groups of a procedure that fit a block. Item sets do not cross warps.
  template <class P>
  static constexpr std::uint32_t GroupsOf(std::uint32_t threads) {
    constexpr std::uint32_t kThreads = ThreadsOf<P>();
    if (kThreads == kWholeBlock || threads < 32 || threads < kThreads) return 1;
    return kThreads <= 32 ? threads / 32 * (32 / (kThreads == 0 ? 1 : kThreads))
                          : threads / (kThreads == 0 ? 1 : kThreads);
  }

  /// Position of P in the list.
  template <class P>
  static constexpr ProcedureId IndexOf() {
    std::uint32_t index = 0;
    bool found = false;
    ((found = found || std::is_same_v<P, Ps>, index += found ? 0u : 1u), ...);
    return ProcedureId(index);
  }

  /// Groups of the procedure with this id in a block.
  static constexpr std::uint32_t Groups(std::uint32_t id, std::uint32_t threads) {
    return Select(id, GroupsOf<Ps>(threads)...);
  }
  static constexpr std::uint32_t MaxSpawns(std::uint32_t id) {
    return Select(id, MaxSpawnsOf<Ps>()...);
  }

  /// Whether elements of the procedure are single threads, which may share a batch with elements of
  /// other such procedures.
  static constexpr bool IsItem(std::uint32_t id) {
    return Select(id, (ThreadsOf<Ps>() == 1 ? 1u : 0u)...) != 0;
  }

  static constexpr bool IsSpawnedId(std::uint32_t id) {
    return Select(id, (IsSpawned<Ps>() ? 1u : 0u)...) != 0;
  }

  static constexpr bool IsUnevenId(std::uint32_t id) {
    return Select(id, (IsUneven<Ps>() ? 1u : 0u)...) != 0;
  }

  /// Number of a procedure among the spawned ones.
  static constexpr std::uint32_t SpawnedIndex(std::uint32_t id) {
    std::uint32_t index = 0, position = 0;
    ((index += position++ < id && IsSpawned<Ps>() ? 1u : 0u), ...);
    return index;
  }

  /// The procedure with this number among the spawned ones.
  static constexpr ProcedureId OfSpawned(std::uint32_t index) {
    std::uint32_t found = 0, place = 0, position = 0;
    ((found = IsSpawned<Ps>() && place == index ? position : found,
      place += IsSpawned<Ps>() ? 1u : 0u, ++position),
     ...);
    return ProcedureId(found);
  }

  /// Calls visitor.Visit<P>() for the procedure with this id.
  template <class Visitor>
  WY_INLINED WY_HD static void Visit(std::uint32_t id, Visitor& visitor) {
    std::uint32_t position = 0;
    ((position++ == id ? visitor.template Visit<Ps>() : void()), ...);
  }

  /// Executes an element of the procedure with this id. @scope the group
  template <class Scope, class Job>
  WY_HD static void Execute(std::uint32_t id, Context<Scope, Job>& context,
                            const std::uint32_t (&payload)[2]) {
    std::uint32_t position = 0;
    ((position++ == id ? ExecuteOne<Ps>(context, payload) : void()), ...);
  }

  /// As Execute, for procedures of single threads.
  template <class Scope, class Job>
  WY_HD static void ExecuteItem(std::uint32_t id, Context<Scope, Job>& context,
                                const std::uint32_t (&payload)[2]) {
    std::uint32_t position = 0;
    ((position++ == id ? ExecuteIfItem<Ps>(context, payload) : void()), ...);
  }

  /// Executes an element of P.
  template <class P, class Scope, class Job>
  WY_HD static void ExecuteOne(Context<Scope, Job>& context, const std::uint32_t (&payload)[2]) {
    typename P::Item item;
    memcpy(&item, payload, sizeof item);
    P::Execute(context, item);
  }

 private:
  template <class P, class Scope, class Job>
  WY_HD static void ExecuteIfItem(Context<Scope, Job>& context, const std::uint32_t (&payload)[2]) {
    if constexpr (ThreadsOf<P>() == 1) {
      static_assert(P::kSharedBytes == 0, "items have registers, not shared memory");
      ExecuteOne<P>(context, payload);
    }
  }

  template <class... Values>
  static constexpr std::uint32_t Select(std::uint32_t id, Values... values) {
    std::uint32_t found = 0, position = 0;
    ((found = position++ == id ? values : found), ...);
    return found;
  }
};

namespace internal {

/// The list, followed by those of Ps that it does not have.
template <class List, class... Ps>
struct Appended {
  using Type = List;
};
template <class... Own, class P, class... Ps>
struct Appended<ProcedureList<Own...>, P, Ps...> {
  using Longer = std::conditional_t<(std::is_same_v<P, Own> || ...), ProcedureList<Own...>,
                                    ProcedureList<Own..., P>>;
  using Type = typename Appended<Longer, Ps...>::Type;
};

template <class List, class... Lists>
struct Joined {
  using Type = List;
};
template <class List, class... Ps, class... Lists>
struct Joined<List, ProcedureList<Ps...>, Lists...> {
  using Type = typename Joined<typename Appended<List, Ps...>::Type, Lists...>::Type;
};

}  // namespace internal

/// The procedures of all lists in their order, each once.
template <class... Lists>
using JoinedLists = typename internal::Joined<Lists...>::Type;

}  // namespace warpyard::procedure

#endif  // WARPYARD_CORE_PROCEDURE_PROCEDURE_LIST_H_
