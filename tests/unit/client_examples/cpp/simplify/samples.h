// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Small models, and a service that answers with the first triangles of what it got.
#ifndef WARPYARD_TESTS_UNIT_CLIENT_EXAMPLES_CPP_SIMPLIFY_SAMPLES_H_
#define WARPYARD_TESTS_UNIT_CLIENT_EXAMPLES_CPP_SIMPLIFY_SAMPLES_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "client_examples/cpp/simplify/remote/model.h"
#include "client_examples/mesh_io/model.h"
#include "grpcpp/grpcpp.h"
#include "tests/unit/client_examples/cpp/simplify/remote/fake_upload_service.h"
#include "warpyard/v1/simplify_service.grpc.pb.h"

namespace warpyard::cli {

template <class Number>
std::string BytesOf(const std::vector<Number>& numbers) {
  return {reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(Number)};
}

/// A square of two triangles in the plane z, with texture coordinates.
inline mesh_io::Primitive SquareAt(double z) {
  mesh_io::Primitive primitive;
  primitive.positions = {0, 0, z, 1, 0, z, 1, 1, z, 0, 1, z};
  primitive.positions_are_float = true;
  primitive.triangles = {0, 1, 2, 0, 2, 3};
  primitive.uvs.resize(1);
  primitive.uvs[0].values = {0, 0, 1, 0, 1, 1, 0, 1};
  return primitive;
}

/// The square with normals and colours instead of texture coordinates, of doubles.
inline mesh_io::Primitive ColouredSquareAt(double z) {
  mesh_io::Primitive primitive = SquareAt(z);
  primitive.positions_are_float = false;
  primitive.uvs.clear();
  primitive.normals.values = {0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1};
  primitive.colours.values = {1, 0, 0, 1, 0, 1, 0, 1, 0, 0, 1, 1, 0.5, 0.5, 0.5, 1};
  primitive.colours_are_opaque = true;
  return primitive;
}

inline mesh_io::Model ModelOf(const std::vector<mesh_io::Primitive>& primitives) {
  mesh_io::Model model;
  model.meshes.push_back({"m", primitives});
  return model;
}

/// A transform that only scales.
inline std::array<double, 16> ScaleBy(double x, double y, double z) {
  return {x, 0, 0, 0, 0, y, 0, 0, 0, 0, z, 0, 0, 0, 0, 1};
}

/// The first triangles of a model with floats, and all of its vertices.
inline v1::SimplifyResponse FirstTriangles(const v1::OpenModelRequest& open, std::uint64_t count) {
  v1::SimplifyResponse response;
  const std::size_t all = open.mesh().triangles().size() / 12;
  *response.mutable_mesh() = open.mesh();
  response.mutable_mesh()->set_triangles(
      open.mesh().triangles().substr(0, 12 * std::min<std::size_t>(count, all)));
  std::vector<std::uint32_t> sources(open.mesh().positions().data().size() / 12);
  std::iota(sources.begin(), sources.end(), 0u);
  response.set_source_vertices(BytesOf(sources));
  for (int i = 0; i < 3; ++i) response.add_origin(0);
  *response.mutable_attributes() = open.attributes();
  response.mutable_statistics()->set_input_triangles(static_cast<std::uint32_t>(all));
  response.mutable_statistics()->set_shortfall(v1::SHORTFALL_NONE);
  response.mutable_statistics()->set_max_error(0.25);
  return response;
}

/// Answers goals of numbers of triangles, and chains, by FirstTriangles, refuses levels, and gives
/// the whole model for others. An error in a chain divides the triangles. Results are read between
/// the calls.
class FakeSimplifyService : public v1::SimplifyService::Service {
 public:
  FakeSimplifyService()
      : server_(grpc::ServerBuilder()
                    .AddListeningPort("127.0.0.1:0", grpc::InsecureServerCredentials(), &port_)
                    .RegisterService(this)
                    .RegisterService(&uploads_)
                    .BuildAndStart()) {}

  /// Over a socket: ThreadSanitizer does not follow gRPC's channels within a process.
  RemoteService Connect() {
    return RemoteService(grpc::CreateChannel("127.0.0.1:" + std::to_string(port_),
                                             grpc::InsecureChannelCredentials()));
  }

  grpc::Status OpenModel(grpc::ServerContext*, const v1::OpenModelRequest* request,
                         v1::OpenModelResponse* response) override {
    v1::OpenModelRequest open = *request;
    if (!request->upload().empty() && forgets_uploads-- > 0) uploads_.Drop(request->upload());
    if (!request->upload().empty()) {
      const auto contents = uploads_.contents();
      const auto content = contents.find(request->upload());
      if (content == contents.end()) return {grpc::NOT_FOUND, "no such upload"};
      open.ParseFromString(content->second);
    }
    if (open.mesh().triangles().empty()) return {grpc::INVALID_ARGUMENT, "no triangles"};
    const std::lock_guard lock(mutex_);
    response->set_model("model" + std::to_string(opened_++));
    response->set_triangles(static_cast<std::uint32_t>(open.mesh().triangles().size() / 12));
    models_[response->model()] = std::move(open);
    return grpc::Status::OK;
  }

