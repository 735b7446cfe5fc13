// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/rpc/buffer_pool.h"

#include <algorithm>
#include <bit>
#include <deque>
#include <iterator>
#include <mutex>
#include <utility>
#include <vector>

namespace warpyard::server {
namespace {

constexpr std::size_t kPageBytes = 4096;
/// Where a buffer begins in its first page. The kernel copies the buffer to addresses near the
/// starts of pages. Processors delay a load if it has the same place in its page as a recent store.
/// So with a buffer that begins 16 bytes behind the start of a page, where glibc puts a large
/// block, 2.6 MB took a fourth longer to send (docs/adr/0027).
constexpr std::size_t kStart = kPageBytes / 2;

struct alignas(kPageBytes) Page {
  char bytes[kPageBytes];
};

}  // namespace

struct BufferPool::Block {
  std::size_t bytes;  // a power of two, of whole pages
  std::unique_ptr<Page[]> pages;
  std::shared_ptr<Blocks> owner;  // while the block is in use
};

/// The blocks that are kept.
class BufferPool::Blocks {
 public:
  explicit Blocks(std::size_t most_bytes) : most_bytes_(most_bytes) {}

  /// The most recently used block of this size, if there is one: the caches may still hold it.
  std::unique_ptr<Block> Take(std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    const auto found = std::find_if(kept_.rbegin(), kept_.rend(),
                                    [bytes](const auto& block) { return block->bytes == bytes; });
    if (found == kept_.rend()) return nullptr;
    std::unique_ptr<Block> block = std::move(*found);
    kept_.erase(std::next(found).base());
    kept_bytes_ -= bytes;
    return block;
  }

  void Keep(std::unique_ptr<Block> block) {
    if (block->bytes > most_bytes_) return;
    std::vector<std::unique_ptr<Block>> dropped;  // freed without the lock
    const std::lock_guard lock(mutex_);
    kept_bytes_ += block->bytes;
    kept_.push_back(std::move(block));
    while (kept_bytes_ > most_bytes_) {
      kept_bytes_ -= kept_.front()->bytes;
      dropped.push_back(std::move(kept_.front()));
      kept_.pop_front();
    }
  }

  std::size_t kept_bytes() const {
    const std::lock_guard lock(mutex_);
    return kept_bytes_;
  }

 private:
  const std::size_t most_bytes_;
  mutable std::mutex mutex_;
  std::deque<std::unique_ptr<Block>> kept_;  // guarded by mutex_; the least recently used first
  std::size_t kept_bytes_ = 0;               // guarded by mutex_
};

BufferPool::BufferPool(std::size_t most_kept_bytes)
    : blocks_(std::make_shared<Blocks>(most_kept_bytes)) {}

BufferPool::Buffer BufferPool::Take(std::size_t bytes) {
  const std::size_t rounded = std::bit_ceil(std::max(kStart + bytes, kPageBytes));
  std::unique_ptr<Block> block = blocks_->Take(rounded);
  if (block == nullptr) {
    block = std::make_unique<Block>();
    block->bytes = rounded;
    block->pages = std::make_unique_for_overwrite<Page[]>(rounded / kPageBytes);
  }
  block->owner = blocks_;
  char* const data = block->pages[0].bytes + kStart;
  const auto give_back = [](void* pointer) {
    std::unique_ptr<Block> used(static_cast<Block*>(pointer));
    const std::shared_ptr<Blocks> owner = std::move(used->owner);
    owner->Keep(std::move(used));
  };
  return {grpc::Slice(data, bytes, give_back, block.release()), data};
}

std::size_t BufferPool::kept_bytes() const { return blocks_->kept_bytes(); }

}  // namespace warpyard::server
