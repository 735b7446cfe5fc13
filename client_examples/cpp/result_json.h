// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Results as JSON.
#ifndef WARPYARD_CLIENT_EXAMPLES_CPP_RESULT_JSON_H_
#define WARPYARD_CLIENT_EXAMPLES_CPP_RESULT_JSON_H_

#include <ostream>
#include <string>

#include "warpyard/v1/collision_service.pb.h"

namespace warpyard::cli {

/// The statistics, with the phases as an object in milliseconds, and with the statistics of the
/// traversal if there are any.
std::string StatisticsJson(const v1::CollisionStatistics& statistics);

/// The whole result of a step; its form is in client_examples/README.md.
void WriteJson(const v1::CollisionResult& result, bool with_geometry, std::ostream& out);

}  // namespace warpyard::cli

#endif  // WARPYARD_CLIENT_EXAMPLES_CPP_RESULT_JSON_H_
