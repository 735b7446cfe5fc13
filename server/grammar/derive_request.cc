// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/grammar/derive_request.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "core/base/exact_text.h"
#include "core/base/macros.h"
#include "core/base/status_facts.h"
#include "core/workload/grammar/derivation/check_options.h"
#include "core/workload/grammar/language/diagnostics.h"
#include "core/workload/grammar/occlusion/city_volumes.h"
#include "server/errors/error_details.h"
#include "server/grammar/parse_parcels.h"
#include "server/rpc/admission.h"
#include "server/rpc/wire.h"
#include "server/rpc/wire_limit.h"

namespace warpyard::server {
namespace {

using grammar::DeriveOptions;
using grammar::GrammarInfo;

/// Of DeriveGrammarRequest.
const WireLimit kValuesLimit = {
    "values", {v1::DeriveGrammarRequest::kValuesFieldNumber}, grammar::kMostAttributes};
/// Of FollowCameraRequest.
const WireLimit kCityValuesLimit = {
    "city.values",
    {v1::FollowCameraRequest::kCityFieldNumber, v1::DeriveGrammarRequest::kValuesFieldNumber},
    grammar::kMostAttributes};

constexpr int kNumbersOfPlane = 4;

/// Position of a name in a list of things with names.
/// @errors INVALID_ARGUMENT: the name is unknown; says which one it may mean
template <class Thing>
absl::StatusOr<std::uint32_t> Find(const std::vector<Thing>& things, const std::string& name,
                                   const std::string& field) {
  std::vector<std::string_view> names;
  for (const Thing& thing : things) names.push_back(thing.name);
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) return static_cast<std::uint32_t>(found - names.begin());
  constexpr std::size_t kMostQuoted = 100;
  return InvalidField(field, absl::StrCat("the grammar has no '", name.substr(0, kMostQuoted), "'",
                                          grammar::Suggestion(name, names)));
}

absl::StatusOr<grammar::AttributeColumn> ToColumn(const v1::GrammarValues& from,
                                                  const std::string& field, const GrammarInfo& info,
                                                  std::size_t parcels) {
  grammar::AttributeColumn column;
  WY_ASSIGN_OR_RETURN(column.attribute,
                      Find(info.attributes, from.attribute(), absl::StrCat(field, ".attribute")));
  const grammar::AttributeInfo& attribute = info.attributes[column.attribute];
  const auto count = static_cast<std::size_t>(from.values_size());
  if (count != 1 && count != parcels) {
    return InvalidField(absl::StrCat(field, ".values"),
                        absl::StrCat(count, " numbers for '", attribute.name,
                                     "', expected 1 or one for each of ", parcels, " parcels"));
  }
  for (int i = 0; i < from.values_size(); ++i) {
    const float value = from.values(i);
    // A comparison with NaN is false, so the check is written to fail then.
    if (value >= attribute.least && value <= attribute.most) continue;
    return InvalidField(absl::StrCat(field, ".values[", i, "]"),
                        absl::StrCat(ExactText(value), " for '", attribute.name,
                                     "', expected from ", attribute.least, " to ", attribute.most));
  }
  column.values.assign(from.values().begin(), from.values().end());
  return column;
}

/// The values of the style, and then those that replace them.
absl::StatusOr<std::vector<grammar::AttributeColumn>> ToColumns(
    const v1::DeriveGrammarRequest& request, const GrammarInfo& info, std::size_t parcels) {
  std::vector<grammar::AttributeColumn> columns;
  if (!request.style().empty()) {
    WY_ASSIGN_OR_RETURN(const std::uint32_t style, Find(info.styles, request.style(), "style"));
    for (const auto& [attribute, value] : info.styles[style].values) {
      columns.push_back({attribute, {value}});
    }
  }
  std::vector<bool> is_set(info.attributes.size());
  for (int i = 0; i < request.values_size(); ++i) {
    const std::string field = absl::StrCat("values[", i, "]");
    WY_ASSIGN_OR_RETURN(grammar::AttributeColumn column,
                        ToColumn(request.values(i), field, info, parcels));
    if (is_set[column.attribute]) {
      return InvalidField(absl::StrCat(field, ".attribute"),
                          absl::StrCat("'", request.values(i).attribute(), "' was there before"));
    }
    is_set[column.attribute] = true;
    std::erase_if(columns, [&column](const grammar::AttributeColumn& of_style) {
      return of_style.attribute == column.attribute;
    });
    columns.push_back(std::move(column));
  }
  return columns;
}

/// The sizes of lists; grammar::CheckOptions checks the numbers.
absl::StatusOr<grammar::View> ToView(const v1::GrammarView& from) {
  grammar::View view;
  if (from.position_size() != 3) {
    return InvalidField("view.position",
                        absl::StrCat(from.position_size(), " numbers, expected x y z"));
  }
  std::copy(from.position().begin(), from.position().end(), view.position);
  if (from.planes_size() % kNumbersOfPlane != 0) {
    return InvalidField("view.planes",
                        absl::StrCat(from.planes_size(), " numbers, expected a b c d of each"));
  }
  for (int i = 0; i < from.planes_size(); i += kNumbersOfPlane) {
    view.planes.push_back(
        {from.planes(i), from.planes(i + 1), from.planes(i + 2), from.planes(i + 3)});
  }
  if (from.pixels() == 0) {
    // Most likely nobody wrote a number, and the message about both numbers would not say so.
    return InvalidField("view.pixels", "missing or 0, expected more than 0");
  }
  view.pixels = from.pixels();
  if (from.least_pixels() != 0) view.least_pixels = from.least_pixels();
  view.hide_occluded = from.hide_occluded();
  return view;
}

absl::StatusOr<grammar::OnLimit> ToOnLimit(v1::OnLimit on_limit) {
  switch (on_limit) {
    case v1::ON_LIMIT_UNSPECIFIED:
    case v1::ON_LIMIT_FAIL:
      return grammar::OnLimit::kFail;
    case v1::ON_LIMIT_COARSE:
      return grammar::OnLimit::kCoarse;
    default:
      return InvalidField("on_limit", absl::StrCat("unknown value ", static_cast<int>(on_limit)));
  }
}

}  // namespace

