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
/// A name that has not been used for `ttl` expires. A resident whose names have expired or were
/// removed is closed as soon as no call uses it, so accepted jobs still run.
///
/// A resident may have several names: one that was opened with a content can be named again by that
/// content, as long as it is open.
class ResidentTable {
 public:
  using Close = std::function<void(ResidentId)>;
  using Clock = std::function<absl::Time()>;
  /// The number of a tenant. Others do not find its residents.
  using Owner = std::uint32_t;
  /// Where the server knows no tenants, all residents are of nobody, and everybody finds them.
  static constexpr Owner kNobody = ~Owner{0};

  /// The most names.
  static constexpr std::size_t kMostNames = 65536;

  /// Keeps the resident open. Destroying the use starts the name's time to live anew.
  template <class Facts>
  using Use = std::shared_ptr<OpenResident<Facts>>;

  /// `close` runs once for each resident, without a lock of the table. It must be callable as long
  /// as a use exists.
  ResidentTable(absl::Duration ttl, Close close, Clock clock = absl::Now);

  absl::Duration ttl() const { return ttl_; }

  /// Returns the name of the new resident: the noun and 128 random bits. Whoever holds the name may
  /// use the resident, so it must not be guessable.
  template <class Facts, class... Arguments>
  std::string Add(Owner owner, ResidentId id, Arguments&&... facts) {
    auto opened = std::make_shared<OpenedOf<Facts>>(
        OpenResident<Facts>{id, Facts{std::forward<Arguments>(facts)...}});
    opened->owner = owner;
    return AddOpened(Facts::kNoun, id, std::move(opened));
  }

  /// Lets NameAgain find a resident by its content, unless another one with this content is open.
  /// @shape content: not empty; only residents of one kind have it
  /// @errors NOT_FOUND
  template <class Facts>
  absl::Status SetContent(const std::string& name, Owner owner, const std::string& content) {
    return SetEntryContent({Facts::kNoun, name, owner}, content);
  }

  /// A new name of the open resident with this content, and its use; an empty name if there is
  /// none.
  /// @errors RESOURCE_EXHAUSTED: too many names
  template <class Facts>
  absl::StatusOr<std::pair<std::string, Use<Facts>>> NameAgain(Owner owner,
                                                               const std::string& content) {
    absl::StatusOr<std::string> name = NameOpened(Facts::kNoun, owner, content);
    if (!name.ok()) return name.status();
    if (name->empty()) return std::pair(std::string(), Use<Facts>());
    absl::StatusOr<Use<Facts>> use = Find<Facts>(*name, owner);
    if (!use.ok()) return use.status();
    return std::pair(*std::move(name), *std::move(use));
  }

  /// Forgets the content of a resident: it was lost with its device, so it is not named again.
  void ForgetContent(ResidentId id);

  /// @errors NOT_FOUND, also for a resident of another kind or owner
  template <class Facts>
  absl::StatusOr<Use<Facts>> Find(const std::string& name, Owner owner) {
    absl::StatusOr<std::shared_ptr<Entry>> found = FindEntry({Facts::kNoun, name, owner});
    if (!found.ok()) return found.status();
    auto& opened = static_cast<OpenedOf<Facts>&>(*(*found)->opened);
    return Use<Facts>(*std::move(found), &opened.resident);
  }

  /// Removes a resident's name. The resident is closed when its last use ends.
  /// @errors NOT_FOUND
  template <class Facts>
  absl::Status Remove(const std::string& name, Owner owner) {
    return RemoveEntry({Facts::kNoun, name, owner});
  }

  /// Removes the names of expired residents and returns their number.
  std::size_t RemoveExpired();

  std::size_t size() const;
  /// How many names an owner has.
  std::size_t CountOf(Owner owner) const;

 private:
  /// Closes its resident when no entry holds it any more.
  struct Opened {
    virtual ~Opened();
    const char* noun = "";
    Owner owner = kNobody;
    ResidentId id;
    Close close;
  };
  template <class Facts>
  struct OpenedOf final : Opened {
    explicit OpenedOf(OpenResident<Facts> opened) : resident(std::move(opened)) {}
    OpenResident<Facts> resident;
  };
  /// What a name stands for; the table and uses hold it.
  struct Entry {
    std::shared_ptr<Opened> opened;
    Clock clock;
    std::atomic<int> uses{0};
    std::atomic<std::int64_t> last_use_ns{0};  // Unix time
  };

  /// What a caller asks for.
  struct Asked {
    const char* noun;
    const std::string& name;
    Owner owner;
  };
  using Entries = std::map<std::string, std::shared_ptr<Entry>>;

  std::string AddOpened(const char* noun, ResidentId id, std::shared_ptr<Opened> opened);
  /// Call with the lock held.
  std::string AddName(std::shared_ptr<Opened> opened);
  absl::StatusOr<std::string> NameOpened(const char* noun, Owner owner, const std::string& content);
  absl::Status SetEntryContent(const Asked& asked, const std::string& content);
  absl::StatusOr<std::shared_ptr<Entry>> FindEntry(const Asked& asked);
  absl::Status RemoveEntry(const Asked& asked);
  /// Call with the lock held. Returns the end of entries_ if there is none.
  Entries::iterator Look(const Asked& asked);

  const absl::Duration ttl_;
  const Close close_;
  const Clock clock_;
  mutable std::mutex mutex_;
  Entries entries_;                                          // guarded by mutex_
  std::map<std::string, std::weak_ptr<Opened>> by_content_;  // guarded by mutex_
};

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_JOBS_RESIDENT_TABLE_H_
