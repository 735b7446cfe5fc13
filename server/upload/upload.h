// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// One upload: the bytes of a content as far as they have come.
#ifndef WARPYARD_SERVER_UPLOAD_UPLOAD_H_
#define WARPYARD_SERVER_UPLOAD_UPLOAD_H_

#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "google/protobuf/message.h"
#include "server/admission/byte_budget.h"
#include "server/rpc/wire_limit.h"
#include "server/upload/sha256.h"

namespace warpyard::server {

/// The name of an upload. @shape sha256: Sha256::kBytes bytes
struct UploadKey {
  std::uint32_t tenant = 0;
  std::string sha256;

  auto operator<=>(const UploadKey&) const = default;
};

/// How much of an upload has come.
struct UploadState {
  std::uint64_t received = 0;
  bool complete = false;
};

/// Thread-safe: several streams may append at the same time. Memory is taken as bytes come.
class Upload {
 public:
  /// @shape size: at least 1; hold: of so many bytes
  Upload(std::string sha256, std::uint64_t size, ByteBudget::Hold hold)
      : sha256_(std::move(sha256)), size_(size), hold_(std::move(hold)) {}

  std::uint64_t size() const { return size_; }
  UploadState state() const;

  /// Takes the bytes of the content from `offset` on, but for those that it has already.
  /// @shape offset: at most the bytes received
  /// @errors ABORTED: dropped; INVALID_ARGUMENT: more bytes than the size, or the wrong SHA-256,
  ///     which drops the upload
  absl::Status Append(std::uint64_t offset, absl::string_view data);

  /// Streams that still append get an error from now on.
  void Drop();
  bool dropped() const;

  /// Parses the content. The bytes of its fields are copied once.
  /// @errors FAILED_PRECONDITION: not complete; INVALID_ARGUMENT: not such a message
  absl::Status Parse(google::protobuf::Message* message, const WireLimit& limit) const;

 private:
  class Reader;
  struct Chunk {
    std::unique_ptr<char[]> bytes;
    std::size_t size;
  };

  absl::Status AppendPiece(std::uint64_t offset, absl::string_view data);
  // Call with the lock held.
  void Store(absl::string_view data);
  absl::Status Verify();

  const std::string sha256_;
  const std::uint64_t size_;
  const ByteBudget::Hold hold_;
  mutable std::mutex mutex_;
  // mutex_ guards the rest. Once the upload is complete the chunks stay as they are.
  std::vector<Chunk> chunks_;
  std::uint64_t received_ = 0;
  Sha256 digest_;
  bool complete_ = false;
  bool dropped_ = false;
};

/// @errors INVALID_ARGUMENT. @shape field: the path in the error message
absl::Status CheckSha256(absl::string_view sha256, absl::string_view field);

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_UPLOAD_UPLOAD_H_
