// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/cpp/simplify/remote/upload.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <thread>

#include "client_examples/cpp/messages.h"
#include "grpcpp/grpcpp.h"
#include "openssl/evp.h"

namespace warpyard::cli {
namespace {

using Stub = v1::UploadService::StubInterface;

/// Sends the content from an offset on. The call ends earlier if another stream sends the rest.
grpc::Status Send(Stub& stub, const v1::UploadStart& start, const std::string& content,
                  std::size_t part_bytes) {
  grpc::ClientContext call;
  v1::UploadResponse response;
  const auto stream = stub.Upload(&call, &response);
  v1::UploadPart part;
  *part.mutable_start() = start;
  bool goes_on = stream->Write(part);
  for (std::size_t at = start.offset(); goes_on && at < content.size(); at += part_bytes) {
    part.set_data(content.substr(at, part_bytes));
    goes_on = stream->Write(part);
  }
  stream->WritesDone();
  const grpc::Status status = stream->Finish();
  if (!status.ok() || response.complete()) return status;
  return {grpc::ABORTED, "the server ended the upload before it was complete"};
}

/// Whether the server may take the rest of the content if it is asked again: its connection broke,
/// or it forgot the content (restart, DropUpload by another client).
bool MayGoOn(const grpc::Status& status) {
  return status.error_code() == grpc::UNAVAILABLE || status.error_code() == grpc::ABORTED ||
         status.error_code() == grpc::FAILED_PRECONDITION;
}

}  // namespace

std::string Sha256Of(const std::string& content) {
  std::string digest(32, '\0');
  // It fails only without memory, or where OpenSSL's configuration forbids SHA-256; the server then
  // refuses the digest of zeros.
  EVP_Digest(content.data(), content.size(), reinterpret_cast<unsigned char*>(digest.data()),
             nullptr, EVP_sha256(), nullptr);
  return digest;
}

absl::Status UploadContent(Stub& stub, const UploadOptions& options, const std::string& sha256,
                           const std::string& content) {
  // The most bytes that the server has had: one that forgets them again and again makes no
  // progress.
  std::uint64_t most = 0;
  grpc::Status status;
  for (int failures = 0;;) {
    grpc::ClientContext call;
    v1::FindUploadRequest request;
    request.set_sha256(sha256);
    v1::FindUploadResponse found;
    const grpc::Status find = stub.FindUpload(&call, request, &found);
    if (find.ok() && found.complete()) return absl::OkStatus();
    if (found.received() > most) failures = 0;
    most = std::max(most, found.received());
    if (failures >= options.tries) return ToStatus(status);
    status = find;
    if (find.ok()) {
      v1::UploadStart start;
      start.set_sha256(sha256);
      start.set_size(content.size());
      start.set_offset(found.received());
      status = Send(stub, start, content, options.part_bytes);
      if (status.ok()) return absl::OkStatus();
    }
    if (!MayGoOn(status)) return ToStatus(status);
    ++failures;
    std::this_thread::sleep_for(options.pause);
  }
}

}  // namespace warpyard::cli
