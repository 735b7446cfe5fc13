// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// One call of UploadService.Upload.
#ifndef WARPYARD_SERVER_UPLOAD_UPLOAD_STREAM_H_
#define WARPYARD_SERVER_UPLOAD_UPLOAD_STREAM_H_

#include <cstdint>
#include <memory>
#include <mutex>

#include "absl/status/status.h"
#include "grpcpp/server_context.h"
#include "grpcpp/support/byte_buffer.h"
#include "grpcpp/support/server_callback.h"
#include "server/identity/call_identity.h"
#include "server/rpc/admission.h"
#include "server/upload/upload_context.h"

namespace warpyard::server {

/// Reads a part only after it has stored the one before, so a client sends no faster than the
/// server stores. One part at a time is in memory beside the upload.
///
/// The reads are one after the other, so only the end needs a lock: a read, a cancel or the drain
/// may end the call, each on a thread of its own.
class UploadStreamReactor final : public grpc::ServerReadReactor<grpc::ByteBuffer>,
                                  public CallListener,
                                  public std::enable_shared_from_this<UploadStreamReactor> {
 public:
  static grpc::ServerReadReactor<grpc::ByteBuffer>* Start(UploadContext& own,
                                                          grpc::CallbackServerContext* context,
                                                          grpc::ByteBuffer* response);

  /// Call Start instead.
  UploadStreamReactor(UploadContext& own, grpc::CallbackServerContext& context,
                      grpc::ByteBuffer* response);

 private:
  void OnReadDone(bool ok) override;
  void OnCancel() override;
  void OnDone() override;
  void OnDrain() override;
  void OnLook() override;

  /// Stores the part that was read. @errors what is wrong with it: ends the call
  absl::Status Receive();
  absl::Status Begin(const v1::UploadStart& start);
  void Read();
  /// Answers with what has been received of an upload, or that it was dropped.
  void EndWell(const Upload& upload);
  void End(const absl::Status& status);
  /// Whether the caller is the first to end the call.
  bool TakeEnd();

  UploadContext& own_;
  ServiceContext& service_ = own_.service;
  grpc::CallbackServerContext& context_;
  grpc::ByteBuffer* const response_;
  const std::shared_ptr<const CallIdentity> identity_;
  Admission admission_;
  std::shared_ptr<UploadStreamReactor> self_;  // keeps the call until gRPC is done
  grpc::ByteBuffer incoming_;                  // gRPC writes it during a read
  UploadKey key_;
  std::shared_ptr<Upload> upload_;  // null before the start
  std::uint64_t offset_ = 0;        // in the content, of the next byte

  std::mutex mutex_;
  bool ended_ = false;               // guarded by mutex_
  std::shared_ptr<Upload> watched_;  // guarded by mutex_: upload_, for OnLook
};

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_UPLOAD_UPLOAD_STREAM_H_
