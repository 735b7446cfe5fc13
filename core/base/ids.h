// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Strong identifiers: a resident cannot be passed where a job is meant.
#ifndef WARPYARD_CORE_BASE_IDS_H_
#define WARPYARD_CORE_BASE_IDS_H_

#include <compare>
#include <concepts>
#include <cstdint>

namespace warpyard {

/// An identifier of one kind of object; 0 is never used.
template <class Tag>
struct Id {
  std::uint64_t value = 0;
  friend auto operator<=>(const Id&, const Id&) = default;
};

/// A small number that names one of several things, such as a procedure of a program. It serves as
/// an index. A number of another kind, or a count, does not convert to it.
template <class Tag>
class Number {
 public:
  constexpr Number() = default;
  explicit constexpr Number(std::uint32_t value) : value_(value) {}
  constexpr operator std::uint32_t() const { return value_; }  // NOLINT: on purpose

  /// The number `offset` places after this one.
  template <std::integral Offset>
  friend constexpr Number operator+(Number number, Offset offset) {
    return Number(number.value_ + static_cast<std::uint32_t>(offset));
  }

 private:
  std::uint32_t value_ = 0;
};

/// Position of a procedure in the list of a program.
using ProcedureId = Number<struct ProcedureTag>;
/// One of the priorities that a procedure may give an element, 0 first.
using Level = Number<struct LevelTag>;

using ResidentId = Id<struct ResidentTag>;
using JobId = Id<struct JobTag>;

}  // namespace warpyard

#endif  // WARPYARD_CORE_BASE_IDS_H_
