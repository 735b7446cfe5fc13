// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The workloads that a server offers.
#ifndef WARPYARD_SERVER_WORKLOADS_H_
#define WARPYARD_SERVER_WORKLOADS_H_

#include <span>

#include "server/workload.h"

namespace warpyard::server {

/// All workloads that are compiled in; see WorkloadEntry::enabled.
std::span<const WorkloadEntry> AllWorkloads();

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_WORKLOADS_H_
