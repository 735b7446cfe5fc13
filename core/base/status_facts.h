// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Facts beside the text of an error, for programs: the field that is wrong, and the limit that was
// met. A server turns them into data of its protocol; a text would have to be parsed.
#ifndef WARPYARD_CORE_BASE_STATUS_FACTS_H_
#define WARPYARD_CORE_BASE_STATUS_FACTS_H_

#include <cstddef>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/cord.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace warpyard {

/// Why the engine refuses or ends work, where the code alone does not say it.
enum class Cause : char {
  kPendingJobs = 'p',          ///< as many jobs wait as may
  kDeviceMemory = 'm',         ///< no room on a device, or on the host for results
  kResidents = 'r',            ///< as many residents are open as may
  kJobTimeLimit = 't',         ///< the job ran too long
  kDeviceLost = 'd',           ///< a device does not answer any more
  kDeadlineUnreachable = 'u',  ///< refused: the job would be late
  kDeadlineHopeless = 'h',     ///< accepted and then given up before its deadline
};

inline constexpr char kFieldFact[] = "warpyard.field";
inline constexpr char kCauseFact[] = "warpyard.cause";
inline constexpr char kExpectationFact[] = "warpyard.expectation";

/// An error about one field of the input; its text is "path: problem".
/// @shape path: "job.deadline", "views[3].up"
/// @errors INVALID_ARGUMENT
inline absl::Status InvalidField(absl::string_view path, absl::string_view problem) {
  absl::Status status = absl::InvalidArgumentError(absl::StrCat(path, ": ", problem));
  status.SetPayload(kFieldFact, absl::Cord(path));
  return status;
}

/// The path of the field that is wrong, if the error has one.
inline std::optional<std::string> FieldOf(const absl::Status& status) {
  const auto field = status.GetPayload(kFieldFact);
  if (!field) return std::nullopt;
  return std::string(*field);
}

/// The error with another text; its code and its facts stay.
inline absl::Status WithMessage(const absl::Status& status, absl::string_view message) {
  absl::Status changed(status.code(), message);
  status.ForEachPayload([&changed](absl::string_view name, const absl::Cord& fact) {
    changed.SetPayload(name, fact);
  });
  return changed;
}

/// The same error about a field of a larger message. @shape outer: "views[3]."
inline absl::Status InField(absl::string_view outer, const absl::Status& status) {
  absl::Status moved = WithMessage(status, absl::StrCat(outer, status.message()));
  if (const auto field = FieldOf(status)) {
    moved.SetPayload(kFieldFact, absl::Cord(absl::StrCat(outer, *field)));
  }
  return moved;
}

inline absl::Status WithCause(Cause cause, absl::Status status) {
  status.SetPayload(kCauseFact, absl::Cord(std::string(1, static_cast<char>(cause))));
  return status;
}

inline std::optional<Cause> CauseOf(const absl::Status& status) {
  const auto cause = status.GetPayload(kCauseFact);
  if (!cause || cause->size() != 1) return std::nullopt;
  return static_cast<Cause>((*cause)[0]);
}

/// Why a job is refused that would be late. @units milliseconds from now
struct Expectation {
  double done_ms = 0;  ///< until the job would be done
  double left_ms = 0;  ///< until its deadline
};

inline absl::Status WithExpectation(const Expectation& expectation, absl::Status status) {
  status.SetPayload(kExpectationFact,
                    absl::Cord(absl::StrCat(expectation.done_ms, " ", expectation.left_ms)));
  return status;
}

inline std::optional<Expectation> ExpectationOf(const absl::Status& status) {
  const auto fact = status.GetPayload(kExpectationFact);
  if (!fact) return std::nullopt;
  const std::string text(*fact);
  const std::size_t blank = text.find(' ');
  Expectation expectation;
  if (blank == std::string::npos ||
      !absl::SimpleAtod(text.substr(0, blank), &expectation.done_ms) ||
      !absl::SimpleAtod(text.substr(blank + 1), &expectation.left_ms)) {
    return std::nullopt;
  }
  return expectation;
}

}  // namespace warpyard

#endif  // WARPYARD_CORE_BASE_STATUS_FACTS_H_
