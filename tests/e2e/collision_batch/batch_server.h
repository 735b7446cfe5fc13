// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A server with a client of its batches, for tests.
#ifndef WARPYARD_TESTS_E2E_COLLISION_BATCH_BATCH_SERVER_H_
#define WARPYARD_TESTS_E2E_COLLISION_BATCH_BATCH_SERVER_H_

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/e2e/test_server.h"
#include "warpyard/v1/collision_batch_service.grpc.pb.h"

namespace warpyard::test_support {

inline constexpr double kNever = std::numeric_limits<double>::infinity();

/// Rows of positions, one after the other.
inline v1::Positions Rows(const std::vector<v1::Positions>& rows) {
  v1::Positions all = rows[0];
  all.clear_data();
  for (const v1::Positions& row : rows) all.mutable_data()->append(row.data());
  return all;
}

/// The falling triangle, which stays where it is.
inline v1::Positions NoFall() { return FallingTriangleMesh().positions(); }

inline v1::Positions BadFall() {
  v1::Positions end = FallingTriangleEnd();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  end.mutable_data()->replace(4 * sizeof(double), sizeof(double), Bytes<double>({nan}));
  return end;
}

/// A server with a client of its batches.
class BatchTest : public ::testing::Test {
 protected:
  explicit BatchTest(const server::ServerOptions& options = TestOptions())
      : server_(options), stub_(v1::CollisionBatchService::NewStub(server_.channel())) {}

  static v1::OpenScenesRequest OpenRequest(std::uint32_t worlds) {
    v1::OpenScenesRequest request;
    *request.mutable_mesh() = FallingTriangleMesh();
    request.set_worlds(worlds);
    return request;
  }

  std::string OpenSet(const v1::OpenScenesRequest& request) {
    v1::OpenScenesResponse response;
    const grpc::Status status = stub_->OpenScenes(NewContext().get(), request, &response);
    EXPECT_TRUE(status.ok()) << status.error_message();
    return response.set();
  }

  grpc::Status OpenError(const v1::OpenScenesRequest& request) {
    v1::OpenScenesResponse response;
    return stub_->OpenScenes(NewContext().get(), request, &response);
  }

  /// A request with one step of a set.
  static v1::StepBatchRequest SetRequest(const std::string& set,
                                         const std::vector<v1::Positions>& rows,
                                         v1::Report report = v1::REPORT_COLLISIONS) {
    v1::StepBatchRequest request;
    v1::SetStep& step = *request.add_sets();
    step.set_set(set);
    *step.mutable_end() = Rows(rows);
    step.mutable_collision()->set_report(report);
    return request;
  }

  v1::StepBatchResponse Step(const v1::StepBatchRequest& request) {
    v1::StepBatchResponse response;
    const grpc::Status status = stub_->StepBatch(NewContext().get(), request, &response);
    EXPECT_TRUE(status.ok()) << status.error_message();
    EXPECT_EQ(response.steps_size(), request.steps_size());
    EXPECT_EQ(response.sets_size(), request.sets_size());
    return response;
  }

  grpc::Status ErrorOf(const v1::StepBatchRequest& request) {
    v1::StepBatchResponse response;
    return stub_->StepBatch(NewContext().get(), request, &response);
  }

  FakeServer server_;
  const std::unique_ptr<v1::CollisionBatchService::Stub> stub_;
};

}  // namespace warpyard::test_support

#endif  // WARPYARD_TESTS_E2E_COLLISION_BATCH_BATCH_SERVER_H_
