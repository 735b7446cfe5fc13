// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/upload/upload_table.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "core/base/macros.h"
#include "core/base/status_facts.h"
#include "server/errors/error_details.h"

namespace warpyard::server {
namespace {

absl::Status NoSuchUpload(const UploadKey& key) {
  return UnknownHandle("upload", absl::BytesToHexString(key.sha256),
                       absl::StrCat("upload: tenant ", key.tenant, " has none with SHA-256 ",
                                    absl::BytesToHexString(key.sha256),
                                    ": it never began, or was dropped, or has expired"));
}

}  // namespace

UploadTable::UploadTable(const UploadLimits& limits, Clock clock)
    : limits_(limits), clock_(std::move(clock)), budget_(limits.all_bytes, kUploadWording) {}

absl::StatusOr<std::shared_ptr<Upload>> UploadTable::Begin(const UploadKey& key, std::uint64_t size,
                                                           std::uint64_t offset) {
  const std::lock_guard lock(mutex_);
  const auto found = entries_.find(key);
  const std::uint64_t received =
      found == entries_.end() ? 0 : found->second.upload->state().received;
  if (offset > received) {
    return Precondition(ErrorReason::kUploadIncomplete, "start.offset",
                        absl::StrCat("start.offset: ", offset, ", expected at most ", received,
                                     ", the bytes that have been received"));
  }
  if (found == entries_.end()) return Add(key, size);
  if (found->second.upload->size() != size) {
    return InvalidField("start.size",
                        absl::StrCat(size, ", expected ", found->second.upload->size(),
                                     ", with which the upload began"));
  }
  found->second.last_use = clock_();
  return found->second.upload;
}

absl::StatusOr<std::shared_ptr<Upload>> UploadTable::Add(const UploadKey& key, std::uint64_t size) {
  if (size == 0) return InvalidField("start.size", "0, expected at least 1");
  if (size > limits_.upload_bytes) {
    return MakeError(ErrorReason::kUploadTooLarge,
                     absl::StrCat("start.size: ", size, " bytes; the limit is ",
                                  limits_.upload_bytes >> 20, " MiB (--max-upload-mib)"));
  }
  if (entries_.size() >= limits_.uploads) {
    return MakeError(ErrorReason::kUploadsFull,
                     absl::StrCat("uploads: ", entries_.size(), " are kept; the limit is ",
                                  limits_.uploads, " (--max-uploads)"));
  }
  WY_ASSIGN_OR_RETURN(ByteBudget::Hold hold, budget_.Take(size));
  auto upload = std::make_shared<Upload>(key.sha256, size, std::move(hold));
  entries_.emplace(key, Entry{upload, clock_()});
  return upload;
}

absl::Status UploadTable::Append(const UploadKey& key, Upload& upload, std::uint64_t offset,
                                 absl::string_view data) {
  const absl::Status status = upload.Append(offset, data);
  const std::lock_guard lock(mutex_);
  // Another upload may have this name by now.
  const auto found = entries_.find(key);
  if (found == entries_.end() || found->second.upload.get() != &upload) return status;
  found->second.last_use = clock_();
  if (upload.dropped()) entries_.erase(found);
  return status;
}

absl::StatusOr<std::shared_ptr<const Upload>> UploadTable::Find(const UploadKey& key) {
  const std::lock_guard lock(mutex_);
  const auto found = entries_.find(key);
  if (found == entries_.end()) return NoSuchUpload(key);
  found->second.last_use = clock_();
  return found->second.upload;
}

absl::Status UploadTable::Drop(const UploadKey& key) {
  std::shared_ptr<Upload> dropped;  // freed without the lock
  const std::lock_guard lock(mutex_);
  const auto found = entries_.find(key);
  if (found == entries_.end()) return NoSuchUpload(key);
  dropped = std::move(found->second.upload);
  dropped->Drop();
  entries_.erase(found);
  return absl::OkStatus();
}

std::size_t UploadTable::RemoveExpired() {
  std::vector<std::shared_ptr<Upload>> expired;  // freed without the lock
  const std::lock_guard lock(mutex_);
  const absl::Time now = clock_();
  std::erase_if(entries_, [&](const auto& named) {
    const Entry& entry = named.second;
    if (entry.last_use + limits_.ttl > now) return false;
    entry.upload->Drop();
    expired.push_back(entry.upload);
    return true;
  });
  return expired.size();
}

std::size_t UploadTable::size() const {
  const std::lock_guard lock(mutex_);
  return entries_.size();
}

}  // namespace warpyard::server
