// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The objects that every call of SimplifyService uses.
#ifndef WARPYARD_SERVER_SIMPLIFY_SIMPLIFY_CONTEXT_H_
#define WARPYARD_SERVER_SIMPLIFY_SIMPLIFY_CONTEXT_H_

#include "absl/strings/str_cat.h"
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
  MethodSeries& open_model = AddMethod("OpenModel");
  MethodSeries& simplify = AddMethod("Simplify");
  MethodSeries& simplify_levels = AddMethod("SimplifyLevels");
  MethodSeries& close_model = AddMethod("CloseModel");

 private:
  MethodSeries& AddMethod(const char* method) {
    return service.metrics.AddMethod(
        absl::StrCat(v1::SimplifyService::service_full_name(), "/", method));
  }
};

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_SIMPLIFY_SIMPLIFY_CONTEXT_H_
