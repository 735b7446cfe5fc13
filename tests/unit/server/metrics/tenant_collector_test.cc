// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/metrics/tenant_collector.h"

#include <filesystem>
#include <fstream>
#include <string>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "prometheus/text_serializer.h"
#include "server/upload/sha256.h"

namespace warpyard::server {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string Text(const Access& access, const ResidentTable& residents) {
  return prometheus::TextSerializer().Serialize(TenantCollector(access, residents).Collect());
}

TEST(TenantCollector, HasNoSeriesWhereTheServerKnowsNoTenants) {
  const Access access("");
  const ResidentTable residents(absl::Minutes(1), [](ResidentId) {});
  EXPECT_THAT(Text(access, residents), Not(HasSubstr("warpyard_tenant_calls{")));
}

TEST(TenantCollector, ReadsWhatEachTenantUses) {
  Sha256 hash;
  hash.Add("secret");
  const std::string path = testing::TempDir() + "/tenant_collector_test.json";
  std::ofstream(path) << absl::StrCat(
      R"({"tenants": [{"name": "robots", "number": 3, "limits": {"calls_in_flight": 1},)",
      R"( "tokens": [{"sha256": ")", absl::BytesToHexString(hash.Finish()), R"("}]}]})");
  Access access(path);
  ASSERT_TRUE(access.Load().ok());
  std::filesystem::remove(path);
  const ResidentTable residents(absl::Minutes(1), [](ResidentId) {});
  const absl::StatusOr<Caller> caller = access.FindToken("secret");
  ASSERT_TRUE(caller.ok()) << caller.status();
  const auto call = caller->TakeCall();
  const auto bytes = caller->TakeRequest(60);
  EXPECT_FALSE(caller->TakeCall().ok());
  const std::string text = Text(access, residents);
  for (const char* line :
       {"warpyard_tenant_info{tenant=\"3\",name=\"robots\"} 1",
        "warpyard_tenant_calls{tenant=\"3\"} 1", "warpyard_tenant_request_bytes{tenant=\"3\"} 60",
        "warpyard_tenant_residents{tenant=\"3\"} 0", "# TYPE warpyard_tenant_refused_total counter",
        "warpyard_tenant_refused_total{tenant=\"3\"} 1"}) {
    EXPECT_THAT(text, HasSubstr(line));
  }
}

}  // namespace
}  // namespace warpyard::server
