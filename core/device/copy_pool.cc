// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/device/copy_pool.h"

#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <thread>

#include "core/base/macros.h"
#include "core/device/cuda_status.h"

namespace warpyard::device {
namespace {

// Most copies of a job end within this time; a sleeping thread would wake later.
constexpr std::chrono::microseconds kSpin{50};

absl::Status Await(cudaEvent_t event) {
  const auto begin = std::chrono::steady_clock::now();
  while (true) {
    const cudaError_t state = cudaEventQuery(event);
    if (state != cudaErrorNotReady) return ToStatus(state);
    if (std::chrono::steady_clock::now() - begin > kSpin) std::this_thread::yield();
  }
}

/// A large copy has at least four pieces, so that most of the host's copying overlaps with the
/// transfer over the bus. Pieces are whole pages, so that all are aligned alike.
std::size_t PieceBytes(std::size_t bytes) {
  constexpr std::size_t kPage = 4096;
  const std::size_t quarter = bytes / 4 / kPage * kPage;
  return std::clamp(quarter, CopyPool::kLeastPieceBytes, CopyPool::kMostPieceBytes);
}

}  // namespace

/// A stream and two halves of a buffer; `arrived[h]` follows the last copy that used half h.
struct CopyPool::Channel {
  cudaStream_t stream = nullptr;
  cudaEvent_t arrived[2] = {nullptr, nullptr};
  std::byte* half[2] = {nullptr, nullptr};

  Channel() = default;
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;
  ~Channel() {
    for (cudaEvent_t event : arrived) {
      if (event != nullptr) cudaEventDestroy(event);
    }
    if (stream != nullptr) cudaStreamDestroy(stream);
  }

  absl::Status Initialise(std::byte* buffer) {
    WY_RETURN_IF_ERROR(ToStatus(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking)));
    for (int h = 0; h < 2; ++h) {
      WY_RETURN_IF_ERROR(ToStatus(cudaEventCreateWithFlags(&arrived[h], cudaEventDisableTiming)));
      half[h] = buffer + static_cast<std::size_t>(h) * kMostPieceBytes;
    }
    return absl::OkStatus();
  }

  absl::Status Start(void* to, const void* from, std::size_t bytes, int h) {
    WY_RETURN_IF_ERROR(ToStatus(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream)));
    return ToStatus(cudaEventRecord(arrived[h], stream));
  }

  absl::Status CopyIn(std::span<const HostCopy> copies) {
    int h = 0;
    std::size_t pieces = 0;
    for (const HostCopy& copy : copies) {
      const std::size_t piece = PieceBytes(copy.bytes);
      for (std::size_t begin = 0; begin < copy.bytes; begin += piece, h ^= 1) {
        const std::size_t size = std::min(piece, copy.bytes - begin);
        if (++pieces > 2) WY_RETURN_IF_ERROR(Await(arrived[h]));
        std::memcpy(half[h], At(copy.from, begin), size);
        WY_RETURN_IF_ERROR(Start(At(copy.to, begin), half[h], size, h));
      }
    }
    // The stream keeps order: the last piece is the last to arrive.
    return pieces == 0 ? absl::OkStatus() : Await(arrived[h ^ 1]);
  }

  /// First makes, with one wait, all copies to pinned memory and the small copies that fit in one
  /// half of a buffer. Then makes the other copies, one after another.
  absl::Status CopyOut(std::span<const HostCopy> copies, const HostHeap* pinned) {
    std::size_t used = 0;
    for (const HostCopy& copy : copies) {
      std::byte* const place = PlaceOf(copy, pinned, used);
      if (place == nullptr) continue;
      WY_RETURN_IF_ERROR(
          ToStatus(cudaMemcpyAsync(place, copy.from, copy.bytes, cudaMemcpyDefault, stream)));
    }
    WY_RETURN_IF_ERROR(ToStatus(cudaEventRecord(arrived[0], stream)));
    WY_RETURN_IF_ERROR(Await(arrived[0]));
    used = 0;
    for (const HostCopy& copy : copies) {
      const std::byte* const place = PlaceOf(copy, pinned, used);
      if (place != nullptr && place != copy.to) std::memcpy(copy.to, place, copy.bytes);
    }
    used = 0;
    for (const HostCopy& copy : copies) {
      if (copy.bytes == 0 || PlaceOf(copy, pinned, used) != nullptr) continue;
      WY_RETURN_IF_ERROR(CopyOutInPieces(copy));
    }
    return absl::OkStatus();
  }

 private:
  static const std::byte* At(const void* memory, std::size_t offset) {
    return static_cast<const std::byte*>(memory) + offset;
  }
  static std::byte* At(void* memory, std::size_t offset) {
    return static_cast<std::byte*>(memory) + offset;
  }

  /// The address at which a copy arrives: its destination, or a place in the first half, of which
  /// `used` bytes are taken. Null: there is nothing to copy, or no room.
  std::byte* PlaceOf(const HostCopy& copy, const HostHeap* pinned, std::size_t& used) const {
    if (copy.bytes == 0) return nullptr;
    if (pinned != nullptr && pinned->Contains(copy.to)) return At(copy.to, 0);
    // Large copies go in pieces, so that the host's copying overlaps with the transfer over the
    // bus.
    if (copy.bytes > kLeastPieceBytes || kMostPieceBytes - used < copy.bytes) return nullptr;
    std::byte* const place = half[0] + used;
    used += copy.bytes;
    return place;
  }

  absl::Status CopyOutInPieces(const HostCopy& copy) {
    const std::size_t piece = PieceBytes(copy.bytes);
    const auto size_at = [&](std::size_t begin) { return std::min(piece, copy.bytes - begin); };
    WY_RETURN_IF_ERROR(Start(half[0], copy.from, size_at(0), 0));
    int h = 0;
    for (std::size_t begin = 0; begin < copy.bytes; begin += piece, h ^= 1) {
      const std::size_t next = begin + piece;
      if (next < copy.bytes) {
        WY_RETURN_IF_ERROR(Start(half[h ^ 1], At(copy.from, next), size_at(next), h ^ 1));
      }
      WY_RETURN_IF_ERROR(Await(arrived[h]));
      std::memcpy(At(copy.to, begin), half[h], size_at(begin));
    }
    return absl::OkStatus();
  }
};

