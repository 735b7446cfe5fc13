// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A server for tests of UploadService, and streams to it.
#ifndef WARPYARD_TESTS_E2E_UPLOAD_UPLOAD_SERVER_H_
#define WARPYARD_TESTS_E2E_UPLOAD_UPLOAD_SERVER_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "tests/e2e/simplify/simplify_server.h"
#include "tests/unit/server/upload/contents.h"
#include "warpyard/v1/upload_service.grpc.pb.h"

namespace warpyard::test_support {

inline v1::UploadPart StartOf(const std::string& content, std::uint32_t tenant = 0,
                              std::uint64_t offset = 0) {
  v1::UploadPart part;
  part.mutable_start()->set_sha256(DigestOf(content));
  part.mutable_start()->set_size(content.size());
  part.mutable_start()->set_offset(offset);
  part.mutable_start()->set_tenant(tenant);
  return part;
}

inline v1::UploadPart DataOf(const std::string& data) {
  v1::UploadPart part;
  part.set_data(data);
  return part;
}

/// A client's side of Upload.
class UploadStream {
 public:
  explicit UploadStream(v1::UploadService::Stub& stub)
      : writer_(stub.Upload(context_.get(), &response_)) {}

  bool Write(const v1::UploadPart& part) { return writer_->Write(part); }
  grpc::Status Finish() {
    writer_->WritesDone();
    return writer_->Finish();
  }
  /// Breaks the stream, as a connection that breaks does.
  void Break() {
    context_->TryCancel();
    writer_->Finish();
  }
  const v1::UploadResponse& response() const { return response_; }

 private:
  const std::unique_ptr<grpc::ClientContext> context_ = NewContext();
  v1::UploadResponse response_;
  const std::unique_ptr<grpc::ClientWriter<v1::UploadPart>> writer_;
};

/// A server with models, and calls to its UploadService.
class UploadServer {
 public:
  explicit UploadServer(const server::ServerOptions& options = TestOptions()) : models_(options) {}

  SimplifyServer& models() { return models_; }
  v1::UploadService::Stub& stub() { return *stub_; }

  /// Sends the bytes of a content from `offset` on, in pieces.
  grpc::Status Send(const std::string& content, std::uint32_t tenant = 0,
                    std::uint64_t offset = 0) {
    constexpr std::size_t kPiece = 70'001;
    UploadStream stream(*stub_);
    stream.Write(StartOf(content, tenant, offset));
    for (std::size_t at = offset; at < content.size(); at += kPiece) {
      if (!stream.Write(DataOf(content.substr(at, kPiece)))) break;
    }
    const grpc::Status status = stream.Finish();
    EXPECT_TRUE(!status.ok() || stream.response().complete());
    return status;
  }

  /// Sends so many bytes of a content, waits until the server has them, and breaks the stream.
  void SendPart(const std::string& content, std::size_t bytes) {
    UploadStream stream(*stub_);
    EXPECT_TRUE(stream.Write(StartOf(content)));
    EXPECT_TRUE(stream.Write(DataOf(content.substr(0, bytes))));
    EXPECT_TRUE(WaitFor([&] { return Find(content).received() == bytes; }));
    stream.Break();
  }

  v1::FindUploadResponse Find(const std::string& content, std::uint32_t tenant = 0) {
    v1::FindUploadRequest request;
    request.set_sha256(DigestOf(content));
    request.set_tenant(tenant);
    v1::FindUploadResponse response;
    const grpc::Status status = stub_->FindUpload(NewContext().get(), request, &response);
    EXPECT_TRUE(status.ok()) << status.error_message();
    return response;
  }

  grpc::Status Drop(const std::string& content, std::uint32_t tenant = 0) {
    v1::DropUploadRequest request;
    request.set_sha256(DigestOf(content));
    request.set_tenant(tenant);
    v1::DropUploadResponse response;
    return stub_->DropUpload(NewContext().get(), request, &response);
  }

 private:
  SimplifyServer models_;
  const std::unique_ptr<v1::UploadService::Stub> stub_ =
      v1::UploadService::NewStub(models_.test().channel());
};

}  // namespace warpyard::test_support

#endif  // WARPYARD_TESTS_E2E_UPLOAD_UPLOAD_SERVER_H_
