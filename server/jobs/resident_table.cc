// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/jobs/resident_table.h"

#include <sys/random.h>

#include <array>
#include <vector>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "core/base/macros.h"
#include "server/errors/error_details.h"

namespace warpyard::server {
namespace {

constexpr std::size_t kMaxNameLength = 64;

std::string RandomName(const char* noun) {
  std::array<char, 16> bits;
  // getrandom neither returns less nor is interrupted for up to 256 bytes.
  WY_ASSERT(getrandom(bits.data(), bits.size(), 0) == static_cast<ssize_t>(bits.size()));
  return absl::StrCat(noun, "-",
                      absl::BytesToHexString(absl::string_view(bits.data(), bits.size())));
}

/// The name comes from the client, so it is shortened and escaped before it goes into a message.
absl::Status NoSuchResident(const char* noun, absl::string_view name) {
  return UnknownHandle(
      noun, name.substr(0, kMaxNameLength),
      absl::StrCat(noun, ": no ", noun, " \"", absl::CHexEscape(name.substr(0, kMaxNameLength)),
                   "\": it was never opened, or was closed, or has expired"));
}

}  // namespace

ResidentTable::Opened::~Opened() {
  if (close) close(id);
}

ResidentTable::ResidentTable(absl::Duration ttl, Close close, Clock clock)
    : ttl_(ttl), close_(std::move(close)), clock_(std::move(clock)) {}

std::string ResidentTable::AddOpened(const char* noun, ResidentId id,
                                     std::shared_ptr<Opened> opened) {
  opened->noun = noun;
  opened->id = id;
  opened->close = close_;
  const std::lock_guard lock(mutex_);
  return AddName(std::move(opened));
}

std::string ResidentTable::AddName(std::shared_ptr<Opened> opened) {
  std::string name = RandomName(opened->noun);
  auto entry = std::make_shared<Entry>();
  entry->opened = std::move(opened);
  entry->clock = clock_;
  entry->last_use_ns.store(absl::ToUnixNanos(clock_()));
  entries_.emplace(name, std::move(entry));
  return name;
}

absl::Status ResidentTable::SetEntryContent(const Asked& asked, const std::string& content) {
  WY_ASSIGN_OR_RETURN(const std::shared_ptr<Entry> entry, FindEntry(asked));
  const std::lock_guard lock(mutex_);
  std::weak_ptr<Opened>& known = by_content_[content];
  if (known.expired()) known = entry->opened;
  return absl::OkStatus();
}

absl::StatusOr<std::string> ResidentTable::NameOpened(const char* noun, Owner owner,
                                                      const std::string& content) {
  std::shared_ptr<Opened> opened;  // destroyed, and so perhaps closed, without the lock
  const std::lock_guard lock(mutex_);
  const auto found = by_content_.find(content);
  if (found == by_content_.end()) return std::string();
  opened = found->second.lock();
  if (opened == nullptr || absl::string_view(opened->noun) != noun || opened->owner != owner) {
    return std::string();
  }
  if (entries_.size() >= kMostNames) {
    return MakeError(
        ErrorReason::kResidentsFull,
        absl::StrCat(noun, ": ", entries_.size(), " handles are open; the limit is ", kMostNames));
  }
  return AddName(opened);
}

void ResidentTable::ForgetContent(ResidentId id) {
  std::vector<std::shared_ptr<Opened>> held;  // destroyed without the lock
  const std::lock_guard lock(mutex_);
  std::erase_if(by_content_, [&](const auto& known) {
    held.push_back(known.second.lock());
    return held.back() == nullptr || held.back()->id == id;
  });
}

absl::StatusOr<std::shared_ptr<ResidentTable::Entry>> ResidentTable::FindEntry(const Asked& asked) {
  const std::lock_guard lock(mutex_);
  const auto found = Look(asked);
  if (found == entries_.end()) return NoSuchResident(asked.noun, asked.name);
  const std::shared_ptr<Entry>& entry = found->second;
  entry->uses.fetch_add(1);
  return std::shared_ptr<Entry>(entry.get(), [entry](Entry*) {
    entry->last_use_ns.store(absl::ToUnixNanos(entry->clock()));
    entry->uses.fetch_sub(1);
  });
}

ResidentTable::Entries::iterator ResidentTable::Look(const Asked& asked) {
  const auto found = entries_.find(asked.name);
  if (found == entries_.end()) return found;
  const Opened& opened = *found->second->opened;
  const bool is_theirs = opened.owner == asked.owner;
  return is_theirs && absl::string_view(opened.noun) == asked.noun ? found : entries_.end();
}

absl::Status ResidentTable::RemoveEntry(const Asked& asked) {
  std::shared_ptr<Entry> removed;  // destroyed, and so perhaps closed, without the lock
  const std::lock_guard lock(mutex_);
  const auto found = Look(asked);
  if (found == entries_.end()) return NoSuchResident(asked.noun, asked.name);
  removed = std::move(found->second);
  entries_.erase(found);
  return absl::OkStatus();
}

std::size_t ResidentTable::RemoveExpired() {
  std::vector<std::shared_ptr<Entry>> expired;  // destroyed without the lock
  const std::lock_guard lock(mutex_);
  const absl::Time now = clock_();
  std::erase_if(entries_, [&](auto& named) {
    Entry& entry = *named.second;
    // A use that ends sets the time before it counts itself out. So after reading a count of 0, the
    // sweep reads the time of the last use, too.
    if (entry.uses.load() != 0) return false;
    if (absl::FromUnixNanos(entry.last_use_ns.load()) + ttl_ > now) return false;
    expired.push_back(std::move(named.second));
    return true;
  });
  std::erase_if(by_content_, [](const auto& known) { return known.second.expired(); });
  return expired.size();
}

std::size_t ResidentTable::size() const {
  const std::lock_guard lock(mutex_);
  return entries_.size();
}

std::size_t ResidentTable::CountOf(Owner owner) const {
  const std::lock_guard lock(mutex_);
  return static_cast<std::size_t>(
      std::count_if(entries_.begin(), entries_.end(),
                    [&](const auto& named) { return named.second->opened->owner == owner; }));
}

}  // namespace warpyard::server
