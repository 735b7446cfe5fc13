// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/server.h"

#include <unistd.h>

#include <chrono>
#include <random>
#include <string>
#include <thread>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "core/base/macros.h"
#include "grpcpp/ext/proto_server_reflection_plugin.h"
#include "grpcpp/health_check_service_interface.h"
#include "grpcpp/resource_quota.h"
#include "grpcpp/security/server_credentials.h"
#include "grpcpp/server_builder.h"
#include "server/option_values.h"
#include "server/security/door.h"

namespace warpyard::server {
namespace {

constexpr int kMaxConcurrentStreams = 256;  // for each connection
constexpr int kMaxCallMetadataBytes = 16 << 10;
constexpr int kKeepaliveIntervalMs = 60'000;
constexpr int kKeepaliveTimeoutMs = 20'000;
constexpr int kMinPingIntervalMs = 30'000;
constexpr int kMaxConnectionIdleMs = 5 * 60'000;
/// From then on a connection gets no new calls, so that clients spread over new servers.
constexpr int kMaxConnectionAgeMs = 60 * 60'000;
/// Of TLS and HTTP/2: a client that says nothing must not keep its connection.
constexpr int kHandshakeTimeoutMs = 10'000;
/// Response buffers kept for reuse: enough for a list of two million pairs, or 32 parts of streams.
constexpr std::size_t kMostKeptBytes = std::size_t{64} << 20;
constexpr std::chrono::seconds kSweepInterval(1);
/// Time for calls that have ended to send their last bytes; then connections are closed.
constexpr std::chrono::milliseconds kShutdownGrace(200);

void AddChannelArguments(grpc::ServerBuilder& builder) {
  builder.AddChannelArgument(GRPC_ARG_MAX_CONCURRENT_STREAMS, kMaxConcurrentStreams);
  builder.AddChannelArgument(GRPC_ARG_MAX_METADATA_SIZE, kMaxCallMetadataBytes);
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIME_MS, kKeepaliveIntervalMs);
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, kKeepaliveTimeoutMs);
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_PERMIT_WITHOUT_CALLS, 1);
  builder.AddChannelArgument(GRPC_ARG_HTTP2_MIN_RECV_PING_INTERVAL_WITHOUT_DATA_MS,
                             kMinPingIntervalMs);
  builder.AddChannelArgument(GRPC_ARG_MAX_CONNECTION_IDLE_MS, kMaxConnectionIdleMs);
  builder.AddChannelArgument(GRPC_ARG_MAX_CONNECTION_AGE_MS, kMaxConnectionAgeMs);
  builder.AddChannelArgument(GRPC_ARG_SERVER_HANDSHAKE_TIMEOUT_MS, kHandshakeTimeoutMs);
  // gRPC 1.51 inflates a compressed message in full before it checks the limit of its size.
  builder.SetCompressionAlgorithmSupportStatus(GRPC_COMPRESS_DEFLATE, false);
  builder.SetCompressionAlgorithmSupportStatus(GRPC_COMPRESS_GZIP, false);
}

/// gRPC keeps the bytes of requests that arrive, whoever sends them and however slowly, and those
/// of requests that are held. Where they are too many it ends calls that are being received.
void LimitMemory(const ServerOptions& options, grpc::ServerBuilder& builder) {
  grpc::ResourceQuota quota("requests");
  quota.Resize(options.max_pending_bytes + options.security.max_receiving_bytes);
  builder.SetResourceQuota(quota);
}

/// A server that is started again has another name, since it has none of its residents.
std::string RandomName() {
  std::random_device random;
  return absl::StrFormat("%08x%08x", random(), random());
}

absl::string_view HostOf(absl::string_view address) {
  return address.substr(0, address.rfind(':'));
}

}  // namespace