  grpc::Status Simplify(grpc::ServerContext*, const v1::SimplifyRequest* request,
                        v1::SimplifyResponse* response) override {
    const std::lock_guard lock(mutex_);
    const auto model = models_.find(request->model());
    if (model == models_.end()) return {grpc::NOT_FOUND, "no such model"};
    if (request->has_level()) return {grpc::UNAVAILABLE, "shutting down"};
    requests_.push_back(*request);
    *response =
        FirstTriangles(model->second, request->has_triangles() ? request->triangles() : ~0u);
    return grpc::Status::OK;
  }

  grpc::Status SimplifyLevels(grpc::ServerContext*, const v1::SimplifyLevelsRequest* request,
                              grpc::ServerWriter<v1::SimplifyLevelPart>* stream) override {
    const std::lock_guard lock(mutex_);
    const auto model = models_.find(request->model());
    if (model == models_.end()) return {grpc::NOT_FOUND, "no such model"};
    chains_.push_back(*request);
    std::vector<std::uint64_t> goals(request->triangles().begin(), request->triangles().end());
    const auto all = static_cast<double>(model->second.mesh().triangles().size() / 12);
    for (const double ratio : request->ratios()) {
      goals.push_back(std::max(1u, static_cast<unsigned>(ratio * all)));
    }
    for (const double error : request->max_errors()) {
      goals.push_back(std::max(1u, static_cast<unsigned>(all / std::max(1.0, error))));
    }
    if (levels_in_time < goals.size()) goals.resize(levels_in_time);
    for (std::size_t i = 0; i < goals.size(); ++i) {
      WriteLevel(static_cast<std::uint32_t>(i), FirstTriangles(model->second, goals[i]), *stream);
    }
    return grpc::Status::OK;
  }

  grpc::Status CloseModel(grpc::ServerContext*, const v1::CloseModelRequest* request,
                          v1::CloseModelResponse*) override {
    const std::lock_guard lock(mutex_);
    models_.erase(request->model());
    return grpc::Status::OK;
  }

  /// Models that were opened, and those that are open.
  int opened() const {
    const std::lock_guard lock(mutex_);
    return opened_;
  }
  std::size_t open() const {
    const std::lock_guard lock(mutex_);
    return models_.size();
  }
  const std::vector<v1::SimplifyRequest>& requests() const { return requests_; }
  const std::vector<v1::SimplifyLevelsRequest>& chains() const { return chains_; }
  FakeUploadService& uploads() { return uploads_; }

  // Set between calls.
  std::size_t levels_in_time = 100;  ///< of a chain, until it ends
  int forgets_uploads = 0;           ///< calls of OpenModel that come after another client's drop

 private:
  static void WriteLevel(std::uint32_t level, const v1::SimplifyResponse& response,
                         grpc::ServerWriter<v1::SimplifyLevelPart>& stream) {
    v1::SimplifyLevelPart part;
    part.set_level(level);
    *part.mutable_header()->mutable_statistics() = response.statistics();
    *part.mutable_header()->mutable_origin() = response.origin();
    *part.mutable_header()->mutable_attributes() = response.attributes();
    for (v1::VertexAttribute& attribute : *part.mutable_header()->mutable_attributes()) {
      attribute.clear_values();
    }
    stream.Write(part);
    part.set_positions(response.mesh().positions().data());
    stream.Write(part);
    // In two parts.
    part.set_triangles(response.mesh().triangles().substr(0, 5));
    stream.Write(part);
    part.set_triangles(response.mesh().triangles().substr(5));
    stream.Write(part);
    part.set_source_vertices(response.source_vertices());
    stream.Write(part);
    part.set_vertex_groups(response.mesh().vertex_groups());
    stream.Write(part);
    for (int i = 0; i < response.attributes_size(); ++i) {
      part.mutable_attribute_values()->set_attribute(static_cast<std::uint32_t>(i));
      part.mutable_attribute_values()->set_values(response.attributes(i).values());
      stream.Write(part);
    }
  }

  mutable std::mutex mutex_;
  int opened_ = 0;
  std::map<std::string, v1::OpenModelRequest> models_;
  std::vector<v1::SimplifyRequest> requests_;
  std::vector<v1::SimplifyLevelsRequest> chains_;
  FakeUploadService uploads_;
  int port_ = 0;
  std::unique_ptr<grpc::Server> server_;
};

}  // namespace warpyard::cli

#endif  // WARPYARD_TESTS_UNIT_CLIENT_EXAMPLES_CPP_SIMPLIFY_SAMPLES_H_
