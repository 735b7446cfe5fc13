// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/cpp/messages.h"

#include <cmath>
#include <cstdint>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "client_examples/mesh_io/files.h"
#include "google/protobuf/util/json_util.h"

namespace warpyard::cli {

void SetDeadline(double deadline_ms, v1::JobOptions& job) {
  const double seconds = std::floor(deadline_ms / 1e3);
  google::protobuf::Duration& deadline = *job.mutable_deadline();
  deadline.set_seconds(static_cast<std::int64_t>(seconds));
  deadline.set_nanos(static_cast<std::int32_t>(std::floor((deadline_ms - 1e3 * seconds) * 1e6)));
}

double Milliseconds(const v1::PhaseDuration& phase) {
  return 1e3 * static_cast<double>(phase.duration().seconds()) + 1e-6 * phase.duration().nanos();
}

absl::Status ReadJsonMessage(const std::string& path, google::protobuf::Message& message) {
  const absl::StatusOr<std::string> text = mesh_io::ReadFilledFile(path);
  if (!text.ok()) return text.status();
  const auto parsed = google::protobuf::util::JsonStringToMessage(*text, &message);
  if (parsed.ok()) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(path, ": ", parsed.message().as_string()));
}

}  // namespace warpyard::cli
