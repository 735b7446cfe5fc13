// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/city_io/instance_store.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "absl/strings/str_cat.h"

namespace warpyard::city_io {
namespace {

absl::Status Failed(absl::string_view what) {
  return absl::UnavailableError(
      absl::StrCat("cannot keep instances in a temporary file: ", what, std::strerror(errno)));
}

}  // namespace

absl::StatusOr<InstanceStore> InstanceStore::Create(const std::string& folder) {
  const std::string where = folder.empty() ? "." : folder;
  std::string path = where + "/.warpyard-XXXXXX";
  const int file = mkstemp(path.data());
  if (file < 0) return Failed(absl::StrCat(where, ": "));
  unlink(path.c_str());
  return InstanceStore(file);
}

InstanceStore::~InstanceStore() {
  if (view_ != nullptr) munmap(view_, bytes_);
  if (file_ >= 0) close(file_);
}

absl::Status InstanceStore::Append(absl::string_view bytes) {
  if (bytes.size() % sizeof(Instance) != 0) {
    return absl::InvalidArgumentError(
        absl::StrCat(bytes.size(), " bytes are no whole number of instances"));
  }
  while (!bytes.empty()) {
    const ssize_t written = write(file_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return Failed("");
    bytes.remove_prefix(static_cast<std::size_t>(written));
    bytes_ += static_cast<std::size_t>(written);
  }
  return absl::OkStatus();
}

absl::StatusOr<absl::Span<const Instance>> InstanceStore::View() {
  if (bytes_ == 0) return absl::Span<const Instance>();
  if (view_ == nullptr) {
    void* const view = mmap(nullptr, bytes_, PROT_READ, MAP_PRIVATE, file_, 0);
    if (view == MAP_FAILED) return Failed("");
    view_ = view;
  }
  return absl::MakeConstSpan(static_cast<const Instance*>(view_), bytes_ / sizeof(Instance));
}

}  // namespace warpyard::city_io
