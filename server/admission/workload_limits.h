// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// What one request may ask for at most, where its bytes do not say it.
#ifndef WARPYARD_SERVER_ADMISSION_WORKLOAD_LIMITS_H_
#define WARPYARD_SERVER_ADMISSION_WORKLOAD_LIMITS_H_

#include <cstdint>

namespace warpyard::server {

struct WorkloadLimits {
  /// Of one derivation of a grammar; a request may ask for fewer.
  std::uint64_t instances = std::uint64_t{1} << 28;
  /// Of one set of scenes.
  std::uint32_t worlds = 65536;
  /// Of one batch: each is a job.
  std::uint32_t batch_steps = 4096;
};

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_ADMISSION_WORKLOAD_LIMITS_H_
