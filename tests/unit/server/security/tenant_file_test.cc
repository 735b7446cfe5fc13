// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/security/tenant_file.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace warpyard::server {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const std::string kDigest(64, 'a');

/// A file of one tenant with further members.
std::string FileOf(const std::string& members) {
  return R"({"tenants": [{"name": "robots", "number": 3)" + members + "}]}";
}

TEST(ParseTenants, ReadsAllMembers) {
  const auto tenants = ParseTenants(
      FileOf(R"(, "tokens": [{"sha256": ")" + kDigest + R"(", "not_after": "2027-01-02T03:04:05Z"}],
         "certificates": ["robots.test"],
         "rights": {"urgent": true, "metrics": true, "workloads": ["collision", "load"]},
         "limits": {"calls_in_flight": 5, "jobs_per_second": 6, "request_mib": 7, "residents": 8,
                    "deadline_horizon": "10s"})"));
  ASSERT_TRUE(tenants.ok()) << tenants.status();
  ASSERT_EQ(tenants->size(), 1u);
  const Tenant& tenant = *tenants->front();
  EXPECT_EQ(tenant.name, "robots");
  EXPECT_EQ(tenant.number, 3u);
  ASSERT_EQ(tenant.tokens.size(), 1u);
  EXPECT_EQ(tenant.tokens[0].digest, std::string(32, '\xaa'));
  EXPECT_EQ(tenant.tokens[0].not_after,
            absl::FromCivil(absl::CivilSecond(2027, 1, 2, 3, 4, 5), absl::UTCTimeZone()));
  EXPECT_THAT(tenant.certificates, ElementsAre("robots.test"));
  EXPECT_TRUE(tenant.rights.urgent && tenant.rights.metrics);
  EXPECT_THAT(tenant.rights.workloads, ElementsAre("collision", "load"));
  EXPECT_EQ(tenant.limits.calls_in_flight, 5u);
  EXPECT_EQ(tenant.limits.jobs_per_second, 6u);
  EXPECT_EQ(tenant.limits.request_bytes, 7u << 20);
  EXPECT_EQ(tenant.limits.residents, 8u);
  EXPECT_EQ(tenant.limits.deadline_horizon, absl::Seconds(10));
}

TEST(ParseTenants, GivesNoRightsAndNoLimitsByDefault) {
  const auto tenants = ParseTenants(FileOf(""));
  ASSERT_TRUE(tenants.ok()) << tenants.status();
  const Tenant& tenant = *tenants->front();
  EXPECT_FALSE(tenant.rights.urgent || tenant.rights.metrics);
  EXPECT_TRUE(tenant.rights.workloads.empty());
  EXPECT_EQ(tenant.limits.calls_in_flight, 0u);
  EXPECT_EQ(tenant.limits.deadline_horizon, absl::InfiniteDuration());
}

struct BadCase {
  const char* name;
  std::string text;
  std::string message;
};

void PrintTo(const BadCase& one, std::ostream* stream) { *stream << one.name; }

class BadFileTest : public testing::TestWithParam<BadCase> {};

TEST_P(BadFileTest, IsRefusedWithThePathOfTheMember) {
  const auto tenants = ParseTenants(GetParam().text);
  ASSERT_FALSE(tenants.ok());
  EXPECT_EQ(tenants.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(tenants.status().message()), HasSubstr(GetParam().message));
}

INSTANTIATE_TEST_SUITE_P(
    Files, BadFileTest,
    testing::Values(
        BadCase{"Nothing", "", "it is not JSON"}, BadCase{"Torn", R"({"tenants": [)", "not JSON"},
        BadCase{"List", "[]", "expected an object"},
        BadCase{"NoTenants", R"({"tenants": []})", "tenants: expected a list with at least one"},
        BadCase{"UnknownMember", R"({"tenant": []})", "tenant: unknown, expected tenants"},
        BadCase{"UnknownOfATenant", FileOf(R"(, "token": [])"), "tenants[0].token: unknown"},
        BadCase{"MisspeltLimit", FileOf(R"(, "limits": {"resident": 1})"),
                "tenants[0].limits.resident: unknown"},
        BadCase{"NoName", R"({"tenants": [{"number": 1}]})", "tenants[0].name: expected"},
        BadCase{"NoNumber", R"({"tenants": [{"name": "a"}]})", "tenants[0].number: missing"},
        BadCase{"LargeNumber", R"({"tenants": [{"name": "a", "number": 16}]})",
                "tenants[0].number: expected a whole number from 0 to 15"},
        BadCase{"NegativeLimit", FileOf(R"(, "limits": {"residents": -1})"),
                "tenants[0].limits.residents: expected a whole number"},
        BadCase{"FractionOfAJob", FileOf(R"(, "limits": {"jobs_per_second": 1.5})"),
                "tenants[0].limits.jobs_per_second: expected a whole number"},
        BadCase{"HugeLimit", FileOf(R"(, "limits": {"request_mib": 9223372036854775807})"),
                "tenants[0].limits.request_mib: expected a whole number"},
        BadCase{"BadHorizon", FileOf(R"(, "limits": {"deadline_horizon": "soon"})"),
                "tenants[0].limits.deadline_horizon: "},
        BadCase{"ShortDigest", FileOf(R"(, "tokens": [{"sha256": "ab"}])"),
                "tenants[0].tokens[0].sha256: expected 64 hexadecimal digits"},
        BadCase{"NoDigest", FileOf(R"(, "tokens": [{"sha256": ")" + std::string(64, 'g') + "\"}]"),
                "tenants[0].tokens[0].sha256: expected 64 hexadecimal digits"},
        BadCase{"PlainToken", FileOf(R"(, "tokens": ["secret"])"),
                "tenants[0].tokens[0]: expected an object"},
        BadCase{"BadTime",
                FileOf(R"(, "tokens": [{"sha256": ")" + kDigest + R"(", "not_after": "soon"}])"),
                "tenants[0].tokens[0].not_after: expected a time"},
        BadCase{"WrongTypeOfARight", FileOf(R"(, "rights": {"urgent": 1})"),
                "tenants[0].rights.urgent: expected true or false"},
        BadCase{"UnknownWorkload", FileOf(R"(, "rights": {"workloads": ["collisions"]})"),
                "tenants[0].rights.workloads: 'collisions' is none of collision"},
        BadCase{"EmptyCertificate", FileOf(R"(, "certificates": [""])"),
                "tenants[0].certificates: one is empty"},
        BadCase{"SameName",
                R"({"tenants": [{"name": "a", "number": 1}, {"name": "a", "number": 2}]})",
                "tenants[1].name: another tenant has it"},
        BadCase{"SameNumber",
                R"({"tenants": [{"name": "a", "number": 1}, {"name": "b", "number": 1}]})",
                "tenants[1].number: another tenant has it"},
        BadCase{"SameToken",
                absl::StrCat(R"({"tenants": [{"name": "a", "number": 1, "tokens": [{"sha256": ")",
                             kDigest, R"("}]}, {"name": "b", "number": 2, "tokens": [{"sha256": ")",
                             kDigest, R"("}]}]})"),
                "tenants[1].tokens: one is there twice"}),
    [](const auto& one) { return std::string(one.param.name); });

TEST(ReadTenants, NamesTheFile) {
  const auto tenants = ReadTenants("/nowhere/tenants.json");
  EXPECT_EQ(tenants.status().code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(tenants.status().message()), HasSubstr("/nowhere/tenants.json: "));
}

}  // namespace
}  // namespace warpyard::server
