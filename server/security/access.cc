// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/security/access.h"

#include <openssl/crypto.h>
#include <sys/stat.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "core/base/macros.h"
#include "server/upload/sha256.h"

namespace warpyard::server {
namespace {

constexpr absl::string_view kScheme = "bearer ";
constexpr std::size_t kMaxTokenBytes = 1024;

absl::Status UnknownToken() {
  return absl::UnauthenticatedError("authorization: the token is not known, or has expired");
}

absl::string_view ViewOf(grpc::string_ref text) { return {text.data(), text.size()}; }

}  // namespace

std::shared_ptr<const Tenants> Access::Known() const {
  const std::lock_guard lock(mutex_);
  return tenants_;
}

Tenants Access::AllTenants() const {
  const std::shared_ptr<const Tenants> known = Known();
  return known == nullptr ? Tenants() : *known;
}

absl::Status Access::Load() {
  if (!KnowsTenants()) return absl::OkStatus();
  Version version;
  struct stat file = {};
  if (stat(path_.c_str(), &file) == 0) {
    version = {static_cast<std::int64_t>(file.st_dev), static_cast<std::int64_t>(file.st_ino),
               static_cast<std::int64_t>(file.st_size),
               file.st_mtim.tv_sec * 1'000'000'000 + file.st_mtim.tv_nsec};
  }
  {
    const std::lock_guard lock(mutex_);
    if (tenants_ != nullptr && version == version_) return absl::OkStatus();
    version_ = version;
  }
  WY_ASSIGN_OR_RETURN(Tenants tenants, ReadTenants(path_));
  const std::lock_guard lock(mutex_);
  tenants_ = std::make_shared<const Tenants>(std::move(tenants));
  return absl::OkStatus();
}

absl::StatusOr<Caller> Access::FindToken(absl::string_view token, absl::Time now) {
  const std::shared_ptr<const Tenants> tenants = Known();
  if (tenants == nullptr || token.empty() || token.size() > kMaxTokenBytes) return UnknownToken();
  Sha256 hash;
  hash.Add(token);
  const std::string digest = hash.Finish();
  // All tokens are compared in full, so that the time tells nothing of them.
  const std::shared_ptr<const Tenant>* found = nullptr;
  for (const std::shared_ptr<const Tenant>& tenant : *tenants) {
    for (const TokenHash& known : tenant->tokens) {
      const bool equal = CRYPTO_memcmp(known.digest.data(), digest.data(), Sha256::kBytes) == 0;
      if (equal && now < known.not_after) found = &tenant;
    }
  }
  if (found == nullptr) return UnknownToken();
  return CallerOf(*found);
}

absl::StatusOr<Caller> Access::FindPeer(const grpc::AuthContext* peer) {
  const std::shared_ptr<const Tenants> tenants = Known();
  if (tenants != nullptr && peer != nullptr) {
    for (const char* property : {"x509_subject_alternative_name", "x509_common_name"}) {
      for (const grpc::string_ref& name : peer->FindPropertyValues(property)) {
        for (const std::shared_ptr<const Tenant>& tenant : *tenants) {
          const auto& names = tenant->certificates;
          if (std::find(names.begin(), names.end(), ViewOf(name)) != names.end()) {
            return CallerOf(tenant);
          }
        }
      }
    }
  }
  return absl::UnauthenticatedError(
      "authorization: missing; send a bearer token, or a client certificate of a tenant");
}

absl::StatusOr<Caller> Access::FindCaller(absl::Span<const absl::string_view> authorization,
                                          const grpc::AuthContext* peer) {
  if (authorization.empty()) return FindPeer(peer);
  if (authorization.size() > 1 || !absl::StartsWithIgnoreCase(authorization[0], kScheme)) {
    return UnknownToken();
  }
  return FindToken(authorization[0].substr(kScheme.size()));
}

absl::StatusOr<Caller> Access::Identify(const grpc::CallbackServerContext& call,
                                        absl::string_view workload) {
  if (!KnowsTenants()) return Caller();
  std::vector<absl::string_view> authorization;
  const auto [first, last] = call.client_metadata().equal_range("authorization");
  for (auto entry = first; entry != last; ++entry) authorization.push_back(ViewOf(entry->second));
  WY_ASSIGN_OR_RETURN(Caller caller, FindCaller(authorization, call.auth_context().get()));
  const Tenant& tenant = *caller.tenant();
  const auto& allowed = tenant.rights.workloads;
  if (!allowed.empty() && std::find(allowed.begin(), allowed.end(), workload) == allowed.end()) {
    return absl::PermissionDeniedError(
        absl::StrCat("tenant ", tenant.name, " has no right to the workload ", workload));
  }
  return caller;
}

}  // namespace warpyard::server
