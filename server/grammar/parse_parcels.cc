// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/grammar/parse_parcels.h"

#include <cstdint>
#include <string>

#include "absl/strings/str_cat.h"
#include "core/base/macros.h"
#include "core/base/status_facts.h"
#include "google/protobuf/io/coded_stream.h"
#include "google/protobuf/io/zero_copy_stream_impl_lite.h"
#include "google/protobuf/wire_format_lite.h"
#include "grpcpp/support/proto_buffer_reader.h"
#include "server/grammar/parcels.h"
#include "server/rpc/wire.h"

namespace warpyard::server {
namespace {

using google::protobuf::internal::WireFormatLite;
using google::protobuf::io::CodedInputStream;
using google::protobuf::io::CodedOutputStream;

/// Reads a message with its length in front. Returns whether it is valid.
bool ReadMessage(CodedInputStream& input, v1::GrammarParcel& message) {
  std::uint32_t length = 0;
  if (!input.ReadVarint32(&length)) return false;
  const CodedInputStream::Limit outer = input.PushLimit(static_cast<int>(length));
  message.Clear();  // keeps its memory
  const bool is_valid = message.MergePartialFromCodedStream(&input) &&
                        input.ConsumedEntireMessage() && input.BytesUntilLimit() == 0;
  input.PopLimit(outer);
  return is_valid;
}

/// Reads parcels, and copies all other fields.
absl::Status Split(CodedInputStream& input, CodedOutputStream& others,
                   std::vector<grammar::Parcel>& parcels) {
  const std::uint32_t parcel_tag = WireFormatLite::MakeTag(
      v1::DeriveGrammarRequest::kParcelsFieldNumber, WireFormatLite::WIRETYPE_LENGTH_DELIMITED);
  const absl::Status not_valid = NotValid(v1::DeriveGrammarRequest::default_instance());
  v1::GrammarParcel message;
  while (const std::uint32_t tag = input.ReadTag()) {
    if (tag != parcel_tag) {
      if (!WireFormatLite::SkipField(&input, tag, &others)) return not_valid;
      continue;
    }
    if (parcels.size() == grammar::kMostBuildings) {
      return InvalidField("parcels",
                          absl::StrCat("more than ", parcels.size(), ", expected at most as many"));
    }
    if (!ReadMessage(input, message)) return not_valid;
    WY_ASSIGN_OR_RETURN(const grammar::Parcel parcel, ToParcel(message, parcels.size()));
    parcels.push_back(parcel);
  }
  return input.ConsumedEntireMessage() ? absl::OkStatus() : not_valid;
}

/// Reads a FollowCameraRequest up to the fields of its city. Returns the limit of the message.
absl::StatusOr<CodedInputStream::Limit> EnterCity(CodedInputStream& input) {
  const std::uint32_t city_tag = WireFormatLite::MakeTag(v1::FollowCameraRequest::kCityFieldNumber,
                                                         WireFormatLite::WIRETYPE_LENGTH_DELIMITED);
  const std::uint32_t tag = input.ReadTag();
  if (tag != city_tag) {
    return InvalidField("city", "missing, expected alone in the first message");
  }
  std::uint32_t length = 0;
  if (!input.ReadVarint32(&length) || length > static_cast<std::uint32_t>(INT32_MAX)) {
    return NotValid(v1::FollowCameraRequest::default_instance());
  }
  return input.PushLimit(static_cast<int>(length));
}

/// @shape in_city: the request is the city of a FollowCameraRequest
absl::Status Parse(grpc::ByteBuffer* bytes, v1::DeriveGrammarRequest* request,
                   std::vector<grammar::Parcel>* parcels, bool in_city) {
  std::string others;
  {
    grpc::ProtoBufferReader reader(bytes);
    if (!reader.status().ok()) return NotValid(*request);
    CodedInputStream input(&reader);
    CodedInputStream::Limit message{};
    if (in_city) {
      WY_ASSIGN_OR_RETURN(message, EnterCity(input));
    }
    google::protobuf::io::StringOutputStream stream(&others);
    CodedOutputStream output(&stream);
    WY_RETURN_IF_ERROR(Split(input, output, *parcels));
    if (in_city) {
      input.PopLimit(message);
      if (input.ReadTag() != 0) {
        return InvalidField("view", "expected in later messages; the first view is in city");
      }
    }
  }
  bytes->Clear();
  return request->ParseFromString(others) ? absl::OkStatus() : NotValid(*request);
}

}  // namespace

absl::Status ParseParcels(grpc::ByteBuffer* bytes, v1::DeriveGrammarRequest* request,
                          std::vector<grammar::Parcel>* parcels) {
  return Parse(bytes, request, parcels, false);
}

absl::Status ParseCity(grpc::ByteBuffer* bytes, v1::DeriveGrammarRequest* city,
                       std::vector<grammar::Parcel>* parcels) {
  return Parse(bytes, city, parcels, true);
}

}  // namespace warpyard::server
