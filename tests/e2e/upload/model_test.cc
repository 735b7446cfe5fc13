// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Models that are opened from uploads.

#include <cstddef>
#include <memory>
#include <string>
#include <utility>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/e2e/upload/upload_server.h"

namespace warpyard::test_support {
namespace {

using ::testing::HasSubstr;

v1::OpenModelRequest Uploaded(const std::string& content, std::uint32_t tenant = 0) {
  v1::OpenModelRequest request;
  request.set_upload(DigestOf(content));
  request.mutable_job()->set_tenant(tenant);
  return request;
}

class UploadedModel : public ::testing::Test {
 protected:
  v1::OpenModelResponse Open(std::uint32_t tenant = 0) {
    v1::OpenModelResponse response;
    const grpc::Status status = models_.Open(Uploaded(content_, tenant), &response);
    EXPECT_TRUE(status.ok()) << status.error_message();
    return response;
  }

  UploadServer server_;
  SimplifyServer& models_ = server_.models();
  const std::string content_ = SphereRequest().SerializeAsString();
};

TEST_F(UploadedModel, IsTheModelOfTheRequest) {
  ASSERT_TRUE(server_.Send(content_).ok());
  const v1::OpenModelResponse opened = Open();
  EXPECT_EQ(opened.triangles(), kTriangles);
  EXPECT_FALSE(opened.reused());
  EXPECT_EQ(opened.phases_size(), 2);
  const auto result = models_.ResultOf(ToTriangles(opened.model(), 500));
  const auto same = models_.ResultOf(ToTriangles(models_.NameOf(SphereRequest()), 500));
  EXPECT_EQ(result.mesh().SerializeAsString(), same.mesh().SerializeAsString());
}

TEST_F(UploadedModel, IsReusedWhileItIsOpen) {
  ASSERT_TRUE(server_.Send(content_).ok());
  const v1::OpenModelResponse first = Open(), second = Open();
  EXPECT_TRUE(second.reused());
  EXPECT_NE(first.model(), second.model());
  EXPECT_EQ(second.triangles(), kTriangles);
  EXPECT_EQ(second.vertices(), first.vertices());
  EXPECT_EQ(second.nodes(), first.nodes());
  EXPECT_EQ(second.device_bytes(), first.device_bytes());
  EXPECT_EQ(second.phases_size(), 0);
  EXPECT_TRUE(models_.Close(first.model()).ok());
  EXPECT_TRUE(models_.Simplify(ToTriangles(second.model(), 500)).ok());
  // The content is not needed as long as the model is open.
  EXPECT_TRUE(server_.Drop(content_).ok());
  const v1::OpenModelResponse third = Open();
  EXPECT_TRUE(third.reused());
  EXPECT_TRUE(models_.Close(second.model()).ok());
  EXPECT_TRUE(models_.Close(third.model()).ok());
  // The thread of a job that has just ended may hold the model for a moment longer.
  grpc::Status status;
  for (int tries = 0; tries < 1000; ++tries) {
    v1::OpenModelResponse again;
    status = models_.Open(Uploaded(content_), &again);
    if (!status.ok()) break;
    EXPECT_TRUE(models_.Close(again.model()).ok());
  }
  ExpectError(status, grpc::StatusCode::NOT_FOUND, "upload: tenant 0 has none");
  ASSERT_TRUE(server_.Send(content_).ok());
  EXPECT_FALSE(Open().reused());
}

TEST_F(UploadedModel, BelongsToATenant) {
  ASSERT_TRUE(server_.Send(content_, 1).ok());
  EXPECT_FALSE(Open(1).reused());
  ExpectError(models_.Open(Uploaded(content_, 2)), grpc::StatusCode::NOT_FOUND,
              "upload: tenant 2 has none");
  ASSERT_TRUE(server_.Send(content_, 2).ok());
  EXPECT_FALSE(Open(2).reused());
  EXPECT_TRUE(Open(1).reused());
}

TEST_F(UploadedModel, NeedsACompleteAndValidContent) {
  constexpr auto kInvalid = grpc::StatusCode::INVALID_ARGUMENT;
  server_.SendPart(content_, 100);
  ExpectError(models_.Open(Uploaded(content_)), grpc::StatusCode::FAILED_PRECONDITION,
              "upload: not complete, 100 of");
  v1::OpenModelRequest request;
  request.set_upload("abc");
  ExpectError(models_.Open(request), kInvalid, "upload: 3 bytes, expected 32");
  request = Uploaded(content_);
  *request.mutable_mesh() = SquareMesh();
  ExpectError(models_.Open(request), kInvalid, "mesh: set beside upload");
  const auto error_of = [&](const std::string& content, const std::string& message) {
    ASSERT_TRUE(server_.Send(content).ok());
    ExpectError(models_.Open(Uploaded(content)), kInvalid, message);
  };
  error_of("\xff\xff", "upload: the content is not a valid warpyard.v1.OpenModelRequest message");
  v1::OpenModelRequest inner = SphereRequest();
  inner.mutable_job()->set_tenant(3);
  error_of(inner.SerializeAsString(), "upload: its content sets job");
  inner = SphereRequest();
  inner.set_upload("x");
  error_of(inner.SerializeAsString(), "upload: its content sets upload");
  inner = SphereRequest();
  inner.mutable_mesh()->set_triangles(Bytes<std::uint32_t>({0, 1, 9999}));
  error_of(inner.SerializeAsString(), "mesh.triangles: triangle 0");
}

TEST(UploadedModels, AreNotBuiltTwice) {
  auto owned = std::make_unique<FakeEngine>();
  FakeEngine& engine = *owned;
  SimplifyServer models(TestOptions(), std::move(owned));
  const auto uploads = v1::UploadService::NewStub(models.test().channel());
  const std::string content = SphereRequest().SerializeAsString();
  UploadStream stream(*uploads);
  stream.Write(StartOf(content));
  stream.Write(DataOf(content));
  ASSERT_TRUE(stream.Finish().ok());
  const std::string first = models.NameOf(Uploaded(content));
  const std::string second = models.NameOf(Uploaded(content));
  EXPECT_EQ(engine.jobs().size(), 1u);
  EXPECT_EQ(engine.open_residents(), 1u);
  EXPECT_TRUE(models.Close(first).ok());
  EXPECT_EQ(engine.open_residents(), 1u);
  // A model that was lost with its device is built anew.
  engine.SetOutcome(absl::UnavailableError("the device is lost"));
  EXPECT_EQ(models.Simplify(ToTriangles(second, 10)).error_code(), grpc::StatusCode::UNAVAILABLE);
  engine.SetOutcome(absl::OkStatus());
  EXPECT_FALSE(models.NameOf(Uploaded(content)).empty());
  EXPECT_EQ(engine.jobs().size(), 3u);
  EXPECT_EQ(engine.open_residents(), 2u);
  EXPECT_TRUE(models.Close(second).ok());
  EXPECT_TRUE(WaitFor([&] { return engine.open_residents() == 1; }));
}

TEST(UploadedModels, CountAsRequests) {
  server::ServerOptions options = TestOptions();
  options.max_request_bytes = options.max_pending_bytes = std::size_t{256} << 10;
  UploadServer server(options);
  const std::string content = SphereRequest().SerializeAsString();
  ASSERT_GT(content.size(), options.max_pending_bytes);
  ASSERT_TRUE(server.Send(content).ok());
  ExpectError(server.models().Open(Uploaded(content)), grpc::StatusCode::RESOURCE_EXHAUSTED,
              "(--max-pending-mib)");
}

}  // namespace
}  // namespace warpyard::test_support
