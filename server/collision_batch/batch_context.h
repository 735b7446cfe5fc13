// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The objects that every call of CollisionBatchService uses.
#ifndef WARPYARD_SERVER_COLLISION_BATCH_BATCH_CONTEXT_H_
#define WARPYARD_SERVER_COLLISION_BATCH_BATCH_CONTEXT_H_

#include "core/api/collision.h"
#include "server/rpc/service_context.h"
#include "warpyard/v1/collision_batch_service.grpc.pb.h"

namespace warpyard::server {

/// Outlives every call.
struct BatchContext {
  explicit BatchContext(const ServiceContext& context) : service(context) {}

  ServiceContext service;
  // Two of the kinds are those of scenes: they count together, since each kind has some 150 series.
  JobSeries& open_jobs = service.metrics.AddJobs("collision_open_scene", collision::kOpenPhases);
  JobSeries& step_jobs = service.metrics.AddJobs("collision_step", collision::kStepPhases);
  JobSeries& set_jobs = service.metrics.AddJobs("collision_set_step", collision::kStepPhases);
  MethodSeries& open_scenes = service.metrics.AddMethod<v1::CollisionBatchService>("OpenScenes");
  MethodSeries& step_batch = service.metrics.AddMethod<v1::CollisionBatchService>("StepBatch");
  MethodSeries& close_scenes = service.metrics.AddMethod<v1::CollisionBatchService>("CloseScenes");
};

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_COLLISION_BATCH_BATCH_CONTEXT_H_
