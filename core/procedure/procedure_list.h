// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The compile-time list of the procedures of a program: ids, names, traits, dispatch.
#ifndef WARPYARD_CORE_PROCEDURE_PROCEDURE_LIST_H_
#define WARPYARD_CORE_PROCEDURE_PROCEDURE_LIST_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <tuple>
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

  /// The most elements that one element of any procedure may spawn.
  static constexpr std::uint32_t kMaxSpawns = std::max({MaxSpawnsOf<Ps>()...});

  /// The same for procedures of single threads, whose elements may share a round.
  static constexpr std::uint32_t kMaxSpawnsOfItems =
      std::max({0u, (ThreadsOf<Ps>() == 1 ? MaxSpawnsOf<Ps>() : 0u)...});

  /// The threads of a group that executes an element of P, where a block has `threads`.
  template <class P>
  static constexpr std::uint32_t GroupOf(std::uint32_t threads) {
    return ThreadsOf<P>() == kWholeBlock || ThreadsOf<P>() > threads ? threads : ThreadsOf<P>();
  }

  /// Whether all groups of more threads than `least` and fewer than `most` have as many.
  static constexpr bool HaveOneTeamSize(std::uint32_t least, std::uint32_t most) {
    std::uint32_t found = 0;
    bool one = true;
    const auto look = [&](std::uint32_t threads) {
      if (threads <= least || threads >= most) return;
      one = one && (found == 0 || found == threads);
      found = threads;
    };
    (look(GroupOf<Ps>(most)), ...);
    return one;
  }

  /// The threads of groups of more than `least` threads, of which HaveOneTeamSize; 0: none.
  static constexpr std::uint32_t TeamSize(std::uint32_t least, std::uint32_t most) {
    return std::max(
        {0u, (GroupOf<Ps>(most) > least && GroupOf<Ps>(most) < most ? GroupOf<Ps>(most) : 0u)...});
  }

  /// Shared memory that each worker of `lanes` threads brings along: enough for all groups of a
  /// procedure that run in it together, and its part of what a team of workers needs.
  static constexpr std::size_t SharedBytes(std::uint32_t lanes, std::uint32_t workers = 1) {
    return std::max({SharedBytesOf<Ps>(lanes, workers)...});
  }

  /// Position of P in the list.
  template <class P>
  static constexpr ProcedureId IndexOf() {
    std::uint32_t index = 0;
    bool found = false;
    ((found = found || std::is_same_v<P, Ps>, index += found ? 0u : 1u), ...);
    return ProcedureId(index);
  }

  /// GroupOf the procedure with this id.
  static constexpr std::uint32_t Threads(std::uint32_t id, std::uint32_t threads) {
    return Select(id, GroupOf<Ps>(threads)...);
  }
  static constexpr std::uint32_t MaxSpawns(std::uint32_t id) {
    return Select(id, MaxSpawnsOf<Ps>()...);
  }

  /// Whether elements are single threads, which run beside those of other such procedures.
  static constexpr bool IsItem(std::uint32_t id) {
    return Select(id, (ThreadsOf<Ps>() == 1 ? 1u : 0u)...) != 0;
  }

  static constexpr bool IsSpawnedId(std::uint32_t id) {
    return Select(id, (IsSpawned<Ps>() ? 1u : 0u)...) != 0;
  }

  static constexpr bool IsUnevenId(std::uint32_t id) {
    return Select(id, (IsUneven<Ps>() ? 1u : 0u)...) != 0;
  }

  /// Calls visitor.Visit<P>() for the procedure with this id.
  template <class Visitor>
  WY_INLINED WY_HD static void Visit(std::uint32_t id, Visitor& visitor) {
    VisitAmong<0, kCount>(id, visitor);
  }

  /// Executes an element of the procedure with this id. @scope the group
  template <class Scope, class Job>
  WY_HD static void Execute(std::uint32_t id, Context<Scope, Job>& context,
                            const std::uint32_t (&payload)[2]) {
    ElementVisitor<Scope, Job> visitor{context, payload};
    Visit(id, visitor);
  }

  /// The same for procedures of single threads.
  template <class Scope, class Job>
  WY_HD static void ExecuteItem(std::uint32_t id, Context<Scope, Job>& context,
                                const std::uint32_t (&payload)[2]) {
    ItemVisitor<Scope, Job> visitor{context, payload};
    Visit(id, visitor);
  }

  /// Executes an element of P.
  template <class P, class Scope, class Job>
  WY_HD static void ExecuteOne(Context<Scope, Job>& context, const std::uint32_t (&payload)[2]) {
    typename P::Item item;
    memcpy(&item, payload, sizeof item);
    P::Execute(context, item);
  }

 private:
  /// Halves the procedures, since their code is long: a chain of comparisons would fetch
  /// instructions from as many places as there are procedures.
  template <std::uint32_t kFirst, std::uint32_t kEnd, class Visitor>
  WY_INLINED WY_HD static void VisitAmong(std::uint32_t id, Visitor& visitor) {
    if constexpr (kEnd - kFirst == 1) {
      using P = std::tuple_element_t<kFirst, std::tuple<Ps...>>;
      if (id == kFirst) visitor.template Visit<P>();
    } else {
      constexpr std::uint32_t kMiddle = kFirst + (kEnd - kFirst) / 2;
      if (id < kMiddle) {
        VisitAmong<kFirst, kMiddle>(id, visitor);
      } else {
        VisitAmong<kMiddle, kEnd>(id, visitor);
      }
    }
  }

  template <class Scope, class Job>
  struct ElementVisitor {
    Context<Scope, Job>& context;
    const std::uint32_t (&payload)[2];

    template <class P>
    WY_INLINED WY_HD void Visit() {
      ExecuteOne<P>(context, payload);
    }
  };
  template <class Scope, class Job>
  struct ItemVisitor {
    Context<Scope, Job>& context;
    const std::uint32_t (&payload)[2];

    template <class P>
    WY_INLINED WY_HD void Visit() {
      if constexpr (ThreadsOf<P>() == 1) {
        static_assert(P::kSharedBytes == 0, "items have registers, not shared memory");
        ExecuteOne<P>(context, payload);
      }
    }
  };

  template <class P>
  static constexpr std::size_t SharedBytesOf(std::uint32_t lanes, std::uint32_t workers) {
    constexpr std::size_t kBytes = (P::kSharedBytes + 15) / 16 * 16;
    const std::uint32_t threads = GroupOf<P>(lanes * workers);
    if (threads <= lanes) return lanes / threads * kBytes;
    const std::uint32_t team = (threads + lanes - 1) / lanes;
    return (kBytes / team + 15) / 16 * 16;
  }

  template <class... Values>
  static constexpr std::uint32_t Select(std::uint32_t id, Values... values) {
    std::uint32_t found = 0, position = 0;
    ((found = position++ == id ? values : found), ...);
    return found;
  }
};

namespace internal {

/// The list, and behind it each of Ps that it does not have.
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
