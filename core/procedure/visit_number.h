// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Selects one of several pieces of code by a number.
#ifndef WARPYARD_CORE_PROCEDURE_VISIT_NUMBER_H_
#define WARPYARD_CORE_PROCEDURE_VISIT_NUMBER_H_

#include <cstdint>

#include "core/base/macros.h"

namespace warpyard::procedure {

/// Calls visit.operator()<k>() for the k in [kFirst, kEnd) that is `number`, if there is one.
/// Halves the numbers: the code of each is long, and a chain of comparisons would fetch
/// instructions from as many places.
template <std::uint32_t kFirst, std::uint32_t kEnd, class Visit>
WY_INLINED WY_HD void VisitNumber(std::uint32_t number, Visit& visit) {
  if constexpr (kEnd - kFirst == 1) {
    if (number == kFirst) visit.template operator()<kFirst>();
  } else {
    constexpr std::uint32_t kMiddle = kFirst + (kEnd - kFirst) / 2;
    if (number < kMiddle) {
      VisitNumber<kFirst, kMiddle>(number, visit);
    } else {
      VisitNumber<kMiddle, kEnd>(number, visit);
    }
  }
}

}  // namespace warpyard::procedure

#endif  // WARPYARD_CORE_PROCEDURE_VISIT_NUMBER_H_
