// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/grammar/calls.h"

#include <memory>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/base/macros.h"
#include "server/errors/error_details.h"
#include "server/grammar/convert.h"
#include "server/grammar/derive_request.h"

namespace warpyard::server {

absl::Status CompileGrammarCall::Run(grpc::ByteBuffer* request) {
  WY_RETURN_IF_ERROR(CheckLimit(*request, kFilesLimit));
  v1::CompileGrammarRequest message;
  WY_RETURN_IF_ERROR(Parse(request, &message));
  WY_ASSIGN_OR_RETURN(const JobOptions job, ToJobOptions(message.job(), facts()));
  WY_ASSIGN_OR_RETURN(std::vector<grammar::SourceFile> files, ToFiles(message));
  service().jobs.Run<grammar::CompiledGrammar>(
      Ticket(job),
      [&files](Engine& engine, const JobOptions& options, grammar::CompileDone done) {
        return grammar::Compile(engine, std::move(files), options, std::move(done));
      },
      [this, self = shared_from_this()](const absl::StatusOr<grammar::CompiledGrammar>& compiled) {
        OnCompiled(compiled);
      });
  return absl::OkStatus();
}

void CompileGrammarCall::OnCompiled(const absl::StatusOr<grammar::CompiledGrammar>& compiled) {
  if (!compiled.ok()) return End(compiled.status());
  v1::CompileGrammarResponse response;
  ToProto(*compiled, &response);
  if (compiled->compiled) {
    absl::StatusOr<std::string> name = NameResident<GrammarFacts>(compiled->id, compiled->info);
    if (!name.ok()) return End(name.status());
    response.set_grammar(*std::move(name));
  }
  EndWith(response);
}

absl::Status DeriveGrammarOnceCall::Run(grpc::ByteBuffer* request) {
  WY_ASSIGN_OR_RETURN(DeriveRequest derive, ReadDeriveRequest(service(), facts(), request));
  grammar_ = derive.grammar;
  bytes_ = StatisticsBytes(grammar_->facts.info, derive.options.parcels.size());
  WY_RETURN_IF_ERROR(HoldResult(bytes_));
  const auto self = shared_from_this();
  StartDerivation(
      service().jobs, Ticket(derive.job), derive,
      [this, self](grammar::DerivedBatch batch, const procedure::CancelToken&) {
        return Take(std::move(batch));
      },
      [this, self](const absl::StatusOr<grammar::DeriveStatistics>& statistics) {
        OnDerived(statistics);
      });
  return absl::OkStatus();
}

absl::Status DeriveGrammarOnceCall::Take(grammar::DerivedBatch batch) {
  const std::size_t bytes = batch.instances.size() * sizeof(grammar::Instance);
  bytes_ += bytes;
  if (bytes_ > service().max_response_bytes) {
    return MakeError(
        ErrorReason::kResultTooLarge,
        absl::StrCat("instances: the response would have ", bytes_,
                     " bytes or more, and --max-response-mib ", service().max_response_bytes >> 20,
                     " is the limit; DeriveGrammar sends parts"));
  }
  WY_ASSIGN_OR_RETURN(ByteBudget::Hold hold, service().results.Take(bytes));
  holds_.push_back(std::move(hold));
  auto owner = std::make_shared<const grammar::Instances>(std::move(batch.instances));
  const std::span<const grammar::Instance> view = *owner;
  batches_.push_back({std::move(owner), view});
  return absl::OkStatus();
}

void DeriveGrammarOnceCall::OnDerived(const absl::StatusOr<grammar::DeriveStatistics>& statistics) {
  if (!statistics.ok()) {
    batches_.clear();
    holds_.clear();
    return End(statistics.status());
  }
  v1::DeriveGrammarPart rest;
  ToProto(*statistics, rest.mutable_statistics());
  EndWith(PartBytes(batches_, rest));
}

absl::Status CloseGrammarCall::Run(grpc::ByteBuffer* request) {
  v1::CloseGrammarRequest message;
  WY_RETURN_IF_ERROR(Parse(request, &message));
  WY_RETURN_IF_ERROR(service().residents.Remove<GrammarFacts>(message.grammar(), owner()));
  EndWith(v1::CloseGrammarResponse());
  return absl::OkStatus();
}

}  // namespace warpyard::server
