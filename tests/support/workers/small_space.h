// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Workspaces of workers with little memory, of one lane or of several.
#ifndef WARPYARD_TESTS_SUPPORT_WORKERS_SMALL_SPACE_H_
#define WARPYARD_TESTS_SUPPORT_WORKERS_SMALL_SPACE_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "core/model/worker/workspace.h"
#include "core/procedure/element.h"
#include "tests/support/lane_scopes.h"
#include "tests/support/workers/mixed_program.h"

namespace warpyard::test_support {

/// @shape kGroup: lanes of a worker; kNewest: in the units of its clock
template <std::uint32_t kGroup, std::uint32_t kNewest = 0>
struct SmallShape {
  static constexpr std::uint32_t kLanes = kGroup;
  static constexpr std::uint32_t kBlockWorkers = 1;
  static constexpr std::uint32_t kWorkers = 16;
  static constexpr std::uint32_t kStackElements = 96;
  static constexpr std::uint32_t kReserveElements = 256;
  static constexpr std::uint32_t kPages = 64;
  static constexpr std::uint32_t kNewestCycles = kNewest;
};

template <class Scope, std::uint32_t kGroup = 1, class Program = MixedProgram,
          std::uint32_t kNewest = 0>
using SmallSpace = model::Workspace<Scope, Program, SmallShape<kGroup, kNewest>>;

/// A workspace and the memory of one block.
template <class Space>
struct SmallMemory {
  SmallMemory() {
    space->Reset(0, 1);
    worker.stack = {0, worker.elements, true, 0};
    worker.account.event = model::kNoEvent;
    worker.account.opened = model::kNoEvent;
  }

  const std::unique_ptr<Space> space{new Space()};
  const std::unique_ptr<model::BlockMemory<Space>> block{new model::BlockMemory<Space>()};
  model::WorkerMemory<Space>& worker = block->workers[0];
};

/// An element that tells its number. @shape event: whose bucket it is of
inline procedure::Element NumberedElement(std::uint32_t number, std::uint32_t event = 0,
                                          std::uint32_t procedure = 1) {
  return {procedure::MakeHead(event, procedure, event), {number, ~number}};
}

/// Procedures 0 to 4: two of single threads, a set of 8, one of 32 threads, one of a team.
/// @shape lanes: of the worker
inline std::vector<model::ProcedureTraits> TraitsFor(std::uint32_t lanes) {
  std::vector<model::ProcedureTraits> traits(5);
  for (const std::uint32_t p : {0u, 1u}) {
    traits[p].lanes = 1;
    traits[p].groups = static_cast<std::uint8_t>(lanes);
  }
  traits[2].lanes = 8;
  traits[2].groups = static_cast<std::uint8_t>(lanes / 8);
  traits[3].lanes = 32;
  traits[3].groups = traits[4].groups = 1;
  return traits;
}

}  // namespace warpyard::test_support

#endif  // WARPYARD_TESTS_SUPPORT_WORKERS_SMALL_SPACE_H_