absl::StatusOr<DeriveOptions> ToDeriveOptions(const v1::DeriveGrammarRequest& request,
                                              std::vector<grammar::Parcel> parcels,
                                              const GrammarInfo& info,
                                              std::uint64_t most_instances) {
  DeriveOptions options;
  options.seed = request.seed();
  options.parcels = std::move(parcels);
  WY_ASSIGN_OR_RETURN(options.attributes, ToColumns(request, info, options.parcels.size()));
  if (request.has_view()) {
    WY_ASSIGN_OR_RETURN(options.view, ToView(request.view()));
  }
  WY_ASSIGN_OR_RETURN(options.on_limit, ToOnLimit(request.on_limit()));
  if (request.max_depth() != 0) options.max_depth = request.max_depth();
  if (request.max_instances() > most_instances) {
    return InvalidField("max_instances",
                        absl::StrCat(request.max_instances(), ", expected at most ", most_instances,
                                     " (--max-instances)"));
  }
  options.max_instances = request.max_instances() == 0 ? most_instances : request.max_instances();
  if (request.max_bytes() != 0) options.max_bytes = request.max_bytes();
  WY_RETURN_IF_ERROR(grammar::CheckOptions(info, options));
  return options;
}

std::size_t StatisticsBytes(const GrammarInfo& info, std::size_t parcels) {
  constexpr std::size_t kBytesOfRule = 48;  // four numbers of up to eleven bytes, and a header
  return info.reports.size() * parcels * sizeof(double) + info.rules.size() * kBytesOfRule;
}

