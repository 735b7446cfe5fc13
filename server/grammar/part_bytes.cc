// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/grammar/part_bytes.h"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>

#include "google/protobuf/io/coded_stream.h"
#include "google/protobuf/io/zero_copy_stream_impl_lite.h"
#include "google/protobuf/wire_format_lite.h"
#include "grpcpp/support/slice.h"

namespace warpyard::server {
namespace {

using google::protobuf::internal::WireFormatLite;

static_assert(int{v1::DeriveGrammarPart::kInstancesFieldNumber} ==
              int{v1::FollowCameraPart::kInstancesFieldNumber});
static_assert(std::endian::native == std::endian::little, "instances are sent as they are");

/// The tag and the length of the field `instances`.
std::string HeaderOf(std::size_t bytes) {
  std::string header;
  google::protobuf::io::StringOutputStream stream(&header);
  google::protobuf::io::CodedOutputStream output(&stream);
  output.WriteTag(WireFormatLite::MakeTag(v1::DeriveGrammarPart::kInstancesFieldNumber,
                                          WireFormatLite::WIRETYPE_LENGTH_DELIMITED));
  output.WriteVarint64(bytes);
  output.Trim();
  return header;
}

/// A slice that keeps the run's owner until gRPC has no more use for it.
grpc::Slice SliceOf(const InstanceRun& run) {
  using Owner = decltype(run.owner);
  // gRPC reads slices only, although it takes a pointer to bytes that are not const.
  void* const bytes = const_cast<grammar::Instance*>(run.view.data());
  return grpc::Slice(
      bytes, run.view.size_bytes(), [](void* owner) { delete static_cast<Owner*>(owner); },
      new Owner(run.owner));
}

}  // namespace

grpc::ByteBuffer PartBytes(std::span<const InstanceRun> runs,
                           const google::protobuf::MessageLite& rest) {
  std::size_t bytes = 0;
  for (const InstanceRun& run : runs) bytes += run.view.size_bytes();
  std::vector<grpc::Slice> slices;
  if (bytes != 0) slices.emplace_back(HeaderOf(bytes));
  for (const InstanceRun& run : runs) {
    if (!run.view.empty()) slices.push_back(SliceOf(run));
  }
  slices.emplace_back(rest.SerializeAsString());
  return grpc::ByteBuffer(slices.data(), slices.size());
}

}  // namespace warpyard::server
