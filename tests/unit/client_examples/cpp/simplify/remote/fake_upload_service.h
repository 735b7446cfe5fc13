// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A service that keeps contents, and whose streams break on request.
#ifndef WARPYARD_TESTS_UNIT_CLIENT_EXAMPLES_CPP_SIMPLIFY_REMOTE_FAKE_UPLOAD_SERVICE_H_
#define WARPYARD_TESTS_UNIT_CLIENT_EXAMPLES_CPP_SIMPLIFY_REMOTE_FAKE_UPLOAD_SERVICE_H_

#include <cstddef>
#include <map>
#include <mutex>
#include <string>

#include "grpcpp/grpcpp.h"
#include "warpyard/v1/upload_service.grpc.pb.h"

namespace warpyard::cli {

class FakeUploadService : public v1::UploadService::Service {
 public:
  grpc::Status Upload(grpc::ServerContext*, grpc::ServerReader<v1::UploadPart>* stream,
                      v1::UploadResponse* response) override {
    const std::lock_guard lock(mutex_);
    v1::UploadPart part;
    stream->Read(&part);
    const v1::UploadStart start = part.start();
    std::string& content = contents_[start.sha256()];
    sizes_[start.sha256()] = start.size();
    if (start.offset() > content.size()) return {grpc::FAILED_PRECONDITION, "beyond"};
    content.resize(start.offset());
    ++streams;
    if (breaks > 0 && bytes_until_break == 0) return --breaks, Broken();
    std::size_t got = 0;
    while (stream->Read(&part)) {
      content += part.data();
      sent += part.data().size();
      got += part.data().size();
      if (breaks > 0 && got >= bytes_until_break) return --breaks, Broken();
    }
    response->set_received(content.size());
    response->set_complete(content.size() == start.size());
    return grpc::Status::OK;
  }

  grpc::Status FindUpload(grpc::ServerContext*, const v1::FindUploadRequest* request,
                          v1::FindUploadResponse* response) override {
    const std::lock_guard lock(mutex_);
    const auto content = contents_.find(request->sha256());
    if (content == contents_.end()) return grpc::Status::OK;
    response->set_received(content->second.size());
    response->set_complete(content->second.size() == sizes_[request->sha256()]);
    return grpc::Status::OK;
  }

  grpc::Status DropUpload(grpc::ServerContext*, const v1::DropUploadRequest* request,
                          v1::DropUploadResponse*) override {
    Drop(request->sha256());
    return grpc::Status::OK;
  }

  void Drop(const std::string& sha256) {
    const std::lock_guard lock(mutex_);
    contents_.erase(sha256);
  }

  /// What it has of each content.
  std::map<std::string, std::string> contents() const {
    const std::lock_guard lock(mutex_);
    return contents_;
  }

  // Set and read between calls.
  int breaks = 0;                     ///< streams that break from now on
  std::size_t bytes_until_break = 0;  ///< of each of them
  int streams = 0;
  std::size_t sent = 0;  ///< bytes of all streams

 private:
  static grpc::Status Broken() { return {grpc::UNAVAILABLE, "broken"}; }

  mutable std::mutex mutex_;
  std::map<std::string, std::string> contents_;
  std::map<std::string, std::size_t> sizes_;
};

}  // namespace warpyard::cli

#endif  // WARPYARD_TESTS_UNIT_CLIENT_EXAMPLES_CPP_SIMPLIFY_REMOTE_FAKE_UPLOAD_SERVICE_H_
