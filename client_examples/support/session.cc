// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/support/session.h"

#include <algorithm>
#include <cmath>

#include "client_examples/support/server_name.h"

namespace warpyard::client_support {
namespace {

constexpr absl::Duration kFirstPause = absl::Milliseconds(50), kLongestPause = absl::Seconds(2);

/// The server that answered a call, or an empty text.
std::string ServerOf(const grpc::ClientContext& call) {
  const std::string name = ServerIn(call.GetServerInitialMetadata());
  return name.empty() ? ServerIn(call.GetServerTrailingMetadata()) : name;
}

bool IsLost(const grpc::Status& status) { return status.error_code() == grpc::NOT_FOUND; }
bool NeedsAnother(const grpc::Status& status) { return status.error_code() == grpc::UNAVAILABLE; }

}  // namespace

grpc::Status Resident::Call(absl::Duration timeout, const UseCall& use) {
  for (int attempt = 1;; ++attempt) {
    const grpc::Status status = Try(timeout, use);
    const bool lost = IsLost(status) && !handle_.name.empty();
    if ((!lost && !NeedsAnother(status)) || attempt >= options_.tries) return status;
    // A server that cannot be reached, or drains, will not come back with the resident.
    Forget();
    if (!lost) options_.pause(PauseAfter(attempt));
  }
}

grpc::Status Resident::Try(absl::Duration timeout, const UseCall& use) {
  if (handle_.name.empty()) {
    const grpc::Status opened = Open();
    if (!opened.ok()) return opened;
  }
  grpc::ClientContext call;
  Prepare(call, timeout);
  const grpc::Status status = use(call, handle_);
  if (status.ok()) handle_.is_new = false;
  return status;
}

grpc::Status Resident::Open() {
  grpc::ClientContext call;
  Prepare(call, options_.open_timeout);
  Handle opened;
  const grpc::Status status = open_(call, opened.name);
  if (!status.ok()) return status;
  handle_ = std::move(opened);
  server_ = ServerOf(call);
  ++opened_;
  return status;
}

grpc::Status Resident::Close(const UseCall& close) {
  if (handle_.name.empty()) return grpc::Status::OK;
  grpc::ClientContext call;
  Prepare(call, options_.open_timeout);
  const grpc::Status status = close(call, handle_);
  Forget();
  return IsLost(status) || NeedsAnother(status) ? grpc::Status::OK : status;
}

void Resident::Prepare(grpc::ClientContext& call, absl::Duration timeout) const {
  call.set_deadline(absl::ToChronoTime(absl::Now() + timeout));
  if (!server_.empty()) call.AddMetadata(kServerKey, server_);
}

void Resident::Forget() {
  handle_ = Handle();
  server_.clear();
}

absl::Duration Resident::PauseAfter(int attempt) {
  const absl::Duration longest =
      std::min(kLongestPause, kFirstPause * std::exp2(std::min(attempt - 1, 30)));
  return std::uniform_real_distribution<double>(0.5, 1)(random_) * longest;
}

}  // namespace warpyard::client_support
