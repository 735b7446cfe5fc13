// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The objects that every call of SimplifyService uses.
#ifndef WARPYARD_SERVER_SIMPLIFY_SIMPLIFY_CONTEXT_H_
#define WARPYARD_SERVER_SIMPLIFY_SIMPLIFY_CONTEXT_H_

#include "core/api/simplify.h"
#include "server/rpc/service_context.h"
#include "warpyard/v1/simplify_service.grpc.pb.h"

namespace warpyard::server {

/// Outlives every call.
struct SimplifyContext {
  explicit SimplifyContext(const ServiceContext& context) : service(context) {}

  ServiceContext service;
  JobSeries& open_jobs = service.metrics.AddJobs("simplify_open_model", simplify::kOpenPhases);
  JobSeries& simplify_jobs = service.metrics.AddJobs("simplify", simplify::kSimplifyPhases);
  JobSeries& levels_jobs = service.metrics.AddJobs("simplify_levels", simplify::kSimplifyPhases);
  MethodSeries& open_model = service.metrics.AddMethod<v1::SimplifyService>("OpenModel");
  MethodSeries& simplify = service.metrics.AddMethod<v1::SimplifyService>("Simplify");
  MethodSeries& simplify_levels = service.metrics.AddMethod<v1::SimplifyService>("SimplifyLevels");
  MethodSeries& close_model = service.metrics.AddMethod<v1::SimplifyService>("CloseModel");
};

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_SIMPLIFY_SIMPLIFY_CONTEXT_H_
