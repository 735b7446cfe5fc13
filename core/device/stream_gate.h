// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A word that a stream waits for: later work in the stream starts when the host stores a number.
//
// Launching a kernel from a thread that has slept takes tens of microseconds, because most of the
// driver's code is no longer in the caches. A kernel that was launched behind a gate beforehand
// starts with one store. A waiting kernel holds no multiprocessor, and other streams go on.
#ifndef WARPYARD_CORE_DEVICE_STREAM_GATE_H_
#define WARPYARD_CORE_DEVICE_STREAM_GATE_H_

#include <cstdint>

#include "absl/status/status.h"

struct CUstream_st;  // cudaStream_t, without its header

namespace warpyard::device {

/// @scope one thread at a time
class StreamGate {
 public:
  StreamGate() = default;
  StreamGate(const StreamGate&) = delete;
  StreamGate& operator=(const StreamGate&) = delete;
  ~StreamGate();

  /// Allocates the word. @errors UNAVAILABLE: the driver has no such wait; RESOURCE_EXHAUSTED
  absl::Status Create();

  /// Makes later work in the stream wait until Open(number) with the same number. Numbers start at
  /// 1 and grow.
  absl::Status Close(CUstream_st* stream, std::uint32_t number);

  void Open(std::uint32_t number);

  /// Makes the destructor keep the word: on a lost device, freeing it would never return.
  void Abandon() { word_ = nullptr; }

 private:
  std::uint32_t* word_ = nullptr;
  std::uint64_t device_address_ = 0;
  void* wait_ = nullptr;  // the driver's function
};

}  // namespace warpyard::device

#endif  // WARPYARD_CORE_DEVICE_STREAM_GATE_H_
