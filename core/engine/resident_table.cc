// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/engine/resident_table.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "core/base/lock_soon.h"
#include "core/base/macros.h"
#include "core/base/status_facts.h"

namespace warpyard {

absl::Status ResidentTable::CheckRoom() const {
  const auto lock = LockedSoon(mutex_);
  return CheckRoomLocked();
}

absl::Status ResidentTable::CheckRoomLocked() const {
  if (residents_.size() < most_) return absl::OkStatus();
  return WithCause(Cause::kResidents, absl::ResourceExhaustedError(
                                          absl::StrCat("residents: ", residents_.size(),
                                                       " are open, the limit (--max-residents)")));
}

absl::StatusOr<ResidentId> ResidentTable::Add(std::shared_ptr<OpenedResident> resident) {
  const auto lock = LockedSoon(mutex_);
  WY_RETURN_IF_ERROR(CheckRoomLocked());
  const ResidentId id{++last_id_};
  residents_.emplace(id.value, std::move(resident));
  return id;
}

std::shared_ptr<OpenedResident> ResidentTable::Find(ResidentId id) const {
  const auto lock = LockedSoon(mutex_);
  const auto found = residents_.find(id.value);
  return found == residents_.end() ? nullptr : found->second;
}

std::shared_ptr<OpenedResident> ResidentTable::Remove(ResidentId id) {
  const auto lock = LockedSoon(mutex_);
  const auto found = residents_.find(id.value);
  if (found == residents_.end()) return nullptr;
  std::shared_ptr<OpenedResident> removed = std::move(found->second);
  residents_.erase(found);
  return removed;
}

std::size_t ResidentTable::Size() const {
  const auto lock = LockedSoon(mutex_);
  return residents_.size();
}

}  // namespace warpyard
