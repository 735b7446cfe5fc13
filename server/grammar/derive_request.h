// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// What a request wants to be derived: wire -> core.
#ifndef WARPYARD_SERVER_GRAMMAR_DERIVE_REQUEST_H_
#define WARPYARD_SERVER_GRAMMAR_DERIVE_REQUEST_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "core/api/grammar.h"
#include "grpcpp/support/byte_buffer.h"
#include "server/convert/job.h"
#include "server/grammar/grammar_context.h"
#include "warpyard/v1/grammar_service.pb.h"

namespace warpyard::server {

/// A request that was checked.
struct DeriveRequest {
  ResidentTable::Use<GrammarFacts> grammar;  ///< keeps it open
  grammar::DeriveOptions options;
  JobOptions job;
  bool statistics_only = false;
  ByteBudget::Hold volumes;  ///< for a view that hides what is occluded
};

/// Parses a request and checks all of it.
/// @errors INVALID_ARGUMENT; NOT_FOUND; RESOURCE_EXHAUSTED: the statistics would be too large
absl::StatusOr<DeriveRequest> ReadDeriveRequest(ServiceContext& service, const CallFacts& facts,
                                                grpc::ByteBuffer* bytes);

/// A city, and the camera's first view of it.
struct CityRequest {
  ResidentTable::Use<GrammarFacts> grammar;  ///< keeps it open
  grammar::DeriveOptions city;               ///< without a view
  grammar::View view;
  v1::JobOptions job;  ///< of each view
};

/// Parses the first FollowCameraRequest of a call and checks all of it. @errors as
/// ReadDeriveRequest
absl::StatusOr<CityRequest> ReadCityRequest(ServiceContext& service, const CallFacts& facts,
                                            grpc::ByteBuffer* bytes);

/// Parses a later one. @errors INVALID_ARGUMENT
absl::StatusOr<grammar::View> ReadView(grpc::ByteBuffer* bytes);

/// Starts the job of a request, which moves into it. Without `take` where it asks for statistics
/// alone.
void StartDerivation(JobRunner& jobs, const JobTicket& ticket, DeriveRequest& request,
                     grammar::TakeBatch take, grammar::DeriveDone done);

/// Memory for the volumes of a city, which count as bytes of its request.
/// @errors RESOURCE_EXHAUSTED
absl::StatusOr<ByteBudget::Hold> TakeVolumes(ServiceContext& service, const Caller& caller,
                                             std::size_t parcels);

/// Checks all of a request but its parcels. @shape parcels: the parcels of the request, checked
/// before. most_instances: the limit of max_instances, and its default
/// @errors INVALID_ARGUMENT
absl::StatusOr<grammar::DeriveOptions> ToDeriveOptions(const v1::DeriveGrammarRequest& request,
                                                       std::vector<grammar::Parcel> parcels,
                                                       const grammar::GrammarInfo& info,
                                                       std::uint64_t most_instances);

/// About the bytes of the statistics in a message. Most of them are reports of parcels.
std::size_t StatisticsBytes(const grammar::GrammarInfo& info, std::size_t parcels);

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_GRAMMAR_DERIVE_REQUEST_H_
