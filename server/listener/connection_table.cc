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

ConnectionTable::Room ConnectionTable::RoomFor(const std::optional<PeerAddress>& peer) const {
  if (connections_.size() >= limits_.all) return Room::kFull;
  if (limits_.of_address == 0 || !peer) return Room::kYes;
  const auto found = of_address_.find(*peer);
  const bool is_full = found != of_address_.end() && found->second >= limits_.of_address;
  return is_full ? Room::kAddressFull : Room::kYes;
}

void ConnectionTable::Add(int fd, const std::optional<PeerAddress>& peer) {
  if (const auto before = connections_.find(fd); before != connections_.end()) {
    Leave(before->second);
  }
  connections_.insert_or_assign(fd, Connection{InodeOf(fd), peer});
  if (peer) ++of_address_[*peer];
}

void ConnectionTable::Leave(const Connection& connection) {
  if (!connection.peer) return;
  const auto found = of_address_.find(*connection.peer);
  if (--found->second == 0) of_address_.erase(found);
}

void ConnectionTable::Sweep() {
  std::erase_if(connections_, [this](const auto& entry) {
    const bool is_gone = InodeOf(entry.first) != entry.second.inode;
    if (is_gone) Leave(entry.second);
    return is_gone;
  });
}

}  // namespace warpyard::server
