// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/support/affinity.h"

#include <condition_variable>
#include <mutex>
#include <string>
#include <utility>

#include "client_examples/support/server_name.h"

namespace warpyard::client_support {
namespace {

using grpc::experimental::InterceptionHookPoints;
using grpc::experimental::InterceptorBatchMethods;

/// The server of a channel. Thread-safe.
class Affinity {
 public:
  /// The name that a call is to send. Empty: it is the first one, and must tell its Answer.
  std::string Begin() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !asking_; });
    asking_ = name_.empty();
    return name_;
  }

  /// @shape name: empty: no server answered, so that the next call is the first one
  void Answer(const std::string& name) {
    {
      const std::lock_guard lock(mutex_);
      name_ = name;
      asking_ = false;
    }
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::string name_;     // guarded by mutex_
  bool asking_ = false;  // guarded by mutex_
};

/// Of one call.
class AffinityInterceptor final : public grpc::experimental::Interceptor {
 public:
  explicit AffinityInterceptor(std::shared_ptr<Affinity> affinity)
      : affinity_(std::move(affinity)) {}
  ~AffinityInterceptor() override { Tell(""); }

  void Intercept(InterceptorBatchMethods* batch) override {
    if (batch->QueryInterceptionHookPoint(InterceptionHookPoints::PRE_SEND_INITIAL_METADATA)) {
      const std::string name = affinity_->Begin();
      is_first_ = name.empty();
      if (!is_first_) batch->GetSendInitialMetadata()->emplace(kServerKey, name);
    }
    if (batch->QueryInterceptionHookPoint(InterceptionHookPoints::POST_RECV_INITIAL_METADATA)) {
      const std::string name = ServerIn(*batch->GetRecvInitialMetadata());
      if (!name.empty()) Tell(name);
    }
    if (batch->QueryInterceptionHookPoint(InterceptionHookPoints::POST_RECV_STATUS)) {
      Tell(ServerIn(*batch->GetRecvTrailingMetadata()));
    }
    batch->Proceed();
  }

 private:
  void Tell(const std::string& name) {
    if (std::exchange(is_first_, false)) affinity_->Answer(name);
  }

  const std::shared_ptr<Affinity> affinity_;
  bool is_first_ = false;
};

class AffinityFactory final : public grpc::experimental::ClientInterceptorFactoryInterface {
 public:
  grpc::experimental::Interceptor* CreateClientInterceptor(
      grpc::experimental::ClientRpcInfo*) override {
    return new AffinityInterceptor(affinity_);  // gRPC owns it
  }

 private:
  const std::shared_ptr<Affinity> affinity_ = std::make_shared<Affinity>();
};

}  // namespace

std::unique_ptr<grpc::experimental::ClientInterceptorFactoryInterface> StayWithOneServer() {
  return std::make_unique<AffinityFactory>();
}

}  // namespace warpyard::client_support
