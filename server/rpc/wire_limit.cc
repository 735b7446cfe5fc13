// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/rpc/wire_limit.h"

#include <cstdint>
#include <span>

#include "absl/strings/str_cat.h"
#include "core/base/status_facts.h"
#include "google/protobuf/io/coded_stream.h"
#include "google/protobuf/wire_format_lite.h"
#include "grpcpp/support/proto_buffer_reader.h"

namespace warpyard::server {
namespace {

using google::protobuf::internal::WireFormatLite;
using google::protobuf::io::CodedInputStream;

/// Counts the messages at a path, up to one more than `most`.
std::size_t Count(CodedInputStream& input, std::span<const int> path, std::size_t most) {
  std::size_t count = 0;
  while (count <= most) {
    const std::uint32_t tag = input.ReadTag();
    if (tag == 0) break;  // the end, or malformed
    const bool is_message =
        WireFormatLite::GetTagFieldNumber(tag) == path[0] &&
        WireFormatLite::GetTagWireType(tag) == WireFormatLite::WIRETYPE_LENGTH_DELIMITED;
    if (!is_message || path.size() == 1) {
      count += is_message ? 1 : 0;
      if (!WireFormatLite::SkipField(&input, tag)) break;
      continue;
    }
    std::uint32_t length = 0;
    if (!input.ReadVarint32(&length)) break;
    const CodedInputStream::Limit outer = input.PushLimit(static_cast<int>(length));
    count += Count(input, path.subspan(1), most);
    if (input.BytesUntilLimit() > 0) break;  // malformed, or more than enough
    input.PopLimit(outer);
  }
  return count;
}

}  // namespace

absl::Status CheckLimit(google::protobuf::io::ZeroCopyInputStream& bytes, const WireLimit& limit) {
  CodedInputStream input(&bytes);
  if (Count(input, limit.path, limit.most) <= limit.most) return absl::OkStatus();
  return InvalidField(limit.name,
                      absl::StrCat("more than ", limit.most, ", expected at most as many"));
}

absl::Status CheckLimit(grpc::ByteBuffer& bytes, const WireLimit& limit) {
  grpc::ProtoBufferReader reader(&bytes);
  return reader.status().ok() ? CheckLimit(reader, limit) : absl::OkStatus();
}

}  // namespace warpyard::server
