// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The workloads of a server that has the example beside its usual workloads.
#ifndef WARPYARD_TESTS_EXAMPLE_SERVER_WORKLOADS_H_
#define WARPYARD_TESTS_EXAMPLE_SERVER_WORKLOADS_H_

#include <vector>

#include "server/workload.h"

namespace warpyard::example {

std::vector<server::WorkloadEntry> Workloads();

}  // namespace warpyard::example

#endif  // WARPYARD_TESTS_EXAMPLE_SERVER_WORKLOADS_H_
