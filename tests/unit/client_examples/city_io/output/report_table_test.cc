// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/city_io/output/report_table.h"

#include <gtest/gtest.h>

#include <sstream>

namespace warpyard::city_io {
namespace {

TEST(WriteReportTable, HasALineForEachParcel) {
  std::ostringstream out;
  ASSERT_EQ(
      WriteReportTable({"gfa", "a,\"b\""}, {7, 18446744073709551615U}, {1.5, 0, -2, 1e30}, out),
      absl::OkStatus());
  EXPECT_EQ(out.str(),
            "parcel,id,gfa,\"a,\"\"b\"\"\"\n0,7,1.5,0\n1,18446744073709551615,-2,1e+30\n");
}

TEST(WriteReportTable, ListsParcelsWithoutReports) {
  std::ostringstream out;
  ASSERT_EQ(WriteReportTable({}, {3}, {}, out), absl::OkStatus());
  EXPECT_EQ(out.str(), "parcel,id\n0,3\n");
}

TEST(WriteReportTable, RefusesAnotherNumberOfValues) {
  std::ostringstream out;
  EXPECT_EQ(WriteReportTable({"gfa"}, {1, 2}, {1}, out).code(), absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace warpyard::city_io
