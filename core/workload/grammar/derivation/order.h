// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The order of instances in a result: by building, and then by the paths that made them.
#ifndef WARPYARD_CORE_WORKLOAD_GRAMMAR_DERIVATION_ORDER_H_
#define WARPYARD_CORE_WORKLOAD_GRAMMAR_DERIVATION_ORDER_H_

#include <cstdint>
#include <span>
#include <vector>

#include "core/workload/grammar/grammar_types.h"

namespace warpyard::grammar {

/// Sorts the instances of some buildings. @shape instances: buildings from first_building on
std::vector<Instance> Ordered(std::span<const Instance> instances, std::uint32_t first_building,
                              std::uint32_t buildings);

/// A sum over the bytes of all instances that does not depend on their order.
std::uint64_t ChecksumOf(std::span<const Instance> instances);

}  // namespace warpyard::grammar

#endif  // WARPYARD_CORE_WORKLOAD_GRAMMAR_DERIVATION_ORDER_H_
