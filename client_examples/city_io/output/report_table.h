// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The reports of a derivation as a table.
#ifndef WARPYARD_CLIENT_EXAMPLES_CITY_IO_OUTPUT_REPORT_TABLE_H_
#define WARPYARD_CLIENT_EXAMPLES_CITY_IO_OUTPUT_REPORT_TABLE_H_

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"

namespace warpyard::city_io {

/// A line of names and a line for each parcel: CSV as RFC 4180 has it, but lines end with "\n".
/// @shape ids: one for each parcel; values: names.size() for each parcel
/// @errors INVALID_ARGUMENT: another number of values
absl::Status WriteReportTable(const std::vector<std::string>& names,
                              absl::Span<const std::uint64_t> ids, absl::Span<const double> values,
                              std::ostream& out);

}  // namespace warpyard::city_io

#endif  // WARPYARD_CLIENT_EXAMPLES_CITY_IO_OUTPUT_REPORT_TABLE_H_