absl::StatusOr<std::unique_ptr<Server>> Server::Start(const ServerOptions& options,
                                                      std::unique_ptr<Engine> engine,
                                                      std::span<const WorkloadEntry> workloads) {
  ServerOptions complete = options;
  std::string& name = complete.security.server_name;
  if (name.empty()) name = RandomName();
  if (complete.log.to == nullptr) {
    complete.log.to = std::make_shared<Logger>(LogLevel::kOff, STDERR_FILENO);
  }
  std::unique_ptr<Server> server(new Server(complete, std::move(engine)));
  const absl::Status tenants = server->accounts_.access.Load();
  if (!tenants.ok()) {
    return absl::InvalidArgumentError(absl::StrCat("--tokens: ", tenants.message()));
  }
  server->AddWorkloads(workloads);
  WY_RETURN_IF_ERROR(server->ListenForMetrics());
  WY_RETURN_IF_ERROR(server->Listen());
  return server;
}

Server::Server(const ServerOptions& options, std::unique_ptr<Engine> engine)
    : options_(options),
      metrics_(
          {WARPYARD_VERSION, engine->BackendDescription(), NameOf(options.engine.policy.kind)}),
      accounts_{{},
                {options.max_pending_bytes, kRequestWording},
                {options.max_unread_bytes, kResultWording},
                BufferPool(kMostKeptBytes),
                UploadTable(options.uploads),
                Access(options.security.tokens)},
      engine_(std::move(engine)),
      jobs_(*engine_, *options_.log.to),
      residents_(
          options.resident_ttl,
          // Calls may still release residents while the engine shuts down.
          [engine = engine_.get()](ResidentId resident) { engine->Close(resident).IgnoreError(); }),
      collectors_{std::make_shared<EngineCollector>(*engine_, accounts_.requests, accounts_.results,
                                                    accounts_.uploads),
                  std::make_shared<TenantCollector>(accounts_.access, residents_),
                  std::make_shared<ProcessCollector>()},
      sweeper_(std::make_unique<Periodic>(kSweepInterval, [this] { Sweep(); })) {}

void Server::Sweep() {
  metrics_.totals().residents_expired.Increment(static_cast<double>(residents_.RemoveExpired()));
  metrics_.totals().uploads_expired.Increment(
      static_cast<double>(accounts_.uploads.RemoveExpired()));
  ReloadTenants();
  accounts_.calls.Look();
  collectors_.engine->Look();
  const ByteBudget &requests = accounts_.requests, &results = accounts_.results;
  // Uploads stay for long, so only those that are gone have passed through.
  const ByteBudget& uploads = accounts_.uploads.budget();
  heap_trimmer_.Look(requests.used() + results.used(),
                     requests.taken() + results.taken() + uploads.taken() - uploads.used());
}

void Server::ReloadTenants() {
  const absl::Status status = accounts_.access.Load();
  if (status.ok()) return;
  options_.log.to->Message(
      LogLevel::kError, "tokens_not_read",
      absl::StrCat("--tokens: ", status.message(), "; the tenants stay as they were"));
}

void Server::AddWorkloads(std::span<const WorkloadEntry> workloads) {
  const ServiceContext context = {jobs_,
                                  residents_,
                                  metrics_,
                                  accounts_.calls,
                                  accounts_.requests,
                                  accounts_.results,
                                  accounts_.buffers,
                                  accounts_.uploads,
                                  accounts_.access,
                                  options_.security.server_name,
                                  options_.max_response_bytes,
                                  options_.watch.unread_timeout,
                                  options_.limits,
                                  *options_.log.to};
  for (const WorkloadEntry& entry : workloads) {
    if (entry.enabled != nullptr && !(options_.*entry.enabled)) continue;
    workloads_.push_back(entry.make(context));
  }
}

Server::~Server() {
  if (grpc_server_ != nullptr) Shutdown();
}

