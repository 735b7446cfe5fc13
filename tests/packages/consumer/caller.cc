// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// usage: caller ADDRESS. The stubs of clients: the same triangles, by a call to a server.
#include <cstdint>
#include <iostream>
#include <string>
#include <vector>

#include "grpcpp/grpcpp.h"
#include "warpyard/v1/collision_service.grpc.pb.h"

namespace {

template <class T>
std::string Bytes(const std::vector<T>& values) {
  return std::string(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
}

}  // namespace

int main(int, char** argv) {
  namespace v1 = warpyard::v1;
  const auto stub = v1::CollisionService::NewStub(
      grpc::CreateChannel(argv[1], grpc::InsecureChannelCredentials()));
  v1::DetectRequest request;
  v1::Positions& start = *request.mutable_mesh()->mutable_positions();
  start.set_scalar_type(v1::SCALAR_TYPE_FLOAT32);
  start.set_data(Bytes<float>({0, 0, 0, 4, 0, 0, 0, 4, 0, 1, 1, 1, 1.5, 1, 2, 1, 1.5, 2}));
  request.mutable_mesh()->set_triangles(Bytes<std::uint32_t>({0, 1, 2, 3, 4, 5}));
  request.mutable_end()->set_scalar_type(v1::SCALAR_TYPE_FLOAT32);
  request.mutable_end()->set_data(
      Bytes<float>({0, 0, 0, 4, 0, 0, 0, 4, 0, 1, 1, -1, 1.5, 1, 1, 1, 1.5, 1}));
  grpc::ClientContext call;
  v1::DetectResponse response;
  const grpc::Status status = stub->Detect(&call, request, &response);
  if (!status.ok()) {
    std::cerr << status.error_message() << "\n";
    return 1;
  }
  std::cout << "earliest " << response.result().earliest_time() << "\n";
}
