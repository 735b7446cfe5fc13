// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// warpyard simplify IN OUT: a coarser mesh of a model.

#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "client_examples/cpp/command.h"
#include "client_examples/cpp/result_json.h"
#include "client_examples/cpp/simplify_flags.h"
#include "client_examples/cpp/simplify_model.h"
#include "client_examples/mesh_io/model_io.h"
#include "client_examples/support/connection.h"
#include "grpcpp/grpcpp.h"
#include "warpyard/v1/simplify_service.grpc.pb.h"

namespace warpyard::cli {
namespace {

absl::Status InFile(const std::string& path, const absl::Status& status) {
  return absl::Status(status.code(), absl::StrCat(path, ": ", status.message()));
}

/// A model, and the primitive in it to simplify.
struct Input {
  mesh_io::Model model;
  mesh_io::Primitive* primitive = nullptr;
};

absl::Status ReadInput(const SimplifyArguments& arguments, Input& input) {
  const std::string& path = arguments.files[0];
  absl::StatusOr<mesh_io::Model> model = mesh_io::ReadModel(path);
  if (!model.ok()) return model.status();
  if (arguments.drop_attributes) model = DropAttributes(*model);
  if (!model.ok()) return InFile(path, model.status());
  input.model = *std::move(model);
  const absl::StatusOr<mesh_io::Primitive*> only = OnlyPrimitive(input.model);
  if (!only.ok()) return InFile(path, only.status());
  input.primitive = *only;
  return absl::OkStatus();
}

/// Opens a model, simplifies it and closes it again.
absl::Status Simplify(const SimplifyArguments& arguments, const mesh_io::Primitive& primitive,
                      v1::SimplifyResponse& response) {
  const auto channel = client_support::Connect(arguments.server);
  if (!channel.ok()) return channel.status();
  const auto stub = v1::SimplifyService::NewStub(*channel);
  v1::OpenModelRequest open;
  SetMesh(primitive, *open.mutable_mesh());
  v1::OpenModelResponse model;
  grpc::ClientContext open_call, simplify_call, close_call;
  grpc::Status status = stub->OpenModel(&open_call, open, &model);
  if (status.ok()) {
    v1::SimplifyRequest request = arguments.request;
    request.set_model(model.model());
    status = stub->Simplify(&simplify_call, request, &response);
    v1::CloseModelRequest close;
    close.set_model(model.model());
    v1::CloseModelResponse closed;
    stub->CloseModel(&close_call, close, &closed);
  }
  return absl::Status(static_cast<absl::StatusCode>(status.error_code()), status.error_message());
}

void Print(const v1::SimplifyResponse& response) {
  std::cout << response.mesh().triangles().size() / 12 << " of "
            << response.statistics().input_triangles() << " triangles, "
            << response.source_vertices().size() / 4 << " vertices";
  const v1::Shortfall shortfall = response.statistics().shortfall();
  if (shortfall != v1::SHORTFALL_NONE) {
    std::cout << "; the goal was not reached: " << ShortfallName(shortfall);
  }
  std::cout << "\n";
}

absl::Status WriteStatistics(const std::string& path, const v1::SimplifyResponse& response) {
  std::ofstream out(path);
  out << StatisticsJson(response) << "\n";
  if (out.flush().good()) return absl::OkStatus();
  return absl::UnavailableError(absl::StrCat(path, ": cannot write"));
}

}  // namespace

int RunSimplify(const std::vector<std::string>& words) {
  SimplifyArguments arguments;
  if (absl::Status parsed = ParseSimplify(words, arguments); !parsed.ok()) {
    return FailUsage(parsed, "simplify");
  }
  Input input;
  if (absl::Status read = ReadInput(arguments, input); !read.ok()) return Fail(read, kExitUsage);
  v1::SimplifyResponse response;
  if (absl::Status done = Simplify(arguments, *input.primitive, response); !done.ok()) {
    return Fail(done, kExitRefused);
  }
  const std::string& path = arguments.files[1];
  if (absl::Status replaced = ReplaceBy(response, *input.primitive); !replaced.ok()) {
    return Fail(InFile(path, replaced), kExitUsage);
  }
  if (absl::Status written = mesh_io::WriteModel(path, input.model); !written.ok()) {
    return Fail(written, kExitUsage);
  }
  Print(response);
  if (arguments.statistics.empty()) return 0;
  const absl::Status written = WriteStatistics(arguments.statistics, response);
  return written.ok() ? 0 : Fail(written, kExitUsage);
}

}  // namespace warpyard::cli
