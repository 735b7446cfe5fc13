// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Owns all parts of the server, and shuts them down in order.
#ifndef WARPYARD_SERVER_SERVER_H_
#define WARPYARD_SERVER_SERVER_H_

#include <atomic>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "core/engine/engine.h"
#include "grpcpp/server.h"
#include "server/admission/byte_budget.h"
#include "server/health_watch.h"
#include "server/heap_trimmer.h"
#include "server/jobs/job_runner.h"
#include "server/jobs/periodic.h"
#include "server/jobs/resident_table.h"
#include "server/listener/acceptor.h"
#include "server/metrics/engine_collector.h"
#include "server/metrics/metrics.h"
#include "server/metrics/metrics_listener.h"
#include "server/metrics/process_collector.h"
#include "server/metrics/tenant_collector.h"
#include "server/options.h"
#include "server/rpc/buffer_pool.h"
#include "server/rpc/call_tracker.h"
#include "server/upload/upload_table.h"
#include "server/workload.h"
#include "server/workloads.h"

namespace warpyard::server {

/// A server that runs from Start until Shutdown (or its destructor).
class Server {
 public:
  /// @errors UNAVAILABLE: an address cannot be listened on
  static absl::StatusOr<std::unique_ptr<Server>> Start(
      const ServerOptions& options, std::unique_ptr<Engine> engine,
      std::span<const WorkloadEntry> workloads = AllWorkloads());
  ~Server();

  /// The port of the gRPC service; 0: a Unix socket.
  int port() const { return acceptor_->port(); }
  /// The port of the metrics, or 0.
  int metrics_port() const { return metrics_listener_ == nullptr ? 0 : metrics_listener_->port(); }
  /// "listening on ..., metrics on ..., backend ...".
  std::string Description() const;

  /// From now on health is NOT_SERVING, and new calls and steps get UNAVAILABLE; accepted work goes
  /// on.
  void BeginDrain();

  /// Waits until no call is live. Returns false if some still are after `timeout`.
  bool WaitUntilIdle(absl::Duration timeout);

  /// Cancels the remaining calls and stops.
  void Shutdown();

  /// For the end of the process, after WaitUntilIdle. Stops the engine, and refuses calls with
  /// UNAVAILABLE until the end of the process closes their connections. Shutdown would be worse
  /// here: during its own shutdown gRPC 1.51 answers new calls with CANCELLED, and clients do not
  /// repeat such calls.
  void Retire();

 private:
  Server(const ServerOptions& options, std::unique_ptr<Engine> engine);

  void AddWorkloads(std::span<const WorkloadEntry> workloads);
  absl::Status Listen();
  absl::Status ListenForMetrics();
  void SetHealth(bool serving);
  void Sweep();
  void ReloadTenants();
  void WatchHealth();

  /// The budgets, buffers and uploads that all calls share.
  struct Accounts {
    CallTracker calls;
    ByteBudget requests;
    ByteBudget results;
    BufferPool buffers;
    UploadTable uploads;
    Access access;
  };

  /// What a scrape reads beside the registry.
  struct Collectors {
    std::shared_ptr<EngineCollector> engine;
    std::shared_ptr<TenantCollector> tenants;
    std::shared_ptr<ProcessCollector> process;
  };

  // The order matters for destruction. The engine's completions use the metrics, the accounts and
  // the contexts of the workloads' calls, even after the calls are over: a stream does not wait for
  // the steps that it has cancelled. The residents and the calls use the engine.
  const ServerOptions options_;
  Metrics metrics_;
  Accounts accounts_;
  std::vector<std::unique_ptr<Workload>> workloads_;
  std::unique_ptr<Engine> engine_;  // null after Retire
  JobRunner jobs_;
  ResidentTable residents_;
  const Collectors collectors_;
  HeapTrimmer heap_trimmer_;
  std::atomic<bool> serving_ = false;  // the thread of health_watch_ sets it, too
  std::unique_ptr<Periodic> sweeper_;
  std::unique_ptr<MetricsListener> metrics_listener_;
  std::unique_ptr<grpc::Server> grpc_server_;
  std::unique_ptr<Acceptor> acceptor_;         // hands connections to grpc_server_
  std::unique_ptr<HealthWatch> health_watch_;  // last, because it tells the server of lost devices
};

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_SERVER_H_