/// Holds a channel for one caller until the lease ends.
class CopyPool::Lease {
 public:
  explicit Lease(CopyPool& pool) : pool_(pool) {
    std::unique_lock lock(pool.mutex_);
    pool.returned_.wait(lock, [&] { return !pool.free_.empty(); });
    channel_ = pool.free_.back();
    pool.free_.pop_back();
  }
  ~Lease() {
    {
      std::lock_guard lock(pool_.mutex_);
      pool_.free_.push_back(channel_);
    }
    pool_.returned_.notify_one();
  }
  Lease(const Lease&) = delete;
  Lease& operator=(const Lease&) = delete;

  Channel* operator->() const { return channel_; }

  /// After a failure a piece may still be under way. Waits for it, because it must not arrive in a
  /// buffer that the next user of the channel fills.
  absl::Status Finish(absl::Status status) const {
    if (!status.ok()) cudaStreamSynchronize(channel_->stream);
    return status;
  }

 private:
  CopyPool& pool_;
  Channel* channel_ = nullptr;
};

CopyPool::CopyPool() = default;

absl::StatusOr<std::unique_ptr<CopyPool>> CopyPool::Create() {
  std::unique_ptr<CopyPool> pool(new CopyPool);
  WY_RETURN_IF_ERROR(pool->Initialise());
  return pool;
}

absl::Status CopyPool::Initialise() {
  void* pinned = nullptr;
  WY_RETURN_IF_ERROR(
      ToStatus(cudaHostAlloc(&pinned, 2 * kChannels * kMostPieceBytes, cudaHostAllocDefault)));
  pinned_ = static_cast<std::byte*>(pinned);
  for (std::size_t channel = 0; channel < kChannels; ++channel) {
    channels_.push_back(std::make_unique<Channel>());
    WY_RETURN_IF_ERROR(channels_.back()->Initialise(pinned_ + 2 * channel * kMostPieceBytes));
    free_.push_back(channels_.back().get());
  }
  return absl::OkStatus();
}

CopyPool::~CopyPool() {
  channels_.clear();
  if (pinned_ != nullptr) cudaFreeHost(pinned_);
}

absl::Status CopyPool::CopyIn(std::span<const HostCopy> copies) {
  const Lease channel(*this);
  return channel.Finish(channel->CopyIn(copies));
}

absl::Status CopyPool::CopyOut(std::span<const HostCopy> copies, const HostHeap* pinned) {
  const Lease channel(*this);
  return channel.Finish(channel->CopyOut(copies, pinned));
}

}  // namespace warpyard::device
