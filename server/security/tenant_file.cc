// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/security/tenant_file.h"

#include <array>
#include <cerrno>
#include <cstdint>
#include <fstream>
#include <set>
#include <sstream>
#include <system_error>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "core/base/macros.h"
#include "core/engine/engine_options.h"
#include "nlohmann/json.hpp"
#include "server/option_values.h"

namespace warpyard::server {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kDigestBytes = 32;
constexpr std::int64_t kMostOfALimit = std::int64_t{1} << 40;
constexpr std::array<absl::string_view, 5> kWorkloads = {"collision", "grammar", "load", "simplify",
                                                         "upload"};

absl::Status Invalid(const std::string& path, absl::string_view text) {
  return absl::InvalidArgumentError(absl::StrCat(path, ": ", text));
}

/// An object of the file, whose members are read by name.
class Members {
 public:
  static absl::StatusOr<Members> Of(const Json& json, std::string path,
                                    std::initializer_list<absl::string_view> known) {
    if (!json.is_object()) return Invalid(path, "expected an object");
    for (const auto& [name, value] : json.items()) {
      if (std::find(known.begin(), known.end(), name) == known.end()) {
        return Invalid(
            path.empty() ? absl::CHexEscape(name) : absl::StrCat(path, ".", absl::CHexEscape(name)),
            absl::StrCat("unknown, expected ", absl::StrJoin(known, ", ")));
      }
    }
    return Members(json, std::move(path));
  }

  std::string PathOf(absl::string_view name) const {
    return path_.empty() ? std::string(name) : absl::StrCat(path_, ".", name);
  }
  const Json* Find(absl::string_view name) const {
    const auto found = json_.find(std::string(name));
    return found == json_.end() ? nullptr : &*found;
  }

  absl::Status Read(absl::string_view name, std::string* out) const {
    const Json* value = Find(name);
    if (value == nullptr) return absl::OkStatus();
    if (!value->is_string()) return Invalid(PathOf(name), "expected a string");
    *out = value->get<std::string>();
    return absl::OkStatus();
  }
  absl::Status Read(absl::string_view name, bool* out) const {
    const Json* value = Find(name);
    if (value == nullptr) return absl::OkStatus();
    if (!value->is_boolean()) return Invalid(PathOf(name), "expected true or false");
    *out = value->get<bool>();
    return absl::OkStatus();
  }
  absl::Status Read(absl::string_view name, std::int64_t most, std::uint64_t* out) const {
    const Json* value = Find(name);
    if (value == nullptr) return absl::OkStatus();
    const bool whole = value->is_number_integer();
    const std::int64_t number = whole ? value->get<std::int64_t>() : 0;
    if (!whole || number < 0 || number > most) {
      return Invalid(PathOf(name), absl::StrCat("expected a whole number from 0 to ", most));
    }
    *out = static_cast<std::uint64_t>(number);
    return absl::OkStatus();
  }
  absl::Status Read(absl::string_view name, std::vector<std::string>* out) const {
    const Json* value = Find(name);
    if (value == nullptr) return absl::OkStatus();
    bool strings = value->is_array();
    if (strings) {
      for (const Json& one : *value) strings = strings && one.is_string();
    }
    if (!strings) return Invalid(PathOf(name), "expected a list of strings");
    *out = value->get<std::vector<std::string>>();
    return absl::OkStatus();
  }

 private:
  Members(const Json& json, std::string path) : json_(json), path_(std::move(path)) {}

