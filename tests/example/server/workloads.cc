// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "tests/example/server/workloads.h"

#include <span>

#include "server/workloads.h"
#include "tests/example/server/areas/workload.h"

namespace warpyard::example {

std::vector<server::WorkloadEntry> Workloads() {
  const std::span<const server::WorkloadEntry> all = server::AllWorkloads();
  std::vector<server::WorkloadEntry> workloads(all.begin(), all.end());
  workloads.push_back({&server::MakeAreasWorkload});
  return workloads;
}

}  // namespace warpyard::example
