// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/workloads.h"

#include "server/collision/workload.h"
#include "server/collision_batch/workload.h"
#include "server/grammar/workload.h"
#include "server/simplify/workload.h"
#include "server/synthetic/workload.h"
#include "server/upload/workload.h"

namespace warpyard::server {

std::span<const WorkloadEntry> AllWorkloads() {
  static constexpr WorkloadEntry kWorkloads[] = {
      {&MakeCollisionWorkload},
      {&MakeCollisionBatchWorkload},
      {&MakeGrammarWorkload},
      {&MakeSimplifyWorkload},
      {&MakeUploadWorkload},
      {&MakeSyntheticWorkload, &ServerOptions::enable_load_jobs},
  };
  return kWorkloads;
}

}  // namespace warpyard::server
