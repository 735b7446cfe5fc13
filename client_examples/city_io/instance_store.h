// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Holds the instances of a city until a file is written from them.
#ifndef WARPYARD_CLIENT_EXAMPLES_CITY_IO_INSTANCE_STORE_H_
#define WARPYARD_CLIENT_EXAMPLES_CITY_IO_INSTANCE_STORE_H_

#include <cstddef>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "client_examples/city_io/instance.h"

namespace warpyard::city_io {

/// Instances in a file without a name, so that a city may be larger than the memory: the system
/// keeps in memory what fits.
class InstanceStore {
 public:
  /// @errors UNAVAILABLE: the folder cannot be written
  static absl::StatusOr<InstanceStore> Create(const std::string& folder);

  InstanceStore(InstanceStore&& other) noexcept { Swap(other); }
  InstanceStore& operator=(InstanceStore&& other) noexcept {
    Swap(other);
    return *this;
  }
  ~InstanceStore();

  /// Adds packed instances. No view may have been taken.
  /// @errors INVALID_ARGUMENT: no whole instances; UNAVAILABLE: the disk is full
  absl::Status Append(absl::string_view bytes);

  /// All instances, for as long as the store lives.
  absl::StatusOr<absl::Span<const Instance>> View();

 private:
  explicit InstanceStore(int file) : file_(file) {}
  void Swap(InstanceStore& other) noexcept {
    std::swap(file_, other.file_);
    std::swap(bytes_, other.bytes_);
    std::swap(view_, other.view_);
  }

  int file_ = -1;
  std::size_t bytes_ = 0;
  void* view_ = nullptr;
};

}  // namespace warpyard::city_io

#endif  // WARPYARD_CLIENT_EXAMPLES_CITY_IO_INSTANCE_STORE_H_
