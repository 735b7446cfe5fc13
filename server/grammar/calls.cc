// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/grammar/calls.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "core/base/macros.h"
#include "server/grammar/convert.h"
#include "server/grammar/derive_request.h"

namespace warpyard::server {

absl::Status CompileGrammarCall::Run(grpc::ByteBuffer* request) {
  v1::CompileGrammarRequest message;
  WY_RETURN_IF_ERROR(Parse(request, &message));
  WY_ASSIGN_OR_RETURN(std::vector<grammar::SourceFile> files, ToFiles(message));
  WY_ASSIGN_OR_RETURN(const JobOptions job, ToJobOptions(message.job(), times()));
  service().jobs.Run<grammar::CompiledGrammar>(
      Ticket(job),
      [&](Engine& engine, const JobOptions& options, grammar::CompileDone done) {
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
  v1::DeriveGrammarRequest message;
  WY_RETURN_IF_ERROR(Parse(request, &message));
  WY_ASSIGN_OR_RETURN(grammar_, service().residents.Find<GrammarFacts>(message.grammar()));
  WY_ASSIGN_OR_RETURN(grammar::DeriveOptions options,
                      ToDeriveOptions(message, grammar_->facts.info));
  WY_ASSIGN_OR_RETURN(const JobOptions job, ToJobOptions(message.job(), times()));
  grammar::TakeBatch take;
  if (!message.statistics_only()) {
    take = [this, self = shared_from_this()](grammar::DerivedBatch batch,
                                             const procedure::CancelToken&) {
      return Take(std::move(batch));
    };
  }
  service().jobs.Run<grammar::DeriveStatistics>(
      Ticket(job),
      [&](Engine& engine, const JobOptions& its_options, grammar::DeriveDone done) {
        return grammar::Derive(engine, grammar_->id, std::move(options), std::move(take),
                               its_options, std::move(done));
      },
      [this, self = shared_from_this()](
          const absl::StatusOr<grammar::DeriveStatistics>& statistics) { OnDerived(statistics); });
  return absl::OkStatus();
}

absl::Status DeriveGrammarOnceCall::Take(grammar::DerivedBatch batch) {
  std::string& bytes = *response_part_.mutable_instances();
  const std::size_t more = batch.instances.size() * sizeof(grammar::Instance);
  if (bytes.size() + more > service().max_response_bytes) {
    return absl::ResourceExhaustedError(absl::StrCat(
        "the instances have more bytes than --max-response-mib ",
        service().max_response_bytes >> 20, " allows; DeriveGrammar sends them in parts"));
  }
  bytes.append(reinterpret_cast<const char*>(batch.instances.data()), more);
  return absl::OkStatus();
}

void DeriveGrammarOnceCall::OnDerived(const absl::StatusOr<grammar::DeriveStatistics>& statistics) {
  if (!statistics.ok()) return End(statistics.status());
  const absl::Status held = HoldResult(response_part_.instances().size());
  if (!held.ok()) return End(held);
  ToProto(*statistics, response_part_.mutable_statistics());
  EndWith(response_part_);
}

absl::Status CloseGrammarCall::Run(grpc::ByteBuffer* request) {
  v1::CloseGrammarRequest message;
  WY_RETURN_IF_ERROR(Parse(request, &message));
  WY_RETURN_IF_ERROR(service().residents.Remove<GrammarFacts>(message.grammar()));
  EndWith(v1::CloseGrammarResponse());
  return absl::OkStatus();
}

}  // namespace warpyard::server
