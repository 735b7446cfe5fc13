// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Area counts as a workload of the server.
#ifndef WARPYARD_TESTS_EXAMPLE_SERVER_AREAS_WORKLOAD_H_
#define WARPYARD_TESTS_EXAMPLE_SERVER_AREAS_WORKLOAD_H_

#include <memory>

#include "server/workload.h"

namespace warpyard::server {

std::unique_ptr<Workload> MakeAreasWorkload(const ServiceContext& context);

}  // namespace warpyard::server

#endif  // WARPYARD_TESTS_EXAMPLE_SERVER_AREAS_WORKLOAD_H_
