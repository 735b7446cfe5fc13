// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A server for tests of SimplifyService, and a sphere to simplify.
#ifndef WARPYARD_TESTS_E2E_SIMPLIFY_SIMPLIFY_SERVER_H_
#define WARPYARD_TESTS_E2E_SIMPLIFY_SIMPLIFY_SERVER_H_

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/e2e/test_server.h"
#include "tests/support/sphere.h"
#include "warpyard/v1/simplify_service.grpc.pb.h"

namespace warpyard::test_support {

using SetGoal = std::function<void(v1::SimplifyRequest&)>;

inline constexpr std::uint32_t kRings = 60, kSectors = 100;
inline constexpr std::uint32_t kTriangles = 2 * kRings * kSectors;
inline constexpr std::uint32_t kVertices = kRings * kSectors + 2;

inline v1::OpenModelRequest SphereRequest(double x = 0) {
  SphereMesh sphere = Sphere(kRings, kSectors);
  for (std::size_t i = 0; i < sphere.positions.size(); i += 3) sphere.positions[i] += x;
  v1::OpenModelRequest request;
  *request.mutable_mesh()->mutable_positions() = Doubles(sphere.positions);
  request.mutable_mesh()->set_triangles(Bytes(sphere.triangles));
  return request;
}

inline v1::SimplifyRequest Request(const std::string& model, const SetGoal& set) {
  v1::SimplifyRequest request;
  request.set_model(model);
  set(request);
  return request;
}

inline v1::SimplifyRequest ToTriangles(const std::string& model, std::uint64_t triangles) {
  return Request(model, [triangles](auto& r) { r.set_triangles(triangles); });
}

/// A server, and calls to its SimplifyService.
class SimplifyServer {
 public:
  explicit SimplifyServer(const server::ServerOptions& options = TestOptions())
      : server_(options, *Engine::Create(options.engine)) {}
  SimplifyServer(const server::ServerOptions& options, std::unique_ptr<Engine> engine)
      : server_(options, std::move(engine)) {}

  TestServer& test() { return server_; }
  v1::SimplifyService::Stub& stub() { return *stub_; }

  grpc::Status Open(const v1::OpenModelRequest& request, v1::OpenModelResponse* response) {
    return stub_->OpenModel(NewContext().get(), request, response);
  }
  grpc::Status Open(const v1::OpenModelRequest& request) {
    v1::OpenModelResponse response;
    return Open(request, &response);
  }
  /// Opens a model and returns its name; empty if that failed.
  std::string NameOf(const v1::OpenModelRequest& request) {
    v1::OpenModelResponse response;
    return Open(request, &response).ok() ? response.model() : "";
  }
  grpc::Status Simplify(const v1::SimplifyRequest& request, v1::SimplifyResponse* response) {
    return stub_->Simplify(NewContext().get(), request, response);
  }
  grpc::Status Simplify(const v1::SimplifyRequest& request) {
    v1::SimplifyResponse response;
    return Simplify(request, &response);
  }
  /// The result, which must come.
  v1::SimplifyResponse ResultOf(const v1::SimplifyRequest& request) {
    v1::SimplifyResponse response;
    const grpc::Status status = Simplify(request, &response);
    EXPECT_TRUE(status.ok()) << status.error_message();
    return response;
  }
  grpc::Status Close(const std::string& model) {
    v1::CloseModelRequest request;
    request.set_model(model);
    v1::CloseModelResponse response;
    return stub_->CloseModel(NewContext().get(), request, &response);
  }

 private:
  TestServer server_;
  const std::unique_ptr<v1::SimplifyService::Stub> stub_ =
      v1::SimplifyService::NewStub(server_.channel());
};

inline std::size_t TrianglesOf(const v1::SimplifyResponse& response) {
  return response.mesh().triangles().size() / 12;
}

inline std::size_t VerticesOf(const v1::SimplifyResponse& response) {
  return response.mesh().positions().data().size() / 12;
}

/// Expects what every simplified sphere is: closed, with all indices in range, and near the sphere.
inline void ExpectSphere(const v1::SimplifyResponse& response, double tolerance) {
  const auto triangles = Numbers<std::uint32_t>(response.mesh().triangles());
  const auto sources = Numbers<std::uint32_t>(response.source_vertices());
  const auto positions = Numbers<float>(response.mesh().positions().data());
  ASSERT_FALSE(triangles.empty());
  EXPECT_TRUE(IsClosed(triangles));
  EXPECT_THAT(triangles, ::testing::Each(::testing::Lt(VerticesOf(response))));
  EXPECT_EQ(sources.size(), VerticesOf(response));
  EXPECT_THAT(sources, ::testing::Each(::testing::Lt(kVertices)));
  ASSERT_EQ(response.origin_size(), 3);
  for (std::size_t v = 0; v < VerticesOf(response); ++v) {
    const double radius =
        std::hypot(positions[3 * v] + response.origin(0), positions[3 * v + 1] + response.origin(1),
                   positions[3 * v + 2] + response.origin(2));
    ASSERT_NEAR(radius, 1, tolerance);
  }
}

}  // namespace warpyard::test_support

#endif  // WARPYARD_TESTS_E2E_SIMPLIFY_SIMPLIFY_SERVER_H_
