// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The objects that every call of every workload uses.
#ifndef WARPYARD_SERVER_RPC_SERVICE_CONTEXT_H_
#define WARPYARD_SERVER_RPC_SERVICE_CONTEXT_H_

#include <cstddef>
#include <string>

#include "absl/time/time.h"
#include "server/admission/byte_budget.h"
#include "server/admission/workload_limits.h"
#include "server/convert/job.h"
#include "server/errors/error_details.h"
#include "server/jobs/job_runner.h"
#include "server/jobs/resident_table.h"
#include "server/log/logger.h"
#include "server/metrics/metrics.h"
#include "server/rpc/buffer_pool.h"
#include "server/rpc/call_tracker.h"
#include "server/security/access.h"
#include "server/upload/upload_table.h"

namespace warpyard::server {

/// All members outlive every call. A completion may run after its call is over. Then it must not
/// use `jobs` and `residents`, which do not outlive the engine.
struct ServiceContext {
  JobRunner& jobs;
  ResidentTable& residents;
  Metrics& metrics;
  CallTracker& calls;
  ByteBudget& requests;
  ByteBudget& results;  // held until the client has received them
  BufferPool& buffers;  // for responses
  UploadTable& uploads;
  Access& access;
  /// Every answer has it as metadata; see docs/scaling.md.
  const std::string& server_name;
  /// Limit of a unary response. Streams divide their responses instead.
  std::size_t max_response_bytes;
  /// How long a client may leave a part of a result unread while results take much room.
  absl::Duration unread_timeout;
  WorkloadLimits limits;
  Logger& log;
};

/// The status of a call that arrives, or waits for its client, while the server drains.
inline absl::Status ShuttingDown() {
  return MakeError(ErrorReason::kDraining, "the server is shutting down");
}

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_RPC_SERVICE_CONTEXT_H_
