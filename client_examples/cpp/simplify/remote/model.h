// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A model on a server, closed at the end of its life.
#ifndef WARPYARD_CLIENT_EXAMPLES_CPP_SIMPLIFY_REMOTE_MODEL_H_
#define WARPYARD_CLIENT_EXAMPLES_CPP_SIMPLIFY_REMOTE_MODEL_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "client_examples/cpp/simplify/remote/upload.h"
#include "grpcpp/grpcpp.h"
#include "warpyard/v1/simplify_service.grpc.pb.h"
#include "warpyard/v1/upload_service.grpc.pb.h"

namespace warpyard::cli {

/// A server, and how meshes go to it.
struct RemoteService {
  explicit RemoteService(const std::shared_ptr<grpc::ChannelInterface>& channel)
      : models(v1::SimplifyService::NewStub(channel)),
        uploads(v1::UploadService::NewStub(channel)) {}

  std::unique_ptr<v1::SimplifyService::StubInterface> models;
  std::unique_ptr<v1::UploadService::StubInterface> uploads;
  /// Larger requests are uploaded in parts. Far below the limit of a server that is not told
  /// otherwise (--max-request-mib, 256), and sent again within a second if the connection breaks;
  /// for smaller ones the two calls more of an upload would cost more than they save.
  std::size_t largest_message = std::size_t{8} << 20;
  UploadOptions upload;
  bool keep_uploads = false;  ///< once their models are open
};

/// The results of one mesh.
using Levels = std::vector<v1::SimplifyResponse>;

class RemoteModel {
 public:
  /// Uploads the request if it is large. The upload is dropped as soon as the model is open; after
  /// an error the server keeps it for a while, so that another run goes on from there.
  /// @errors those of OpenModel and of UploadContent. The service must outlive the model
  static absl::StatusOr<RemoteModel> Open(const RemoteService& service,
                                          const v1::OpenModelRequest& request);

  RemoteModel(RemoteModel&& other) noexcept
      : service_(other.service_), model_(std::exchange(other.model_, {})) {}
  RemoteModel& operator=(RemoteModel&&) = delete;
  ~RemoteModel();

  std::uint64_t triangles() const { return model_.triangles(); }

  /// @errors those of Simplify
  absl::StatusOr<v1::SimplifyResponse> Simplify(v1::SimplifyRequest request);

  /// Results of any size. @errors those of SimplifyLevels
  absl::StatusOr<Levels> SimplifyLevels(v1::SimplifyLevelsRequest request);

 private:
  RemoteModel(const RemoteService& service, v1::OpenModelResponse model)
      : service_(&service), model_(std::move(model)) {}

  const RemoteService* service_;
  v1::OpenModelResponse model_;  ///< without a handle once moved from
};

/// Levels of detail of a mesh: the first reaches the goal, and each further one half the goal of
/// the one before, or twice its error. After another goal, and after a level that ran out of time
/// for a number of triangles, it is half the triangles of the level before. Opens a model for them
/// and closes it.
/// @errors those of RemoteModel
absl::StatusOr<Levels> SimplifyLevels(const RemoteService& service,
                                      const v1::OpenModelRequest& open,
                                      const v1::SimplifyRequest& goal, std::size_t levels);

}  // namespace warpyard::cli

#endif  // WARPYARD_CLIENT_EXAMPLES_CPP_SIMPLIFY_REMOTE_MODEL_H_
