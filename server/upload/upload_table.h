// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The uploads of all tenants, with their limits; unused ones expire.
#ifndef WARPYARD_SERVER_UPLOAD_UPLOAD_TABLE_H_
#define WARPYARD_SERVER_UPLOAD_UPLOAD_TABLE_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "server/admission/byte_budget.h"
#include "server/upload/upload.h"

namespace warpyard::server {

struct UploadLimits {
  std::size_t upload_bytes;  ///< of one upload
  std::size_t all_bytes;     ///< of all uploads
  std::size_t uploads;       ///< their number
  absl::Duration ttl;        ///< an upload that is not used for this long expires
};

/// Contents, from when their uploads begin until they are dropped.
inline constexpr ByteBudget::Wording kUploadWording = {
    "uploads", "are set aside", "--upload-memory-mib", ErrorReason::kUploadsFull};

/// Thread-safe. An upload that was dropped or has expired keeps its bytes as long as a call uses
/// it.
class UploadTable {
 public:
  using Clock = std::function<absl::Time()>;

  explicit UploadTable(const UploadLimits& limits, Clock clock = absl::Now);

  /// The upload with this name, which begins now unless it is there already. @shape offset: from
  /// which a stream sends
  /// @errors INVALID_ARGUMENT (size), FAILED_PRECONDITION (offset), RESOURCE_EXHAUSTED
  absl::StatusOr<std::shared_ptr<Upload>> Begin(const UploadKey& key, std::uint64_t size,
                                                std::uint64_t offset);

  /// As Upload::Append; an upload with the wrong SHA-256 leaves the table.
  absl::Status Append(const UploadKey& key, Upload& upload, std::uint64_t offset,
                      absl::string_view data);

  /// Counts as a use. @errors NOT_FOUND
  absl::StatusOr<std::shared_ptr<const Upload>> Find(const UploadKey& key);

  /// @errors NOT_FOUND
  absl::Status Drop(const UploadKey& key);

  /// Drops expired uploads and returns their number.
  std::size_t RemoveExpired();

  std::size_t size() const;
  /// The bytes of all uploads.
  const ByteBudget& budget() const { return budget_; }

 private:
  struct Entry {
    std::shared_ptr<Upload> upload;
    absl::Time last_use;
  };

  // Call with the lock held.
  absl::StatusOr<std::shared_ptr<Upload>> Add(const UploadKey& key, std::uint64_t size);

  const UploadLimits limits_;
  const Clock clock_;
  ByteBudget budget_;
  mutable std::mutex mutex_;
  std::map<UploadKey, Entry> entries_;  // guarded by mutex_
};

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_UPLOAD_UPLOAD_TABLE_H_
