// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// What the typed faces of workloads share. The engine knows no types of workloads, so results and
// residents pass through it in the wrappers of this file.
#ifndef WARPYARD_CORE_API_TYPED_JOBS_H_
#define WARPYARD_CORE_API_TYPED_JOBS_H_

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>

#include "absl/hash/hash.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "core/engine/engine.h"

namespace warpyard::api {

/// The host side of a workload's resident, owned by the engine.
template <class T>
class TypedResident final : public Resident {
 public:
  explicit TypedResident(std::unique_ptr<T> opened, Jobs jobs = Jobs::kOneAtATime)
      : Resident(jobs), opened_(std::move(opened)) {}
  T& opened() const { return *opened_; }

 private:
  const std::unique_ptr<T> opened_;
};

/// The host side of a resident that TypedResident<T> wraps. `noun` names T in the error.
/// @errors INVALID_ARGUMENT: the resident is another workload's
template <class T>
absl::StatusOr<T*> OpenedAs(Resident& resident, const char* noun) {
  if (const auto* typed = dynamic_cast<TypedResident<T>*>(&resident)) return &typed->opened();
  return absl::InvalidArgumentError(absl::StrCat("the resident is no ", noun));
}

/// The options of a job of a kind, unless the caller has named a kind. Jobs for which all values
/// are the same are of one kind. Not for jobs that wait for their client, or use all the time until
/// their deadline: what they took says nothing of the next one.
template <class... Values>
JobOptions OfKind(JobOptions job, const Values&... values) {
  if (job.kind == 0) job.kind = std::max<std::uint64_t>(absl::HashOf(values...), 1);
  return job;
}

/// Carries a result from the work of a job, which fills it in, to the completion, which reads it.
template <class T>
Engine::Done Completion(std::shared_ptr<T> result, std::function<void(absl::StatusOr<T>)> done) {
  return [result = std::move(result), done = std::move(done)](const absl::Status& status) {
    if (!status.ok()) return done(status);
    done(std::move(*result));
  };
}

/// A TypedResult for OpenResident. @shape Info: with the ResidentId `id`, which this fills in
template <class Info>
Engine::OpenDone OpenCompletion(std::shared_ptr<Info> info,
                                std::function<void(absl::StatusOr<Info>)> done) {
  return [info = std::move(info), done = std::move(done)](const absl::StatusOr<ResidentId>& id) {
    if (!id.ok()) return done(id.status());
    info->id = *id;
    done(std::move(*info));
  };
}

}  // namespace warpyard::api

#endif  // WARPYARD_CORE_API_TYPED_JOBS_H_
