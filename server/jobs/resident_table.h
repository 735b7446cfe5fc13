// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Maps names that clients hold to residents of the engine, of all workloads; names expire.
#ifndef WARPYARD_SERVER_JOBS_RESIDENT_TABLE_H_
#define WARPYARD_SERVER_JOBS_RESIDENT_TABLE_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "core/base/ids.h"

namespace warpyard::server {

/// A resident as a call uses it.
/// @shape Facts: what the workload's calls must know of it; Facts::kNoun names its kind in messages
template <class Facts>
struct OpenResident {
  ResidentId id;
  Facts facts;
};

/// Thread-safe.
///
/// A resident that has not been used for `ttl` expires. A resident that expired or was removed is
/// closed as soon as no call uses it, so accepted jobs still run.
class ResidentTable {
 public:
  using Close = std::function<void(ResidentId)>;
  using Clock = std::function<absl::Time()>;

  /// Keeps the resident open. Destroying the use starts the resident's time to live anew.
  template <class Facts>
  using Use = std::shared_ptr<OpenResident<Facts>>;

  /// `close` runs once for each resident, without a lock of the table. It must be callable as long
  /// as a use exists.
  ResidentTable(absl::Duration ttl, Close close, Clock clock = absl::Now);

  /// Returns the name of the new resident: the noun and 128 random bits. Whoever holds the name may
  /// use the resident, so it must not be guessable.
  template <class Facts, class... Arguments>
  std::string Add(ResidentId id, Arguments&&... facts) {
    auto entry = std::make_shared<EntryOf<Facts>>(
        OpenResident<Facts>{id, Facts{std::forward<Arguments>(facts)...}});
    return AddEntry(Facts::kNoun, id, std::move(entry));
  }

  /// @errors NOT_FOUND, also for a resident of another kind
  template <class Facts>
  absl::StatusOr<Use<Facts>> Find(const std::string& name) {
    absl::StatusOr<std::shared_ptr<Entry>> found = FindEntry(Facts::kNoun, name);
    if (!found.ok()) return found.status();
    auto& entry = static_cast<EntryOf<Facts>&>(**found);
    return Use<Facts>(*std::move(found), &entry.resident);
  }

  /// Removes a resident's name. The resident is closed when its last use ends.
  /// @errors NOT_FOUND
  template <class Facts>
  absl::Status Remove(const std::string& name) {
    return RemoveEntry(Facts::kNoun, name);
  }

  /// Removes the names of expired residents and returns their number.
  std::size_t RemoveExpired();

  std::size_t size() const;

 private:
  /// Closes its resident when neither the table nor a use holds the entry any more.
  struct Entry {
    virtual ~Entry();
    const char* noun = "";
    ResidentId id;
    Close close;
    Clock clock;
    std::atomic<int> uses{0};
    std::atomic<std::int64_t> last_use_ns{0};  // Unix time
  };
  template <class Facts>
  struct EntryOf final : Entry {
    explicit EntryOf(OpenResident<Facts> opened) : resident(std::move(opened)) {}
    OpenResident<Facts> resident;
  };

  std::string AddEntry(const char* noun, ResidentId id, std::shared_ptr<Entry> entry);
  absl::StatusOr<std::shared_ptr<Entry>> FindEntry(const char* noun, const std::string& name);
  absl::Status RemoveEntry(const char* noun, const std::string& name);

  const absl::Duration ttl_;
  const Close close_;
  const Clock clock_;
  mutable std::mutex mutex_;
  std::map<std::string, std::shared_ptr<Entry>> entries_;  // guarded by mutex_
};

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_JOBS_RESIDENT_TABLE_H_
