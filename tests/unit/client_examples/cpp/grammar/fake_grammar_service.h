// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A grammar service that knows one city, for tests of clients.
#ifndef WARPYARD_TESTS_UNIT_CLIENT_EXAMPLES_CPP_GRAMMAR_FAKE_GRAMMAR_SERVICE_H_
#define WARPYARD_TESTS_UNIT_CLIENT_EXAMPLES_CPP_GRAMMAR_FAKE_GRAMMAR_SERVICE_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "grpcpp/grpcpp.h"
#include "tests/unit/client_examples/city_io/sample_city.h"
#include "warpyard/v1/grammar_service.grpc.pb.h"

namespace warpyard::cli {

/// Texts with "bad" have an error. Derivations get the sample city in parts of three instances.
class FakeGrammarService final : public v1::GrammarService::Service {
 public:
  FakeGrammarService() {
    grpc::ServerBuilder builder;
    int port = 0;
    builder.AddListeningPort("127.0.0.1:0", grpc::InsecureServerCredentials(), &port);
    builder.RegisterService(this);
    server_ = builder.BuildAndStart();
    address_ = "127.0.0.1:" + std::to_string(port);
  }
  ~FakeGrammarService() override { server_->Shutdown(); }

  grpc::Status CompileGrammar(grpc::ServerContext*, const v1::CompileGrammarRequest* request,
                              v1::CompileGrammarResponse* response) override {
    const bool is_bad = request->files(0).text().find("bad") != std::string::npos;
    if (request->files(0).text().find("warned") != std::string::npos || is_bad) {
      v1::GrammarDiagnostic& diagnostic = *response->add_diagnostics();
      diagnostic.set_code(is_bad ? "E104" : "W301");
      diagnostic.set_file(request->files(0).name());
      diagnostic.set_line(1);
      diagnostic.set_column(1);
      diagnostic.set_message("a message");
      diagnostic.set_source(request->files(0).text());
    }
    if (is_bad) return grpc::Status::OK;
    response->set_grammar("7");
    ++open;
    for (const city_io::MeshName& mesh : city_.names.meshes) {
      response->add_meshes()->set_name(mesh.name);
    }
    if (!asset.empty()) {
      v1::GrammarMesh& mesh = *response->add_meshes();
      mesh.set_name("own");
      mesh.set_asset(asset);
    }
    for (const std::string& material : city_.names.materials) response->add_materials(material);
    response->add_rules("Lot");
    response->add_reports("gfa");
    return grpc::Status::OK;
  }

  grpc::Status DeriveGrammar(grpc::ServerContext*, const v1::DeriveGrammarRequest* request,
                             grpc::ServerWriter<v1::DeriveGrammarPart>* writer) override {
    derived = *request;
    constexpr std::size_t kPart = 3;
    for (std::size_t i = lost; i < city_.instances.size() && !request->statistics_only();
         i += kPart) {
      v1::DeriveGrammarPart part;
      part.set_first_instance(i);
      part.set_instances(&city_.instances[i], kPart * sizeof(city_io::Instance));
      writer->Write(part);
    }
    if (!error.ok()) return error;
    v1::DeriveGrammarPart last;
    if (!request->statistics_only()) last.set_first_instance(city_.instances.size());
    last.mutable_statistics()->set_terminals(city_.instances.size());
    last.mutable_statistics()->set_nodes(5);
    last.mutable_statistics()->add_rules()->set_dropped(dropped);
    for (int i = 0; i < request->parcels_size(); ++i) last.mutable_statistics()->add_reports(2.5);
    writer->Write(last);
    return grpc::Status::OK;
  }

  grpc::Status CloseGrammar(grpc::ServerContext*, const v1::CloseGrammarRequest*,
                            v1::CloseGrammarResponse*) override {
    --open;
    return grpc::Status::OK;
  }

  const std::string& address() const { return address_; }

  std::atomic<int> open = 0;         ///< grammars
  v1::DeriveGrammarRequest derived;  ///< the last request
  std::size_t lost = 0;              ///< instances that are not sent
  std::string asset;                 ///< of a mesh; empty: there is none
  std::uint64_t dropped = 0;         ///< by the rule
  grpc::Status error;                ///< of derivations

 private:
  city_io::SampleCity city_;
  std::unique_ptr<grpc::Server> server_;
  std::string address_;
};

}  // namespace warpyard::cli

#endif  // WARPYARD_TESTS_UNIT_CLIENT_EXAMPLES_CPP_GRAMMAR_FAKE_GRAMMAR_SERVICE_H_
