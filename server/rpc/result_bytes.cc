// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/rpc/result_bytes.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "google/protobuf/io/coded_stream.h"
#include "google/protobuf/wire_format_lite.h"
#include "grpcpp/support/slice.h"

namespace warpyard::server {
namespace {

using google::protobuf::internal::WireFormatLite;
using google::protobuf::io::CodedOutputStream;

/// A field that may be large. One that is missing here is copied, no more.
struct ListField {
  int number;
  std::string* (v1::CollisionResult::*mutable_list)();
};
using Result = v1::CollisionResult;
constexpr ListField kListFields[] = {
    {Result::kVertexFaceIdsFieldNumber, &Result::mutable_vertex_face_ids},
    {Result::kVertexFaceTimesFieldNumber, &Result::mutable_vertex_face_times},
    {Result::kEdgeEdgeIdsFieldNumber, &Result::mutable_edge_edge_ids},
    {Result::kEdgeEdgeTimesFieldNumber, &Result::mutable_edge_edge_times}};

/// What stands before a field of so many bytes: its tag and its length.
std::string HeadOf(int field, std::size_t bytes) {
  std::uint8_t head[20];
  std::uint8_t* end = CodedOutputStream::WriteTagToArray(
      WireFormatLite::MakeTag(field, WireFormatLite::WIRETYPE_LENGTH_DELIMITED), head);
  end = CodedOutputStream::WriteVarint64ToArray(bytes, end);
  return {reinterpret_cast<const char*>(head), static_cast<std::size_t>(end - head)};
}

/// A slice that owns the bytes.
grpc::Slice SliceOf(std::string&& bytes) {
  auto* const owned = new std::string(std::move(bytes));
  return grpc::Slice(
      owned->data(), owned->size(), [](void* string) { delete static_cast<std::string*>(string); },
      owned);
}

}  // namespace

grpc::ByteBuffer ResultBytes(v1::CollisionResult&& result, int field) {
  std::vector<grpc::Slice> slices(1);  // the first when the lengths of the others are known
  std::size_t bytes = 0;
  for (const ListField& list : kListFields) {
    std::string& data = *(result.*list.mutable_list)();
    if (data.empty()) continue;
    const std::string head = HeadOf(list.number, data.size());
    bytes += head.size() + data.size();
    slices.emplace_back(head);
    slices.push_back(SliceOf(std::move(data)));
    data.clear();
  }
  const std::string others = result.SerializeAsString();
  slices.front() = grpc::Slice(HeadOf(field, others.size() + bytes) + others);
  return grpc::ByteBuffer(slices.data(), slices.size());
}

}  // namespace warpyard::server
