// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The parts that a scene and a set of scenes are made of.
#ifndef WARPYARD_CORE_WORKLOAD_CCD_SCENE_SCENE_PARTS_H_
#define WARPYARD_CORE_WORKLOAD_CCD_SCENE_SCENE_PARTS_H_

#include <cstdint>

#include "core/device/backend.h"
#include "core/workload/ccd/methods/traversals/traversal_memory.h"
#include "core/workload/ccd/scene/hierarchy_keeper.h"
#include "core/workload/ccd/scene/scene_arrays.h"
#include "core/workload/ccd/scene/step/host_lists.h"
#include "core/workload/ccd/scene/step/result_reader.h"
#include "core/workload/ccd/scene/step/sample_rule.h"
#include "core/workload/ccd/scene/step/step_lists.h"
#include "core/workload/ccd/scene/step/step_upload.h"

namespace warpyard::ccd {

/// @scope one caller at a time
struct SceneParts {
  SceneParts(device::Backend& backend, std::uint32_t runner_workers)
      : workers(runner_workers),
        arrays(backend),
        upload(backend),
        lists(backend),
        host_lists(backend),
        hierarchy(backend, arrays, lists, upload),
        traversal(backend),
        reader(backend, host_lists) {}
  SceneParts(const SceneParts&) = delete;
  SceneParts& operator=(const SceneParts&) = delete;

  const std::uint32_t workers;  ///< of the runner
  SceneArrays arrays;
  StepUpload upload;
  StepLists lists;
  HostLists host_lists;
  HierarchyKeeper hierarchy;
  TraversalMemory traversal;
  ResultReader reader;
  SampleRule sample_rule;
};

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_SCENE_SCENE_PARTS_H_
