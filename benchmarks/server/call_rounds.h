// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Unary calls that are kept in flight for a time.
#ifndef WARPYARD_BENCHMARKS_SERVER_CALL_ROUNDS_H_
#define WARPYARD_BENCHMARKS_SERVER_CALL_ROUNDS_H_

#include <atomic>
#include <cstdint>
#include <iostream>
#include <memory>
#include <thread>
#include <vector>

#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "grpcpp/grpcpp.h"
#include "warpyard/v1/collision_service.grpc.pb.h"

namespace warpyard::collision_bench {

/// Repeats one step as soon as it is answered, with several in flight, until the time is over.
class CallRound {
 public:
  CallRound(v1::CollisionService::Stub& stub, const v1::StepRequest& request, int in_flight)
      : stub_(stub), request_(request), calls_(static_cast<std::size_t>(in_flight)) {}

  /// Answered calls a second. @shape expected: the status of each call
  double Run(absl::Duration time, grpc::StatusCode expected) {
    expected_ = expected;
    live_ = static_cast<int>(calls_.size());
    const absl::Time begin = absl::Now();
    end_ = begin + time;
    for (Call& call : calls_) Start(call);
    while (live_ != 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return static_cast<double>(answered_) / absl::ToDoubleSeconds(absl::Now() - begin);
  }

  std::uint64_t wrong() const { return wrong_; }

 private:
  struct Call {
    std::unique_ptr<grpc::ClientContext> context;
    v1::StepResponse response;
  };

  void Start(Call& call) {
    call.context = std::make_unique<grpc::ClientContext>();
    stub_.async()->Step(call.context.get(), &request_, &call.response,
                        [this, &call](const grpc::Status& status) {
                          ++answered_;
                          if (status.error_code() != expected_ && wrong_++ == 0) {
                            std::cerr << "unexpected: " << status.error_message() << "\n";
                          }
                          if (absl::Now() < end_) return Start(call);
                          --live_;
                        });
  }

  v1::CollisionService::Stub& stub_;
  const v1::StepRequest& request_;
  std::vector<Call> calls_;
  grpc::StatusCode expected_ = grpc::StatusCode::OK;
  absl::Time end_;
  std::atomic<std::uint64_t> answered_ = 0, wrong_ = 0;
  std::atomic<int> live_ = 0;
};

}  // namespace warpyard::collision_bench

#endif  // WARPYARD_BENCHMARKS_SERVER_CALL_ROUNDS_H_
