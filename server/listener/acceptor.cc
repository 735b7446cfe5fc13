// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/listener/acceptor.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <system_error>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "core/base/macros.h"
#include "server/metrics/metric_names.h"

namespace warpyard::server {
namespace {

/// Files that the process may open later: of gRPC and of the metrics' connections, among others.
constexpr std::size_t kOtherFiles = 96;
constexpr std::size_t kMostByDefault = 65'536;
/// Between two looks for connections that gRPC has closed.
constexpr std::chrono::milliseconds kLookInterval(500);
/// A pause when the system has no resources, so that the thread does not spin.
constexpr std::chrono::milliseconds kPause(10);

std::size_t OpenFiles() {
  std::error_code error;
  std::size_t files = 0;
  for (std::filesystem::directory_iterator one("/proc/self/fd", error), end; one != end;
       one.increment(error)) {
    ++files;
  }
  return files;
}

Descriptor Reserve() { return Descriptor(open("/dev/null", O_RDONLY | O_CLOEXEC)); }

prometheus::Gauge& AddGauge(prometheus::Registry& registry, const MetricName& metric) {
  return prometheus::BuildGauge().Name(metric.name).Help(metric.help).Register(registry).Add({});
}

prometheus::Counter& AddCounter(prometheus::Registry& registry, const MetricName& metric,
                                const prometheus::Labels& labels) {
  auto& family = prometheus::BuildCounter().Name(metric.name).Help(metric.help).Register(registry);
  return family.Add(labels);
}

bool LacksResources(int error) {
  return error == EMFILE || error == ENFILE || error == ENOBUFS || error == ENOMEM;
}

}  // namespace

absl::StatusOr<std::size_t> MostConnections(std::size_t asked) {
  rlimit limit = {};
  getrlimit(RLIMIT_NOFILE, &limit);
  const std::size_t others = OpenFiles() + kOtherFiles;
  const std::size_t files =
      limit.rlim_cur == RLIM_INFINITY ? kMostByDefault + others : std::size_t{limit.rlim_cur};
  const std::size_t most = files > others ? files - others : 1;
  if (asked == 0) return std::min(most, kMostByDefault);
  if (asked <= most) return asked;
  return absl::InvalidArgumentError(
      absl::StrCat("--max-connections: ", asked, ", but the process may open ", files,
                   " files (ulimit -n), which leaves ", most, " for connections"));
}

Acceptor::Series::Series(prometheus::Registry& registry)
    : connections(AddGauge(registry, kConnections)),
      limit(AddGauge(registry, kConnectionsLimit)),
      accepted(AddCounter(registry, kConnectionsAccepted, {})),
      refused_by_limit(AddCounter(registry, kConnectionsRefused, {{"reason", "limit"}})),
      refused_by_address(AddCounter(registry, kConnectionsRefused, {{"reason", "address"}})),
      refused_without_descriptor(
          AddCounter(registry, kConnectionsRefused, {{"reason", "descriptors"}})) {}

absl::StatusOr<std::unique_ptr<Acceptor>> Acceptor::Listen(const std::string& address,
                                                           const ConnectionLimits& limits,
                                                           prometheus::Registry& registry) {
  absl::StatusOr<ListeningSocket> socket = ListenOn(address);
  if (!socket.ok()) {
    return absl::UnavailableError(absl::StrCat("--listen: ", socket.status().message()));
  }
  return std::unique_ptr<Acceptor>(new Acceptor(*std::move(socket), limits, registry));
}

Acceptor::Acceptor(ListeningSocket socket, const ConnectionLimits& limits,
                   prometheus::Registry& registry)
    : port_(socket.port),
      socket_(std::move(socket.socket)),
      wake_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
      reserve_(Reserve()),
      connections_(limits),
      series_(registry) {
  series_.limit.Set(static_cast<double>(limits.all));
}

void Acceptor::Start(std::unique_ptr<grpc::experimental::ExternalConnectionAcceptor> server) {
  server_ = std::move(server);
  thread_ = std::thread([this] { Run(); });
}

void Acceptor::Stop() {
  if (thread_.joinable()) {
    const std::uint64_t one = 1;
    // Fails only if it was written before.
    [[maybe_unused]] const ssize_t written = write(wake_.get(), &one, sizeof one);
    thread_.join();
  }
  socket_.Close();
}

void Acceptor::Run() {
  pollfd watched[] = {{wake_.get(), POLLIN, 0}, {socket_.get(), POLLIN, 0}};
  auto looked = std::chrono::steady_clock::now();
  while (true) {
    poll(watched, std::size(watched), static_cast<int>(kLookInterval.count()));
    if (watched[0].revents != 0) return;
    if (watched[1].revents != 0 && !AcceptAll()) {
      pollfd wake = watched[0];
      poll(&wake, 1, static_cast<int>(kPause.count()));
    }
    if (const auto now = std::chrono::steady_clock::now(); now - looked >= kLookInterval) {
      connections_.Sweep();
      looked = now;
    }
    series_.connections.Set(static_cast<double>(connections_.size()));
  }
}

bool Acceptor::AcceptAll() {
  // A bounded number, so that a flood does not keep the thread from its other work.
  constexpr int kMostAtOnce = 64;
  using Room = ConnectionTable::Room;
  bool has_swept = false;
  for (int i = 0; i < kMostAtOnce; ++i) {
    sockaddr_storage address = {};
    socklen_t size = sizeof address;
    Descriptor connection(accept4(socket_.get(), reinterpret_cast<sockaddr*>(&address), &size,
                                  SOCK_NONBLOCK | SOCK_CLOEXEC));
    if (!connection.open()) {
      if (!LacksResources(errno)) {
        // The client was gone already, or nobody waits any more.
        if (errno == EAGAIN) return true;
        continue;
      }
      RefuseOne();
      return false;
    }
    const std::optional<PeerAddress> peer = ToPeerAddress(address);
    if (connections_.RoomFor(peer) != Room::kYes && !std::exchange(has_swept, true)) {
      connections_.Sweep();
    }
    Admit(std::move(connection), peer);
  }
  return true;
}

void Acceptor::Admit(Descriptor connection, const std::optional<PeerAddress>& peer) {
  using Room = ConnectionTable::Room;
  const Room room = connections_.RoomFor(peer);
  if (room == Room::kFull) return series_.refused_by_limit.Increment();
  if (room == Room::kAddressFull) return series_.refused_by_address.Increment();
  connections_.Add(connection.get(), peer);
  series_.accepted.Increment();
  grpc::experimental::ExternalConnectionAcceptor::NewConnectionParameters parameters;
  parameters.listener_fd = socket_.get();
  parameters.fd = connection.Release();
  server_->HandleNewConnection(&parameters);
}

void Acceptor::RefuseOne() {
  reserve_.Close();
  if (Descriptor(accept4(socket_.get(), nullptr, nullptr, SOCK_CLOEXEC)).open()) {
    series_.refused_without_descriptor.Increment();
  }
  reserve_ = Reserve();
}

}  // namespace warpyard::server
