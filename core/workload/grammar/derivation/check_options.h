// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Checks what a derivation is to do.
#ifndef WARPYARD_CORE_WORKLOAD_GRAMMAR_DERIVATION_CHECK_OPTIONS_H_
#define WARPYARD_CORE_WORKLOAD_GRAMMAR_DERIVATION_CHECK_OPTIONS_H_

#include "absl/status/status.h"
#include "core/workload/grammar/grammar_types.h"

namespace warpyard::grammar {

inline constexpr std::uint64_t kLeastBytes = std::uint64_t{16} << 20;

/// @errors INVALID_ARGUMENT: names the field, its value and its limit
absl::Status CheckView(const View& view);
absl::Status CheckOptions(const GrammarInfo& info, const DeriveOptions& options);

}  // namespace warpyard::grammar

#endif  // WARPYARD_CORE_WORKLOAD_GRAMMAR_DERIVATION_CHECK_OPTIONS_H_
