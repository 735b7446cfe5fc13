// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Memory for responses, reused from one response to the next.
//
// Writing a list of megabytes into fresh memory makes the operating system supply every page first,
// which takes longer than the writing itself (docs/adr/0027).
#ifndef WARPYARD_SERVER_RPC_BUFFER_POOL_H_
#define WARPYARD_SERVER_RPC_BUFFER_POOL_H_

#include <cstddef>
#include <memory>

#include "grpcpp/support/slice.h"

namespace warpyard::server {

/// Hands out buffers, and keeps the memory of buffers that are no longer used. Thread-safe.
class BufferPool {
 public:
  /// A slice, and a pointer to its bytes. Only the code that fills the bytes may use the pointer,
  /// before it passes the slice on.
  struct Buffer {
    grpc::Slice slice;
    char* data;
  };

  /// Frees unused memory beyond `most_kept_bytes`, the least recently used first.
  explicit BufferPool(std::size_t most_kept_bytes);

  /// A buffer of uninitialised memory; it reuses the most recent block of a similar size. The
  /// memory comes back to the pool with the last copy of the slice, which may outlive the pool.
  Buffer Take(std::size_t bytes);

  /// Bytes of kept memory that is not in use. A buffer's size is rounded up to a power of two; the
  /// extra bytes are address space only, because pages that were never written take no memory.
  std::size_t kept_bytes() const;

 private:
  struct Block;
  class Blocks;

  const std::shared_ptr<Blocks> blocks_;  // each buffer in use holds it, too
};

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_RPC_BUFFER_POOL_H_
