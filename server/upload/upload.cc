// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/upload/upload.h"

#include <algorithm>
#include <cstring>
#include <deque>
#include <optional>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "core/base/macros.h"
#include "core/base/status_facts.h"
#include "google/protobuf/io/zero_copy_stream_impl.h"
#include "google/protobuf/io/zero_copy_stream_impl_lite.h"
#include "server/errors/error_details.h"

namespace warpyard::server {
namespace {

/// A content is in chunks, so that it grows without copies.
constexpr std::size_t kChunkBytes = std::size_t{1} << 20;

}  // namespace

UploadState Upload::state() const {
  const std::lock_guard lock(mutex_);
  return {received_, complete_};
}

void Upload::Drop() {
  const std::lock_guard lock(mutex_);
  dropped_ = true;
}

bool Upload::dropped() const {
  const std::lock_guard lock(mutex_);
  return dropped_;
}

absl::Status Upload::Append(std::uint64_t offset, absl::string_view data) {
  WY_ASSERT(offset <= size_);
  if (data.size() > size_ - offset) {
    return InvalidField("data", absl::StrCat(data.size(), " bytes from ", offset,
                                             " on, more than start.size, ", size_, ", has left"));
  }
  // Others need the lock now and then.
  for (std::size_t begin = 0; begin < data.size(); begin += kChunkBytes) {
    WY_RETURN_IF_ERROR(AppendPiece(offset + begin, data.substr(begin, kChunkBytes)));
  }
  return absl::OkStatus();
}

absl::Status Upload::AppendPiece(std::uint64_t offset, absl::string_view data) {
  const std::lock_guard lock(mutex_);
  if (dropped_) {
    return MakeError(
        ErrorReason::kUploadDropped,
        "upload: it was dropped, or expired, while this stream was sending; start again");
  }
  WY_ASSERT(offset <= received_);
  const std::uint64_t known = received_ - offset;
  if (known >= data.size()) return absl::OkStatus();
  Store(data.substr(known));
  return received_ == size_ ? Verify() : absl::OkStatus();
}

void Upload::Store(absl::string_view data) {
  digest_.Add(data);
  while (!data.empty()) {
    const std::size_t used = received_ % kChunkBytes;
    if (used == 0) {
      const std::size_t size = std::min<std::uint64_t>(kChunkBytes, size_ - received_);
      chunks_.push_back({std::make_unique_for_overwrite<char[]>(size), size});
    }
    const std::size_t count = std::min(data.size(), chunks_.back().size - used);
    std::memcpy(chunks_.back().bytes.get() + used, data.data(), count);
    received_ += count;
    data.remove_prefix(count);
  }
}

absl::Status Upload::Verify() {
  const std::string digest = digest_.Finish();
  complete_ = digest == sha256_;
  if (complete_) return absl::OkStatus();
  dropped_ = true;
  return InvalidField("start.sha256",
                      absl::StrCat(absl::BytesToHexString(sha256_), ", but the content has ",
                                   absl::BytesToHexString(digest), "; it was dropped"));
}

/// Reads the chunks once.
class Upload::Reader {
 public:
  explicit Reader(const std::vector<Chunk>& chunks) {
    for (const Chunk& chunk : chunks) {
      streams_.emplace_back(chunk.bytes.get(), static_cast<int>(chunk.size));
      pointers_.push_back(&streams_.back());
    }
    all_.emplace(pointers_.data(), static_cast<int>(pointers_.size()));
  }
  google::protobuf::io::ZeroCopyInputStream& stream() { return *all_; }

 private:
  std::deque<google::protobuf::io::ArrayInputStream> streams_;
  std::vector<google::protobuf::io::ZeroCopyInputStream*> pointers_;
  std::optional<google::protobuf::io::ConcatenatingInputStream> all_;
};

absl::Status Upload::Parse(google::protobuf::Message* message, const WireLimit& limit) const {
  {
    const std::lock_guard lock(mutex_);
    if (!complete_) {
      return Precondition(ErrorReason::kUploadIncomplete, "upload",
                          absl::StrCat("upload: not complete, ", received_, " of ", size_,
                                       " bytes have been received"));
    }
  }
  {
    Reader reader(chunks_);
    WY_RETURN_IF_ERROR(CheckLimit(reader.stream(), limit));
  }
  Reader reader(chunks_);
  if (message->ParseFromZeroCopyStream(&reader.stream())) return absl::OkStatus();
  return InvalidField("upload", absl::StrCat("the content is not a valid ",
                                             message->GetDescriptor()->full_name(), " message"));
}

absl::Status CheckSha256(absl::string_view sha256, absl::string_view field) {
  if (sha256.size() == Sha256::kBytes) return absl::OkStatus();
  return InvalidField(field, absl::StrCat(sha256.size(), " bytes, expected ", Sha256::kBytes));
}

}  // namespace warpyard::server
