// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/listener/connection_table.h"

#include <sys/stat.h>

namespace warpyard::server {
namespace {

/// 0: the descriptor is closed.
ino_t InodeOf(int fd) {
  struct stat found;
  return fstat(fd, &found) == 0 ? found.st_ino : 0;
}

}  // namespace

void ConnectionTable::Add(int fd) { inodes_[fd] = InodeOf(fd); }

void ConnectionTable::Sweep() {
  std::erase_if(inodes_, [](const auto& entry) { return InodeOf(entry.first) != entry.second; });
}

}  // namespace warpyard::server