namespace {

/// Checks all of a message. @shape parcels: those of the message
absl::StatusOr<DeriveRequest> Checked(ServiceContext& service, const CallFacts& facts,
                                      const v1::DeriveGrammarRequest& message,
                                      std::vector<grammar::Parcel> parcels) {
  DeriveRequest request;
  WY_ASSIGN_OR_RETURN(request.grammar, service.residents.Find<GrammarFacts>(message.grammar(),
                                                                            facts.caller.owner()));
  const GrammarInfo& info = request.grammar->facts.info;
  WY_ASSIGN_OR_RETURN(request.options,
                      ToDeriveOptions(message, std::move(parcels), info, service.limits.instances));
  const std::size_t statistics = StatisticsBytes(info, request.options.parcels.size());
  if (statistics > service.max_response_bytes) {
    return MakeError(ErrorReason::kResultTooLarge,
                     absl::StrCat("parcels: ", request.options.parcels.size(), " with ",
                                  info.reports.size(), " reports each; statistics of ", statistics,
                                  " bytes are more than --max-response-mib ",
                                  service.max_response_bytes >> 20, " allows"));
  }
  WY_ASSIGN_OR_RETURN(request.job, ToJobOptions(message.job(), facts));
  request.statistics_only = message.statistics_only();
  return request;
}

}  // namespace

absl::StatusOr<DeriveRequest> ReadDeriveRequest(ServiceContext& service, const CallFacts& facts,
                                                grpc::ByteBuffer* bytes) {
  WY_RETURN_IF_ERROR(CheckLimit(*bytes, kValuesLimit));
  v1::DeriveGrammarRequest message;
  std::vector<grammar::Parcel> parcels;
  WY_RETURN_IF_ERROR(ParseParcels(bytes, &message, &parcels));
  WY_ASSIGN_OR_RETURN(DeriveRequest request, Checked(service, facts, message, std::move(parcels)));
  if (request.options.view && request.options.view->hide_occluded) {
    WY_ASSIGN_OR_RETURN(request.volumes,
                        TakeVolumes(service, facts.caller, request.options.parcels.size()));
  }
  return request;
}

absl::StatusOr<CityRequest> ReadCityRequest(ServiceContext& service, const CallFacts& facts,
                                            grpc::ByteBuffer* bytes) {
  WY_RETURN_IF_ERROR(CheckLimit(*bytes, kCityValuesLimit));
  v1::DeriveGrammarRequest message;
  std::vector<grammar::Parcel> parcels;
  WY_RETURN_IF_ERROR(ParseCity(bytes, &message, &parcels));
  if (message.statistics_only()) {
    return InvalidField("city.statistics_only", "true, expected false");
  }
  if (!message.has_view()) {
    return InvalidField("city.view", "missing, expected the first view");
  }
  WY_ASSIGN_OR_RETURN(DeriveRequest checked, Checked(service, facts, message, std::move(parcels)));
  CityRequest request;
  request.grammar = std::move(checked.grammar);
  request.view = *std::move(checked.options.view);
  request.city = std::move(checked.options);
  request.city.view.reset();
  request.job = message.job();
  return request;
}

absl::StatusOr<grammar::View> ReadView(grpc::ByteBuffer* bytes) {
  v1::FollowCameraRequest message;
  WY_RETURN_IF_ERROR(Parse(bytes, &message));
  if (message.has_city()) {
    return InvalidField("city", "expected in the first message alone");
  }
  if (!message.has_view()) return InvalidField("view", "missing");
  WY_ASSIGN_OR_RETURN(grammar::View view, ToView(message.view()));
  WY_RETURN_IF_ERROR(grammar::CheckView(view));
  return view;
}

void StartDerivation(JobRunner& jobs, const JobTicket& ticket, DeriveRequest& request,
                     grammar::TakeBatch take, grammar::DeriveDone done) {
  if (!request.statistics_only) request.options.take = std::move(take);
  jobs.Run<grammar::DeriveStatistics>(
      ticket,
      [&](Engine& engine, const JobOptions& options, grammar::DeriveDone counted) {
        return grammar::Derive(engine, request.grammar->id, std::move(request.options), options,
                               std::move(counted));
      },
      [volumes = std::move(request.volumes), done = std::move(done)](
          const absl::StatusOr<grammar::DeriveStatistics>& statistics) { done(statistics); });
}

absl::StatusOr<ByteBudget::Hold> TakeVolumes(ServiceContext& service, const Caller& caller,
                                             std::size_t parcels) {
  return TakeRequest(service, caller, grammar::CityVolumes::MostBytes(parcels));
}

}  // namespace warpyard::server