  const Json& json_;
  const std::string path_;
};

absl::StatusOr<TokenHash> ToTokenHash(const Json& json, const std::string& path) {
  WY_ASSIGN_OR_RETURN(const Members members, Members::Of(json, path, {"sha256", "not_after"}));
  std::string hex, not_after;
  WY_RETURN_IF_ERROR(members.Read("sha256", &hex));
  WY_RETURN_IF_ERROR(members.Read("not_after", &not_after));
  const bool is_hex = hex.find_first_not_of("0123456789abcdefABCDEF") == std::string::npos;
  if (!is_hex || hex.size() != 2 * kDigestBytes) {
    return Invalid(members.PathOf("sha256"), "expected 64 hexadecimal digits");
  }
  TokenHash token{absl::HexStringToBytes(hex)};
  std::string error;
  if (!not_after.empty() &&
      !absl::ParseTime(absl::RFC3339_full, not_after, &token.not_after, &error)) {
    return Invalid(members.PathOf("not_after"),
                   "expected a time as 2027-01-31T00:00:00Z (RFC 3339)");
  }
  return token;
}

absl::StatusOr<TenantRights> ToRights(const Json& json, const std::string& path) {
  WY_ASSIGN_OR_RETURN(const Members members,
                      Members::Of(json, path, {"urgent", "metrics", "workloads"}));
  TenantRights rights;
  WY_RETURN_IF_ERROR(members.Read("urgent", &rights.urgent));
  WY_RETURN_IF_ERROR(members.Read("metrics", &rights.metrics));
  WY_RETURN_IF_ERROR(members.Read("workloads", &rights.workloads));
  for (const std::string& workload : rights.workloads) {
    if (std::find(kWorkloads.begin(), kWorkloads.end(), workload) == kWorkloads.end()) {
      return Invalid(members.PathOf("workloads"),
                     absl::StrCat("'", absl::CHexEscape(workload), "' is none of ",
                                  absl::StrJoin(kWorkloads, ", ")));
    }
  }
  return rights;
}

absl::StatusOr<TenantLimits> ToLimits(const Json& json, const std::string& path) {
  WY_ASSIGN_OR_RETURN(const Members members,
                      Members::Of(json, path,
                                  {"calls_in_flight", "jobs_per_second", "request_mib", "residents",
                                   "deadline_horizon"}));
  TenantLimits limits;
  WY_RETURN_IF_ERROR(members.Read("calls_in_flight", kMostOfALimit, &limits.calls_in_flight));
  WY_RETURN_IF_ERROR(members.Read("jobs_per_second", kMostOfALimit, &limits.jobs_per_second));
  WY_RETURN_IF_ERROR(members.Read("request_mib", kMostOfALimit >> 20, &limits.request_bytes));
  WY_RETURN_IF_ERROR(members.Read("residents", kMostOfALimit, &limits.residents));
  limits.request_bytes <<= 20;
  std::string horizon;
  WY_RETURN_IF_ERROR(members.Read("deadline_horizon", &horizon));
  if (!horizon.empty()) {
    const absl::Status status =
        ParseDuration(horizon, absl::Milliseconds(1), &limits.deadline_horizon);
    if (!status.ok()) return Invalid(members.PathOf("deadline_horizon"), status.message());
  }
  return limits;
}

absl::StatusOr<Tenant> ToTenant(const Json& json, const std::string& path) {
  WY_ASSIGN_OR_RETURN(
      const Members members,
      Members::Of(json, path, {"name", "number", "tokens", "certificates", "rights", "limits"}));
  Tenant tenant;
  WY_RETURN_IF_ERROR(members.Read("name", &tenant.name));
  if (tenant.name.empty() || tenant.name.size() > 64) {
    return Invalid(members.PathOf("name"), "expected 1 to 64 characters");
  }
  if (members.Find("number") == nullptr) return Invalid(members.PathOf("number"), "missing");
  std::uint64_t number = 0;
  WY_RETURN_IF_ERROR(members.Read("number", kMaxTenants - 1, &number));
  tenant.number = static_cast<std::uint32_t>(number);
  if (const Json* tokens = members.Find("tokens"); tokens != nullptr) {
    if (!tokens->is_array()) return Invalid(members.PathOf("tokens"), "expected a list");
    for (std::size_t i = 0; i < tokens->size(); ++i) {
      WY_ASSIGN_OR_RETURN(
          TokenHash token,
          ToTokenHash((*tokens)[i], absl::StrCat(members.PathOf("tokens"), "[", i, "]")));
      tenant.tokens.push_back(std::move(token));
    }
  }
  WY_RETURN_IF_ERROR(members.Read("certificates", &tenant.certificates));
  if (const Json* rights = members.Find("rights"); rights != nullptr) {
    WY_ASSIGN_OR_RETURN(tenant.rights, ToRights(*rights, members.PathOf("rights")));
  }
  if (const Json* limits = members.Find("limits"); limits != nullptr) {
    WY_ASSIGN_OR_RETURN(tenant.limits, ToLimits(*limits, members.PathOf("limits")));
  }
  return tenant;
}

/// A token or certificate of two tenants would make one of them the other.
absl::Status CheckApart(const Tenants& tenants) {
  std::set<std::string> names, digests, certificates;
  std::set<std::uint32_t> numbers;
  for (std::size_t i = 0; i < tenants.size(); ++i) {
    const Tenant& tenant = *tenants[i];
    const auto path = [&](absl::string_view member) {
      return absl::StrCat("tenants[", i, "].", member);
    };
    if (!names.insert(tenant.name).second) return Invalid(path("name"), "another tenant has it");
    if (!numbers.insert(tenant.number).second) {
      return Invalid(path("number"), "another tenant has it");
    }
    for (const TokenHash& token : tenant.tokens) {
      if (!digests.insert(token.digest).second)
        return Invalid(path("tokens"), "one is there twice");
    }
    for (const std::string& name : tenant.certificates) {
      if (name.empty()) return Invalid(path("certificates"), "one is empty");
      if (!certificates.insert(name).second) {
        return Invalid(path("certificates"), "one is there twice");
      }
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Tenants> ParseTenants(absl::string_view text) {
  const Json json = Json::parse(text.begin(), text.end(), nullptr, /*allow_exceptions=*/false);
  if (json.is_discarded()) return absl::InvalidArgumentError("it is not JSON");
  WY_ASSIGN_OR_RETURN(const Members members, Members::Of(json, "", {"tenants"}));
  const Json* list = members.Find("tenants");
  if (list == nullptr || !list->is_array() || list->empty()) {
    return Invalid("tenants", "expected a list with at least one tenant");
  }
  Tenants tenants;
  for (std::size_t i = 0; i < list->size(); ++i) {
    WY_ASSIGN_OR_RETURN(Tenant tenant, ToTenant((*list)[i], absl::StrCat("tenants[", i, "]")));
    tenants.push_back(std::make_shared<const Tenant>(std::move(tenant)));
  }
  WY_RETURN_IF_ERROR(CheckApart(tenants));
  return tenants;
}

absl::StatusOr<Tenants> ReadTenants(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  if (!file || !(text << file.rdbuf())) {
    return absl::NotFoundError(absl::StrCat(
        path, ": cannot be read: ", std::error_code(errno, std::generic_category()).message()));
  }
  absl::StatusOr<Tenants> tenants = ParseTenants(text.str());
  if (tenants.ok()) return tenants;
  return absl::InvalidArgumentError(absl::StrCat(path, ": ", tenants.status().message()));
}

}  // namespace warpyard::server
