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
  return Size() < most_ ? absl::OkStatus() : FullError();
}

absl::Status ResidentTable::FullError() const {
  return WithCause(Cause::kResidents,
                   absl::ResourceExhaustedError(absl::StrCat("residents: ", most_,
                                                             " are open, the limit "
                                                             "(--max-residents)")));
}

absl::StatusOr<ResidentId> ResidentTable::Add(std::shared_ptr<OpenedResident> resident) {
  std::size_t size = Size();
  do {
    if (size >= most_) return FullError();
  } while (!size_.compare_exchange_weak(size, size + 1, std::memory_order_relaxed));
  const ResidentId id{last_id_.fetch_add(1, std::memory_order_relaxed) + 1};
  Part& part = PartOf(id);
  const auto lock = LockedSoon(part.mutex);
  part.residents.emplace(id.value, std::move(resident));
  return id;
}

std::shared_ptr<OpenedResident> ResidentTable::Find(ResidentId id) const {
  Part& part = PartOf(id);
  const auto lock = LockedSoon(part.mutex);
  const auto found = part.residents.find(id.value);
  return found == part.residents.end() ? nullptr : found->second;
}

std::shared_ptr<OpenedResident> ResidentTable::Remove(ResidentId id) {
  Part& part = PartOf(id);
  const auto lock = LockedSoon(part.mutex);
  const auto found = part.residents.find(id.value);
  if (found == part.residents.end()) return nullptr;
  std::shared_ptr<OpenedResident> removed = std::move(found->second);
  part.residents.erase(found);
  size_.fetch_sub(1, std::memory_order_relaxed);
  return removed;
}

}  // namespace warpyard
