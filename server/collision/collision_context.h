// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The objects that every call of CollisionService uses.
#ifndef WARPYARD_SERVER_COLLISION_COLLISION_CONTEXT_H_
#define WARPYARD_SERVER_COLLISION_COLLISION_CONTEXT_H_

#include <cstddef>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "core/api/collision.h"
#include "core/base/status_facts.h"
#include "server/errors/error_details.h"
#include "server/rpc/service_context.h"
#include "warpyard/v1/collision_service.grpc.pb.h"

namespace warpyard::server {

/// The error of a step that has run, but whose result cannot be sent to the client.
inline absl::Status ResultIsLost(const absl::Status& why) {
  return WithMessage(
      why, absl::StrCat(why.message(), "; the step has run: send start with the next one"));
}

/// @errors RESOURCE_EXHAUSTED: a unary response cannot be so large
inline absl::Status CheckResponse(std::size_t bytes, const ServiceContext& service) {
  if (bytes <= service.max_response_bytes) return absl::OkStatus();
  return MakeError(
      ErrorReason::kResultTooLarge,
      absl::StrCat("the result has ", bytes, " bytes, more than --max-response-mib ",
                   service.max_response_bytes / (std::size_t{1} << 20),
                   " allows; StreamSteps sends results in parts, up to --max-unread-mib"));
}

/// Outlives every call.
struct CollisionContext {
  explicit CollisionContext(const ServiceContext& context) : service(context) {}

  ServiceContext service;
  JobSeries& open_jobs = service.metrics.AddJobs("collision_open_scene", collision::kOpenPhases);
  JobSeries& step_jobs = service.metrics.AddJobs("collision_step", collision::kStepPhases);
  JobSeries& detect_jobs = service.metrics.AddJobs("collision_detect", collision::kStepPhases);
  MethodSeries& open_scene = service.metrics.AddMethod<v1::CollisionService>("OpenScene");
  MethodSeries& step = service.metrics.AddMethod<v1::CollisionService>("Step");
  MethodSeries& stream_steps = service.metrics.AddMethod<v1::CollisionService>("StreamSteps");
  MethodSeries& detect = service.metrics.AddMethod<v1::CollisionService>("Detect");
  MethodSeries& close_scene = service.metrics.AddMethod<v1::CollisionService>("CloseScene");
};

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_COLLISION_COLLISION_CONTEXT_H_
