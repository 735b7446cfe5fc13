// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// What a request wants to be derived.
#ifndef WARPYARD_SERVER_GRAMMAR_DERIVE_REQUEST_H_
#define WARPYARD_SERVER_GRAMMAR_DERIVE_REQUEST_H_

#include "absl/status/statusor.h"
#include "core/workload/grammar/grammar_types.h"
#include "warpyard/v1/grammar_service.pb.h"

namespace warpyard::server {

/// @errors INVALID_ARGUMENT: names the field, its value and its limit
absl::StatusOr<grammar::DeriveOptions> ToDeriveOptions(const v1::DeriveGrammarRequest& request,
                                                       const grammar::GrammarInfo& info);

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_GRAMMAR_DERIVE_REQUEST_H_
