// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/jobs/resident_table.h"

#include <sys/random.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <utility>
#include <vector>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "core/base/macros.h"

namespace warpyard::server {
namespace {

constexpr std::size_t kMaxNameLength = 64;
constexpr std::chrono::seconds kSweepInterval(1);

/// The name is the client's: shortened and escaped before it goes into a message.
absl::Status NoSuchScene(absl::string_view name) {
  return absl::NotFoundError(
      absl::StrCat("scene: no scene \"", absl::CHexEscape(name.substr(0, kMaxNameLength)),
                   "\": it was never opened, or was closed, or has expired"));
}

}  // namespace

std::string RandomSceneName() {
  std::array<char, 16> bits;
  // Never short, for at most 256 bytes; nor interrupted.
  WY_ASSERT(getrandom(bits.data(), bits.size(), 0) == static_cast<ssize_t>(bits.size()));
  return absl::StrCat("scene-",
                      absl::BytesToHexString(absl::string_view(bits.data(), bits.size())));
}

struct SceneTable::Entry {
  Scene scene;
  Clock clock;
  std::atomic<int> uses{0};
  std::atomic<std::int64_t> last_use_ns{0};  // Unix time

  /// The table may be gone when the last use ends, so a use holds the entry alone.
  static Use NewUse(const std::shared_ptr<Entry>& entry) {
    entry->uses.fetch_add(1);
    return Use(&entry->scene, [entry](const Scene*) {
      entry->last_use_ns.store(absl::ToUnixNanos(entry->clock()));
      entry->uses.fetch_sub(1);
    });
  }
};

SceneTable::SceneTable(absl::Duration ttl, Close close, Clock clock)
    : ttl_(ttl), close_(std::move(close)), clock_(std::move(clock)) {}

std::string SceneTable::Add(const Scene& scene) {
  auto entry = std::make_shared<Entry>();
  entry->scene = scene;
  entry->clock = clock_;
  entry->last_use_ns.store(absl::ToUnixNanos(clock_()));
  std::string name = RandomSceneName();
  const std::lock_guard lock(mutex_);
  entries_.emplace(name, std::move(entry));
  return name;
}

absl::StatusOr<SceneTable::Use> SceneTable::Find(const std::string& name) {
  const std::lock_guard lock(mutex_);
  const auto found = entries_.find(name);
  if (found == entries_.end()) return NoSuchScene(name);
  return Entry::NewUse(found->second);
}

absl::StatusOr<SceneId> SceneTable::Remove(const std::string& name) {
  const std::lock_guard lock(mutex_);
  const auto found = entries_.find(name);
  if (found == entries_.end()) return NoSuchScene(name);
  const SceneId id = found->second->scene.id;
  entries_.erase(found);
  return id;
}

std::size_t SceneTable::RemoveExpired() {
  std::vector<SceneId> expired;
  {
    const std::lock_guard lock(mutex_);
    const absl::Time now = clock_();
    std::erase_if(entries_, [&](const auto& named) {
      const Entry& entry = *named.second;
      const absl::Time last_use = absl::FromUnixNanos(entry.last_use_ns.load());
      if (entry.uses.load() != 0 || last_use + ttl_ > now) return false;
      expired.push_back(entry.scene.id);
      return true;
    });
  }
  for (const SceneId id : expired) close_(id);
  return expired.size();
}

std::size_t SceneTable::size() const {
  const std::lock_guard lock(mutex_);
  return entries_.size();
}

SceneSweeper::SceneSweeper(SceneTable& scenes) : thread_([this, &scenes] { Run(scenes); }) {}

SceneSweeper::~SceneSweeper() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  stopped_.notify_all();
  thread_.join();
}

void SceneSweeper::Run(SceneTable& scenes) {
  std::unique_lock lock(mutex_);
  while (!stopped_.wait_for(lock, kSweepInterval, [this] { return stop_; })) {
    lock.unlock();
    scenes.RemoveExpired();
    lock.lock();
  }
}

}  // namespace warpyard::server
