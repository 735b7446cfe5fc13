// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The memory that a model keeps on a device.
#ifndef WARPYARD_CORE_WORKLOAD_SIMPLIFY_MODEL_MODEL_ARRAYS_H_
#define WARPYARD_CORE_WORKLOAD_SIMPLIFY_MODEL_MODEL_ARRAYS_H_

#include <cstdint>

#include "core/workload/simplify/job/simplify_job.h"
#include "core/workload/simplify/model/task_run.h"

namespace warpyard::simplify {

struct WedgeArrays {
  Array<Channel> rules;
  Array<std::uint32_t> groups, corners, parents, owners, sources;
  Array<float> values, fields;

  std::uint64_t Bytes() const {
    return rules.size() * sizeof(Channel) +
           (groups.size() + corners.size() + parents.size() + owners.size() + sources.size()) *
               sizeof(std::uint32_t) +
           (values.size() + fields.size()) * sizeof(float);
  }
};

/// What the host alone knows.
struct ModelFacts {
  Vector3d origin{0, 0, 0};       ///< of the stored points, in scene units
  std::uint64_t build_bytes = 0;  ///< of the backend, that the build had at most
};

struct ModelArrays {
  Array<std::uint32_t> corners, joints, parents, sources, cones;
  Array<float> keys, errors, distances, radii;
  Array<FloatPoint> places;
  Array<Quadric> quadrics;
  WedgeArrays wedges;
  ModelView view{};
  std::uint32_t depth_begins[kDepths + 1] = {};  ///< BuildView::depth_begins
  ModelFacts facts;

  std::uint64_t Bytes() const {
    return (corners.size() + joints.size() + parents.size() + sources.size() + cones.size()) *
               sizeof(std::uint32_t) +
           (keys.size() + errors.size() + distances.size() + radii.size()) * sizeof(float) +
           places.size() * sizeof(FloatPoint) + quadrics.size() * sizeof(Quadric) + wedges.Bytes();
  }
};

}  // namespace warpyard::simplify

#endif  // WARPYARD_CORE_WORKLOAD_SIMPLIFY_MODEL_MODEL_ARRAYS_H_
