// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Gives freed heap memory back to the system after a peak.
#ifndef WARPYARD_SERVER_HEAP_TRIMMER_H_
#define WARPYARD_SERVER_HEAP_TRIMMER_H_

#include <cstddef>
#include <cstdint>
#include <functional>

namespace warpyard::server {

/// The heap keeps freed memory, because getting fresh pages from the system costs more than filling
/// them. Once many bytes have passed through and the server is idle, the kept memory has no use.
class HeapTrimmer {
 public:
  /// Successive calls of Look with no byte held before memory is given back.
  static constexpr int kQuietLooks = 5;
  /// Bytes that must have passed through since the last time.
  static constexpr std::uint64_t kWorthwhileBytes = std::uint64_t{64} << 20;

  HeapTrimmer();
  explicit HeapTrimmer(std::function<void()> trim) : trim_(std::move(trim)) {}

  /// Must be called at regular times. @shape held: bytes of requests and results now; passed: the
  /// sum of all bytes ever held
  void Look(std::size_t held, std::uint64_t passed);

 private:
  const std::function<void()> trim_;
  std::uint64_t passed_at_trim_ = 0;
  int quiet_looks_ = 0;
};

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_HEAP_TRIMMER_H_
