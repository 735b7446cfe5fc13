// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A server that answers calls as a test says.
#ifndef WARPYARD_TESTS_UNIT_CLIENT_EXAMPLES_SUPPORT_SCRIPTED_SERVER_H_
#define WARPYARD_TESTS_UNIT_CLIENT_EXAMPLES_SUPPORT_SCRIPTED_SERVER_H_

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "grpcpp/grpcpp.h"
#include "warpyard/v1/collision_service.grpc.pb.h"

namespace warpyard::client_support {

/// A server that answers as a test says, and keeps what was asked.
class ScriptedServer : public v1::CollisionService::Service {
 public:
  ScriptedServer() {
    server_ = grpc::ServerBuilder()
                  .AddListeningPort("127.0.0.1:0", grpc::InsecureServerCredentials(), &port_)
                  .RegisterService(this)
                  .BuildAndStart();
  }
  ~ScriptedServer() override { server_->Shutdown(); }

  std::string address() const { return "127.0.0.1:" + std::to_string(port_); }

  std::vector<grpc::Status> open_answers, step_answers;  ///< OK after the last one
  int opens = 0;
  std::vector<std::string> asked;  ///< the server that each call is for

 private:
  grpc::Status OpenScene(grpc::ServerContext* call, const v1::OpenSceneRequest*,
                         v1::OpenSceneResponse* response) override {
    Enter(*call);
    response->set_scene("scene-" + std::to_string(++opens));
    return Next(open_answers);
  }
  grpc::Status Step(grpc::ServerContext* call, const v1::StepRequest*, v1::StepResponse*) override {
    Enter(*call);
    return Next(step_answers);
  }

  void Enter(grpc::ServerContext& call) {
    const std::lock_guard lock(mutex_);
    call.AddInitialMetadata("warpyard-server", "b7");
    const auto found = call.client_metadata().find("warpyard-server");
    const bool names = found != call.client_metadata().end();
    asked.push_back(names ? std::string(found->second.data(), found->second.size()) : "any");
  }

  grpc::Status Next(std::vector<grpc::Status>& answers) {
    const std::lock_guard lock(mutex_);
    if (answers.empty()) return grpc::Status::OK;
    const grpc::Status first = answers.front();
    answers.erase(answers.begin());
    return first;
  }

  std::mutex mutex_;
  int port_ = 0;
  std::unique_ptr<grpc::Server> server_;
};

}  // namespace warpyard::client_support

#endif  // WARPYARD_TESTS_UNIT_CLIENT_EXAMPLES_SUPPORT_SCRIPTED_SERVER_H_
