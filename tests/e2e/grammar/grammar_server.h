// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A server for tests of GrammarService, and grammars to derive.
#ifndef WARPYARD_TESTS_E2E_GRAMMAR_GRAMMAR_SERVER_H_
#define WARPYARD_TESTS_E2E_GRAMMAR_GRAMMAR_SERVER_H_

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/e2e/test_server.h"
#include "warpyard/v1/grammar_service.grpc.pb.h"

namespace warpyard::test_support {

/// Cubes of about 1 m, half of them by chance, in as many floors as asked for.
inline constexpr char kHouse[] = R"(wyg 1;
attr floors = 3 in [1..40];
style low { floors = 1; }
start Lot;
rule Lot = report(area, sx * sz) repeat(y, sy / floors) { Floor };
rule Floor = repeat(x, 1) { repeat(z, 1) { Cell } };
rule Cell = { 50% : box(brick) | else : cyl(stone) };
)";

/// So many instances for each parcel of kHouse as its floors have square metres.
inline v1::GrammarParcel ParcelOf(float x, float y, float z) {
  v1::GrammarParcel parcel;
  for (const float size : {x, y, z}) parcel.add_size(size);
  return parcel;
}

inline v1::CompileGrammarRequest TextRequest(const std::string& text) {
  v1::CompileGrammarRequest request;
  v1::GrammarFile& file = *request.add_files();
  file.set_name("main.wyg");
  file.set_text(text);
  return request;
}

/// Parcels of kHouse with 4 x 5 cells in each floor.
inline v1::DeriveGrammarRequest DeriveRequest(const std::string& grammar, int parcels = 2) {
  v1::DeriveGrammarRequest request;
  request.set_grammar(grammar);
  request.set_seed(7);
  for (int i = 0; i < parcels; ++i) *request.add_parcels() = ParcelOf(4, 9, 5);
  return request;
}

/// The result of a derivation, joined from its parts.
struct DerivedCity {
  grpc::Status status;
  std::string instances;
  v1::DeriveStatistics statistics;
  int parts = 0;
};

/// A client's side of DeriveGrammar.
class DeriveStream {
 public:
  DeriveStream(v1::GrammarService::Stub& stub, const v1::DeriveGrammarRequest& request)
      : reader_(stub.DeriveGrammar(context_.get(), request)) {}

  void Cancel() { context_->TryCancel(); }
  /// Reads a part, which must follow those before; false: there is none.
  bool Read() {
    v1::DeriveGrammarPart part;
    if (!reader_->Read(&part)) return false;
    EXPECT_FALSE(has_ended_) << "a part follows the statistics";
    EXPECT_EQ(part.first_instance() * 64, city_.instances.size());
    EXPECT_LE(part.instances().size(), std::size_t{1} << 20);
    city_.instances += part.instances();
    ++city_.parts;
    has_ended_ = part.has_statistics();
    if (has_ended_) city_.statistics = std::move(*part.mutable_statistics());
    return true;
  }
  /// Reads what is left.
  DerivedCity Finish() {
    while (Read()) {
    }
    city_.status = reader_->Finish();
    EXPECT_EQ(city_.status.ok(), has_ended_);
    return std::move(city_);
  }

 private:
  const std::unique_ptr<grpc::ClientContext> context_ = NewContext(absl::Seconds(100));
  const std::unique_ptr<grpc::ClientReader<v1::DeriveGrammarPart>> reader_;
  DerivedCity city_;
  bool has_ended_ = false;
};

/// A server, and calls to its GrammarService.
class GrammarServer {
 public:
  explicit GrammarServer(const server::ServerOptions& options = TestOptions())
      : server_(options, *Engine::Create(options.engine)) {}
  GrammarServer(const server::ServerOptions& options, std::unique_ptr<Engine> engine)
      : server_(options, std::move(engine)) {}

  TestServer& test() { return server_; }
  v1::GrammarService::Stub& stub() { return *stub_; }

  grpc::Status Compile(const v1::CompileGrammarRequest& request,
                       v1::CompileGrammarResponse* response) {
    return stub_->CompileGrammar(NewContext().get(), request, response);
  }
  /// The answer to a text, which must come.
  v1::CompileGrammarResponse Compiled(const std::string& text) {
    v1::CompileGrammarResponse response;
    const grpc::Status status = Compile(TextRequest(text), &response);
    EXPECT_TRUE(status.ok()) << status.error_message();
    return response;
  }
  /// The name of a grammar without errors.
  std::string NameOf(const std::string& text) {
    const v1::CompileGrammarResponse response = Compiled(text);
    EXPECT_FALSE(response.grammar().empty()) << response.ShortDebugString();
    return response.grammar();
  }
  DerivedCity Derive(const v1::DeriveGrammarRequest& request) {
    return DeriveStream(*stub_, request).Finish();
  }
  grpc::Status Once(const v1::DeriveGrammarRequest& request, v1::DeriveGrammarPart* response) {
    return stub_->DeriveGrammarOnce(NewContext().get(), request, response);
  }
  grpc::Status Close(const std::string& grammar) {
    v1::CloseGrammarRequest request;
    request.set_grammar(grammar);
    v1::CloseGrammarResponse response;
    return stub_->CloseGrammar(NewContext().get(), request, &response);
  }

 private:
  TestServer server_;
  const std::unique_ptr<v1::GrammarService::Stub> stub_ =
      v1::GrammarService::NewStub(server_.channel());
};

/// Statistics without what differs from call to call.
inline std::string Comparable(v1::DeriveStatistics statistics) {
  statistics.clear_phases();
  statistics.clear_memory_bytes();
  return statistics.SerializeAsString();
}

}  // namespace warpyard::test_support

#endif  // WARPYARD_TESTS_E2E_GRAMMAR_GRAMMAR_SERVER_H_
