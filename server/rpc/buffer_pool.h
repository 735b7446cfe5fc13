// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Memory for responses that goes from one to the next.
//
// A list of megabytes in fresh memory waits for the operating system to find every page of it,
// which takes longer than to write it (docs/adr/0027).
#ifndef WARPYARD_SERVER_RPC_BUFFER_POOL_H_
#define WARPYARD_SERVER_RPC_BUFFER_POOL_H_

#include <cstddef>
#include <memory>

#include "grpcpp/support/slice.h"

namespace warpyard::server {

/// Deals out buffers, and keeps the memory of those that are no longer used. Thread-safe.
class BufferPool {
 public:
  /// A slice, and its bytes for who fills it: before anybody else gets the slice.
  struct Buffer {
    grpc::Slice slice;
    char* data;
  };

  /// Memory that is not in use is given back beyond `most_kept_bytes`, the longest unused first.
  explicit BufferPool(std::size_t most_kept_bytes);

  /// A buffer of uninitialised memory, that used last if it is of a similar size. Its memory comes
  /// back with the last copy of the slice, which may outlive the pool.
  Buffer Take(std::size_t bytes);

  /// Memory that is kept and not in use. Buffers count as the next power of two, which is address
  /// space: pages that were never written take no memory.
  std::size_t kept_bytes() const;

 private:
  struct Block;
  class Blocks;

  const std::shared_ptr<Blocks> blocks_;  // also of each buffer in use
};

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_RPC_BUFFER_POOL_H_
