// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/cpp/messages.h"

#include <cmath>
#include <cstdint>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "client_examples/mesh_io/files.h"
#include "client_examples/mesh_io/gltf/data/json.h"
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

std::string Counted(std::uint64_t count, const std::string& one) {
  return absl::StrCat(count, " ", one, count == 1 ? "" : "s");
}

absl::Status ReadJsonMessage(const std::string& path, google::protobuf::Message& message) {
  const absl::StatusOr<std::string> text = mesh_io::ReadFilledFile(path);
  if (!text.ok()) return text.status();
  const auto parsed = google::protobuf::util::JsonStringToMessage(*text, &message);
  if (parsed.ok()) return absl::OkStatus();
  // Protobuf shows the text around an error in lines of their own, and not where it is.
  if (const auto json = mesh_io::ParseJson(*text); !json.ok()) {
    return mesh_io::InFile(path, json.status());
  }
  const std::string message_text = parsed.message().as_string();
  return absl::InvalidArgumentError(
      absl::StrCat(path, ": ", message_text.substr(0, message_text.find('\n'))));
}

}  // namespace warpyard::cli
