// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The order of instances in a result: by building, and then by the paths that made them.
#ifndef WARPYARD_CORE_WORKLOAD_GRAMMAR_DERIVATION_ORDER_H_
#define WARPYARD_CORE_WORKLOAD_GRAMMAR_DERIVATION_ORDER_H_

#include <cstdint>
#include <span>
#include <vector>

#include "core/procedure/event_runner.h"
#include "core/workload/grammar/grammar_types.h"

namespace warpyard::grammar {

/// Sorts the instances of some buildings. After a cancel the result is only as long as it should
/// be.
/// @shape instances: buildings from first_building on
Instances Ordered(std::span<const Instance> instances, std::uint32_t first_building,
                  std::uint32_t buildings, const procedure::CancelToken& token);

/// What instances add to the statistics of a derivation.
struct InstanceSums {
  std::uint64_t checksum = 0;
  std::uint64_t coarse = 0;
  std::uint64_t triangles = 0;
  std::vector<std::uint64_t> of_rules;  ///< instances, by Instance::rule
};
InstanceSums SumsOf(std::span<const Instance> instances, const GrammarInfo& info);

/// A sum over the bytes of all instances that does not depend on their order.
std::uint64_t ChecksumOf(std::span<const Instance> instances);

}  // namespace warpyard::grammar

#endif  // WARPYARD_CORE_WORKLOAD_GRAMMAR_DERIVATION_ORDER_H_
