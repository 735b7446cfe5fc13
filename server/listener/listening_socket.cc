// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/listener/listening_socket.h"

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>
#include <system_error>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/base/macros.h"
#include "server/option_values.h"

namespace warpyard::server {
namespace {

constexpr int kBacklog = 1024;
constexpr int kSocketFlags = SOCK_NONBLOCK | SOCK_CLOEXEC;

absl::Status CannotListen(const std::string& address, const std::string& why) {
  return absl::UnavailableError(absl::StrCat("cannot listen on ", address, ": ", why));
}

std::string SystemError() { return std::error_code(errno, std::generic_category()).message(); }

/// Removes the file of a Unix socket on which no server listens any more.
void RemoveStale(const sockaddr_un& name) {
  struct stat file;
  if (lstat(name.sun_path, &file) != 0 || !S_ISSOCK(file.st_mode)) return;
  const Descriptor probe(socket(AF_UNIX, SOCK_STREAM | kSocketFlags, 0));
  const auto* address = reinterpret_cast<const sockaddr*>(&name);
  if (probe.open() && connect(probe.get(), address, sizeof name) != 0 && errno == ECONNREFUSED) {
    unlink(name.sun_path);
  }
}

absl::StatusOr<ListeningSocket> ListenOnUnix(const std::string& address) {
  const absl::string_view path = PathOfUnixSocket(address);
  sockaddr_un name = {};
  name.sun_family = AF_UNIX;
  if (path.size() >= sizeof name.sun_path) return CannotListen(address, "the path is too long");
  std::memcpy(name.sun_path, path.data(), path.size());
  RemoveStale(name);
  ListeningSocket made{Descriptor(socket(AF_UNIX, SOCK_STREAM | kSocketFlags, 0))};
  if (!made.socket.open() ||
      bind(made.socket.get(), reinterpret_cast<const sockaddr*>(&name), sizeof name) != 0 ||
      listen(made.socket.get(), kBacklog) != 0) {
    return CannotListen(address, SystemError());
  }
  return made;
}

absl::StatusOr<ListeningSocket> ListenOnTcp(const std::string& address, const addrinfo& resolved) {
  ListeningSocket made{
      Descriptor(socket(resolved.ai_family, SOCK_STREAM | kSocketFlags, resolved.ai_protocol))};
  const int fd = made.socket.get(), on = 1;
  // Connections inherit TCP_NODELAY: small answers must not wait for acknowledgements.
  if (!made.socket.open() || setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) != 0 ||
      setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on) != 0 ||
      bind(fd, resolved.ai_addr, resolved.ai_addrlen) != 0 || listen(fd, kBacklog) != 0) {
    return CannotListen(address, SystemError());
  }
  sockaddr_storage bound = {};
  socklen_t size = sizeof bound;
  if (getsockname(fd, reinterpret_cast<sockaddr*>(&bound), &size) != 0) {
    return CannotListen(address, SystemError());
  }
  made.port =
      ntohs(bound.ss_family == AF_INET6 ? reinterpret_cast<const sockaddr_in6&>(bound).sin6_port
                                        : reinterpret_cast<const sockaddr_in&>(bound).sin_port);
  return made;
}

}  // namespace

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  Close();
  fd_ = other.Release();
  return *this;
}

int Descriptor::Release() { return std::exchange(fd_, -1); }

void Descriptor::Close() {
  if (open()) close(Release());
}

absl::StatusOr<ListeningSocket> ListenOn(const std::string& address) {
  if (IsUnixSocket(address)) return ListenOnUnix(address);
  const std::size_t colon = address.rfind(':');
  std::string host = address.substr(0, colon);
  if (host.size() > 1 && host.front() == '[' && host.back() == ']') {
    host = host.substr(1, host.size() - 2);
  }
  addrinfo hints = {}, *list = nullptr;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
  const int failed = getaddrinfo(host.c_str(), address.c_str() + colon + 1, &hints, &list);
  if (failed != 0) return CannotListen(address, gai_strerror(failed));
  const std::unique_ptr<addrinfo, void (*)(addrinfo*)> found(list, freeaddrinfo);
  return ListenOnTcp(address, *found);
}

}  // namespace warpyard::server