absl::Status Server::Listen() {
  grpc::EnableDefaultHealthCheckService(true);
  grpc::reflection::InitProtoReflectionServerBuilderPlugin();
  grpc::ServerBuilder builder;
  WY_ASSIGN_OR_RETURN(const std::shared_ptr<grpc::ServerCredentials> credentials,
                      ServerCredentials(options_.security.tls));
  if (options_.security.tls.any() && accounts_.access.KnowsTenants()) {
    credentials->SetAuthMetadataProcessor(std::make_shared<Door>(
        accounts_.access, metrics_.totals().callers_refused, *options_.log.to));
  }
  WY_ASSIGN_OR_RETURN(const std::size_t most, MostConnections(options_.security.max_connections));
  const ConnectionLimits limits = {most, options_.security.max_connections_of_address};
  WY_ASSIGN_OR_RETURN(acceptor_, Acceptor::Listen(options_.listen, limits, *metrics_.registry()));
  using Experimental = grpc::ServerBuilder::experimental_type;
  auto connections = builder.experimental().AddExternalConnectionAcceptor(
      Experimental::ExternalConnectionType::FROM_FD, credentials);
  builder.SetMaxReceiveMessageSize(static_cast<int>(options_.max_request_bytes));
  builder.SetMaxSendMessageSize(-1);  // unary calls and stream parts have limits of their own
  AddChannelArguments(builder);
  LimitMemory(options_, builder);
  for (const auto& workload : workloads_) builder.RegisterService(&workload->service());
  grpc_server_ = builder.BuildAndStart();
  if (grpc_server_ == nullptr) return absl::InternalError("gRPC did not start");
  acceptor_->Start(std::move(connections));
  SetHealth(true);
  WatchHealth();
  return absl::OkStatus();
}

absl::Status Server::ListenForMetrics() {
  if (options_.metrics.empty()) return absl::OkStatus();
  WY_ASSIGN_OR_RETURN(
      metrics_listener_,
      MetricsListener::Listen(options_.metrics, metrics_.ready_registry(),
                              {metrics_.registry(), collectors_.engine, collectors_.tenants,
                               collectors_.process},
                              accounts_.access.KnowsTenants()
                                  ? [&access = accounts_.access](const std::string& token) {
                                      const absl::StatusOr<Caller> caller = access.FindToken(token);
                                      return caller.ok() && caller->tenant()->rights.metrics;
                                    }
                                  : MetricsListener::Allows()));
  return absl::OkStatus();
}

void Server::SetHealth(bool serving) {
  serving_ = serving;
  metrics_.SetReady(serving);
  grpc::HealthCheckServiceInterface* health = grpc_server_->GetHealthCheckService();
  health->SetServingStatus("", serving);
  for (const auto& workload : workloads_) health->SetServingStatus(workload->name(), serving);
}

void Server::WatchHealth() {
  HealthWatch::Callbacks callbacks;
  callbacks.on_lost = [this](const DeviceHealth& device) {
    options_.log.to->Write(LogLevel::kError, "device_lost", [&device](LogLine& line) {
      line.Add("device", device.name).Add("message", device.status.message());
    });
  };
  callbacks.on_all_lost = [this] {
    options_.log.to->Message(LogLevel::kError, "no_device_left", "not serving, restart me");
    SetHealth(false);
  };
  health_watch_ =
      std::make_unique<HealthWatch>(*engine_, options_.watch.health_interval, callbacks);
}

std::string Server::Description() const {
  const std::string metrics = metrics_listener_ == nullptr
                                  ? "metrics off"
                                  : absl::StrCat("metrics on http://", HostOf(options_.metrics),
                                                 ":", metrics_port(), "/metrics");
  const std::string address = IsUnixSocket(options_.listen)
                                  ? options_.listen
                                  : absl::StrCat(HostOf(options_.listen), ":", port());
  return absl::StrCat("listening on ", address, options_.security.tls.any() ? " with TLS, " : ", ",
                      metrics, ", backend ", engine_->BackendDescription());
}

void Server::BeginDrain() {
  if (serving_) SetHealth(false);
  accounts_.calls.BeginDrain();
}

bool Server::WaitUntilIdle(absl::Duration timeout) {
  return accounts_.calls.WaitUntilIdle(timeout);
}

void Server::Retire() {
  BeginDrain();
  health_watch_.reset();
  sweeper_.reset();
  collectors_.engine->Detach();
  engine_.reset();
  std::this_thread::sleep_for(kShutdownGrace);
}

void Server::Shutdown() {
  BeginDrain();
  acceptor_->Stop();
  grpc_server_->Shutdown(std::chrono::system_clock::now() + kShutdownGrace);
  grpc_server_->Wait();
}

}  // namespace warpyard::server
