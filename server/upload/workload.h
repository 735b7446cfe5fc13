// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Uploads as a service of the server.
#ifndef WARPYARD_SERVER_UPLOAD_WORKLOAD_H_
#define WARPYARD_SERVER_UPLOAD_WORKLOAD_H_

#include <memory>

#include "server/workload.h"

namespace warpyard::server {

std::unique_ptr<Workload> MakeUploadWorkload(const ServiceContext& context);

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_UPLOAD_WORKLOAD_H_
