// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The memory of a derivation of one building without workers, for tests of what they compute.
#ifndef WARPYARD_TESTS_SUPPORT_GRAMMAR_DERIVE_MEMORY_H_
#define WARPYARD_TESTS_SUPPORT_GRAMMAR_DERIVE_MEMORY_H_

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/workload/grammar/job/derive_job.h"

namespace warpyard::test_support {

/// There is a rule for each stage: the rule with its number. Unit 0 is the context of all symbols.
class DeriveMemory {
 public:
  DeriveMemory() : rules_(grammar::kMostStages) {
    for (std::uint8_t stage = 0; stage < grammar::kMostStages; ++stage) rules_[stage].stage = stage;
    auto& context = Made<grammar::BuildingContext>();
    std::fill(std::begin(context.volumes), std::end(context.volumes), grammar::kNone);
    std::fill(std::begin(context.snap_lines), std::end(context.snap_lines), grammar::kNone);
  }

  /// Code that frames name by position.
  std::vector<grammar::Instruction> code;

  /// A unit for a T. Pointers to others stay valid only until the next one is made.
  template <class T>
  T& Made() {
    units_.emplace_back();
    return units_.back().As<T>();
  }
  std::uint32_t LastUnit() const { return static_cast<std::uint32_t>(units_.size() - 1); }

  /// Returns its unit. @shape stage: of the rule that makes it; parent: kNone or a unit
  std::uint32_t AddVolume(const grammar::Scope& scope, std::uint32_t label, std::uint32_t stage,
                          std::uint32_t parent = grammar::kNone) {
    const std::uint32_t next = Context().volumes[stage];
    Made<grammar::Volume>() = {scope, label, next, parent};
    return Context().volumes[stage] = LastUnit();
  }

  void AddSnapLines(const grammar::Vector3f& origin, const grammar::Vector3f& direction, float step,
                    std::uint32_t stage) {
    const std::uint32_t next = Context().snap_lines[stage];
    Made<grammar::SnapLines>() = {origin, direction, step, next};
    Context().snap_lines[stage] = LastUnit();
  }

  grammar::DeriveJob Job() {
    grammar::DeriveJob job{};
    job.code = code.data();
    job.rules = rules_.data();
    job.units = units_.data();
    return job;
  }

 private:
  grammar::BuildingContext& Context() { return units_[0].As<grammar::BuildingContext>(); }

  std::vector<grammar::RuleEntry> rules_;
  std::vector<grammar::Unit> units_;
};

}  // namespace warpyard::test_support

#endif  // WARPYARD_TESTS_SUPPORT_GRAMMAR_DERIVE_MEMORY_H_
