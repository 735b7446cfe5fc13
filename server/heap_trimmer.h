// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Gives memory of the heap back to the system after a peak.
#ifndef WARPYARD_SERVER_HEAP_TRIMMER_H_
#define WARPYARD_SERVER_HEAP_TRIMMER_H_

#include <cstddef>
#include <cstdint>
#include <functional>

namespace warpyard::server {

/// The heap keeps freed memory, since fresh pages of the system cost more than filling them. Once
/// much has passed through and the server is quiet, the kept memory serves nobody.
class HeapTrimmer {
 public:
  /// Looks without a held byte until memory is given back.
  static constexpr int kQuietLooks = 5;
  /// Bytes that have passed through since the last time.
  static constexpr std::uint64_t kWorthwhileBytes = std::uint64_t{64} << 20;

  HeapTrimmer();
  explicit HeapTrimmer(std::function<void()> trim) : trim_(std::move(trim)) {}

  /// Called at regular times. @shape held: bytes of requests and results now; passed: all that ever
  /// were held
  void Look(std::size_t held, std::uint64_t passed);

 private:
  const std::function<void()> trim_;
  std::uint64_t passed_at_trim_ = 0;
  int quiet_looks_ = 0;
};

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_HEAP_TRIMMER_H_
