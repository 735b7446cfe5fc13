// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <thread>

#include "core/base/macros.h"
#include "core/device/copy_pool.h"
#include "core/device/cuda_status.h"

namespace warpyard::device {
namespace {

// Most copies of a job end within this time, and a sleeping thread would wake later than that.
constexpr std::chrono::microseconds kSpin{50};

absl::Status Await(cudaEvent_t event) {
  const auto begin = std::chrono::steady_clock::now();
  while (true) {
    const cudaError_t state = cudaEventQuery(event);
    if (state != cudaErrorNotReady) return ToStatus(state);
    if (std::chrono::steady_clock::now() - begin > kSpin) std::this_thread::yield();
  }
}

/// At least four pieces of a large copy, so that most of the host's part hides behind the bus's;
/// whole pages, so that all pieces are aligned alike.
std::size_t PieceBytes(std::size_t bytes) {
  constexpr std::size_t kPage = 4096;
  const std::size_t quarter = bytes / 4 / kPage * kPage;
  return std::clamp(quarter, CopyPool::kLeastPieceBytes, CopyPool::kMostPieceBytes);
}

}  // namespace

/// A stream and two halves of a buffer; `arrived[h]` follows the last copy that used half h.
struct CopyPool::Lane {
  cudaStream_t stream = nullptr;
  cudaEvent_t arrived[2] = {nullptr, nullptr};
  std::byte* half[2] = {nullptr, nullptr};

  Lane() = default;
  Lane(const Lane&) = delete;
  Lane& operator=(const Lane&) = delete;
  ~Lane() {
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

  absl::Status CopyIn(std::byte* device, const std::byte* host, std::size_t bytes) {
    const std::size_t piece = PieceBytes(bytes);
    int h = 0;
    for (std::size_t begin = 0; begin < bytes; begin += piece, h ^= 1) {
      const std::size_t size = std::min(piece, bytes - begin);
      if (begin >= 2 * piece) WY_RETURN_IF_ERROR(Await(arrived[h]));
      std::memcpy(half[h], host + begin, size);
      WY_RETURN_IF_ERROR(Start(device + begin, half[h], size, h));
    }
    return Await(arrived[h ^ 1]);  // the stream keeps order: the last piece is the last to arrive
  }

  absl::Status CopyOut(std::byte* host, const std::byte* device, std::size_t bytes) {
    const std::size_t piece = PieceBytes(bytes);
    const auto size_at = [&](std::size_t begin) { return std::min(piece, bytes - begin); };
    WY_RETURN_IF_ERROR(Start(half[0], device, size_at(0), 0));
    int h = 0;
    for (std::size_t begin = 0; begin < bytes; begin += piece, h ^= 1) {
      const std::size_t next = begin + piece;
      if (next < bytes) {
        WY_RETURN_IF_ERROR(Start(half[h ^ 1], device + next, size_at(next), h ^ 1));
      }
      WY_RETURN_IF_ERROR(Await(arrived[h]));
      std::memcpy(host + begin, half[h], size_at(begin));
    }
    return absl::OkStatus();
  }

  absl::Status CopyOutPinned(void* pinned, const void* device, std::size_t bytes) {
    WY_RETURN_IF_ERROR(Start(pinned, device, bytes, 0));
    return Await(arrived[0]);
  }
};

/// A lane that nobody else uses until the lease ends.
class CopyPool::Lease {
 public:
  explicit Lease(CopyPool& pool) : pool_(pool) {
    std::unique_lock lock(pool.mutex_);
    pool.returned_.wait(lock, [&] { return !pool.free_.empty(); });
    lane_ = pool.free_.back();
    pool.free_.pop_back();
  }
  ~Lease() {
    {
      std::lock_guard lock(pool_.mutex_);
      pool_.free_.push_back(lane_);
    }
    pool_.returned_.notify_one();
  }
  Lease(const Lease&) = delete;
  Lease& operator=(const Lease&) = delete;

  Lane* operator->() const { return lane_; }

  /// After a failure a piece may still travel; the next user of the lane must not meet it.
  absl::Status Finish(absl::Status status) const {
    if (!status.ok()) cudaStreamSynchronize(lane_->stream);
    return status;
  }

 private:
  CopyPool& pool_;
  Lane* lane_ = nullptr;
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
      ToStatus(cudaHostAlloc(&pinned, 2 * kLanes * kMostPieceBytes, cudaHostAllocDefault)));
  pinned_ = static_cast<std::byte*>(pinned);
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    lanes_.push_back(std::make_unique<Lane>());
    WY_RETURN_IF_ERROR(lanes_.back()->Initialise(pinned_ + 2 * lane * kMostPieceBytes));
    free_.push_back(lanes_.back().get());
  }
  return absl::OkStatus();
}

CopyPool::~CopyPool() {
  lanes_.clear();
  if (pinned_ != nullptr) cudaFreeHost(pinned_);
}

absl::Status CopyPool::CopyIn(void* device, const void* host, std::size_t bytes) {
  if (bytes == 0) return absl::OkStatus();
  const Lease lane(*this);
  return lane.Finish(
      lane->CopyIn(static_cast<std::byte*>(device), static_cast<const std::byte*>(host), bytes));
}

absl::Status CopyPool::CopyOut(void* host, const void* device, std::size_t bytes) {
  if (bytes == 0) return absl::OkStatus();
  const Lease lane(*this);
  return lane.Finish(
      lane->CopyOut(static_cast<std::byte*>(host), static_cast<const std::byte*>(device), bytes));
}

absl::Status CopyPool::CopyOutPinned(void* pinned, const void* device, std::size_t bytes) {
  if (bytes == 0) return absl::OkStatus();
  const Lease lane(*this);
  return lane.Finish(lane->CopyOutPinned(pinned, device, bytes));
}

}  // namespace warpyard::device
