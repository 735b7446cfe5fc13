// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The compile-time list of the procedures of a program: ids, names, dispatch.
#ifndef WARPYARD_CORE_PROCEDURE_PROCEDURE_LIST_H_
#define WARPYARD_CORE_PROCEDURE_PROCEDURE_LIST_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "core/base/macros.h"
#include "core/procedure/procedure_concept.h"

namespace warpyard::procedure {

template <Procedure... Ps>
struct ProcedureList {
  static constexpr std::uint32_t kCount = sizeof...(Ps);

  /// Shared memory that any of them needs.
  static constexpr std::size_t SharedBytes() {
    return std::max({std::size_t{Ps::kSharedBytes}...});
  }

  /// Position of P in the list.
  template <class P>
  static constexpr std::uint32_t IndexOf() {
    std::uint32_t index = 0;
    bool found = false;
    ((found = found || SameType<P, Ps>::value, index += found ? 0u : 1u), ...);
    return index;
  }

  /// @shape [kCount]
  static constexpr const char* kNames[] = {Ps::kName...};

  /// Executes an element of the procedure with this id.
  template <class Scope, class Job>
  WY_HD static void Execute(std::uint32_t id, Context<Scope, Job>& context, const Range& item) {
    ExecuteFrom(std::index_sequence_for<Ps...>{}, id, context, item);
  }

 private:
  template <class A, class B>
  struct SameType {
    static constexpr bool value = false;
  };
  template <class A>
  struct SameType<A, A> {
    static constexpr bool value = true;
  };

  template <std::size_t... kIds, class Scope, class Job>
  WY_HD static void ExecuteFrom(std::index_sequence<kIds...>, std::uint32_t id,
                                Context<Scope, Job>& context, const Range& item) {
    ((id == kIds ? Ps::Execute(context, item) : void()), ...);
  }
};

}  // namespace warpyard::procedure

#endif  // WARPYARD_CORE_PROCEDURE_PROCEDURE_LIST_H_
