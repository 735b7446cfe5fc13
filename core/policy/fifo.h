// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Policy: first in, first out. The baseline for the others.
#ifndef WARPYARD_CORE_POLICY_FIFO_H_
#define WARPYARD_CORE_POLICY_FIFO_H_

#include <cstdint>

#include "core/policy/policy.h"

namespace warpyard::policy {

struct Fifo {
  static constexpr std::uint64_t Key(const PolicyOptions&, const EventView& event,
                                     const TenantTimes&, std::uint64_t) {
    return event.arrival_ns;
  }
};

}  // namespace warpyard::policy

#endif  // WARPYARD_CORE_POLICY_FIFO_H_
