// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Batches of scenes as a workload of the server.
#ifndef WARPYARD_SERVER_COLLISION_BATCH_WORKLOAD_H_
#define WARPYARD_SERVER_COLLISION_BATCH_WORKLOAD_H_

#include <memory>

#include "server/workload.h"

namespace warpyard::server {

std::unique_ptr<Workload> MakeCollisionBatchWorkload(const ServiceContext& context);

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_COLLISION_BATCH_WORKLOAD_H_
