// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/collision/result_bytes.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/macros.h"
#include "google/protobuf/io/coded_stream.h"
#include "google/protobuf/wire_format_lite.h"
#include "server/collision/columns.h"

namespace warpyard::server {
namespace {

using google::protobuf::MessageLite;
using google::protobuf::internal::WireFormatLite;
using google::protobuf::io::CodedOutputStream;
using Result = v1::CollisionResult;

/// The two columns of a list: their field numbers, and the bytes of an item in the first column.
template <class Item>
struct ColumnsOf;
template <>
struct ColumnsOf<ccd::VertexFaceCollision> {
  static constexpr int kFields[] = {Result::kVertexFaceIdsFieldNumber,
                                    Result::kVertexFaceTimesFieldNumber};
  static constexpr std::size_t kSplit = offsetof(ccd::VertexFaceCollision, time);
  static_assert(kSplit == 8 && sizeof(ccd::VertexFaceCollision) == 16);
};
template <>
struct ColumnsOf<ccd::EdgeEdgeCollision> {
  static constexpr int kFields[] = {Result::kEdgeEdgeIdsFieldNumber,
                                    Result::kEdgeEdgeTimesFieldNumber};
  static constexpr std::size_t kSplit = offsetof(ccd::EdgeEdgeCollision, time);
  static_assert(kSplit == 16 && sizeof(ccd::EdgeEdgeCollision) == 24);
};
template <>
struct ColumnsOf<ccd::VertexFaceGeometry> {
  static constexpr int kFields[] = {Result::kVertexFaceWeightsFieldNumber,
                                    Result::kVertexFaceNormalsFieldNumber};
  static constexpr std::size_t kSplit = offsetof(ccd::VertexFaceGeometry, normal);
  static_assert(kSplit == 24 && sizeof(ccd::VertexFaceGeometry) == 48);
};
template <>
struct ColumnsOf<ccd::EdgeEdgeGeometry> {
  static constexpr int kFields[] = {Result::kEdgeEdgeParametersFieldNumber,
                                    Result::kEdgeEdgeNormalsFieldNumber};
  static constexpr std::size_t kSplit = offsetof(ccd::EdgeEdgeGeometry, normal);
  static_assert(kSplit == 16 && sizeof(ccd::EdgeEdgeGeometry) == 40);
};

/// Calls `visit(items, has_second_column)` for each list of a result.
template <class Visit>
void ForEachList(const ResultPart& result, Visit visit) {
  visit(result.vertex_face, result.has_times);
  visit(result.edge_edge, result.has_times);
  visit(result.vertex_face_geometry, true);
  visit(result.edge_edge_geometry, true);
}

/// Bytes of the tag and the length that stand before a field of `bytes` bytes.
std::size_t HeadBytes(int field, std::size_t bytes) {
  return WireFormatLite::TagSize(field, WireFormatLite::TYPE_BYTES) +
         CodedOutputStream::VarintSize64(bytes);
}

/// Writes the tag and the length of a field, and returns the end of what it wrote.
char* WriteHead(int field, std::size_t bytes, char* to) {
  auto* end = reinterpret_cast<std::uint8_t*>(to);
  end = CodedOutputStream::WriteTagToArray(
      WireFormatLite::MakeTag(field, WireFormatLite::WIRETYPE_LENGTH_DELIMITED), end);
  return reinterpret_cast<char*>(CodedOutputStream::WriteVarint64ToArray(bytes, end));
}

/// Writes a message after ByteSizeLong was called for it, and returns the end of what it wrote.
char* WriteMessage(const MessageLite& message, char* to) {
  return reinterpret_cast<char*>(
      message.SerializeWithCachedSizesToArray(reinterpret_cast<std::uint8_t*>(to)));
}

/// Bytes of the fields of a list.
template <class Item>
std::size_t FieldBytes(std::span<const Item> items, bool has_second) {
  if (items.empty()) return 0;
  using Columns = ColumnsOf<Item>;
  const std::size_t first = items.size() * Columns::kSplit;
  const std::size_t second = items.size_bytes() - first;
  return HeadBytes(Columns::kFields[0], first) + first +
         (has_second ? HeadBytes(Columns::kFields[1], second) + second : 0);
}

/// Writes the fields of a list, and returns the end of what it wrote.
template <class Item>
char* WriteFields(std::span<const Item> items, bool has_second, char* to) {
  if (items.empty()) return to;
  using Columns = ColumnsOf<Item>;
  const std::size_t bytes = items.size() * Columns::kSplit;
  char* const first = WriteHead(Columns::kFields[0], bytes, to);
  char* second = nullptr;
  char* end = first + bytes;
  if (has_second) {
    second = WriteHead(Columns::kFields[1], items.size_bytes() - bytes, end);
    end = second + (items.size_bytes() - bytes);
  }
  SplitColumns<Columns::kSplit>(items, first, second);
  return end;
}

/// Bytes of a result, without the head of its field.
std::size_t BytesOfResult(const ResultPart& result) {
  std::size_t bytes = result.others.ByteSizeLong();
  ForEachList(result,
              [&bytes](auto items, bool has_second) { bytes += FieldBytes(items, has_second); });
  return bytes;
}

/// Writes a result after BytesOfResult was called for it, and returns the end of what it wrote.
char* WriteResult(const ResultPart& result, char* to) {
  to = WriteMessage(result.others, to);
  ForEachList(result,
              [&to](auto items, bool has_second) { to = WriteFields(items, has_second, to); });
  return to;
}

/// Bytes of an outcome and of its result, without the heads of their fields.
struct OutcomeSize {
  std::size_t all = 0;
  std::size_t result = 0;
};

}  // namespace

grpc::ByteBuffer ResultBytes(const MessageLite& response, int field, const ResultPart& result,
                             BufferPool& buffers) {
  const std::size_t bytes = BytesOfResult(result);
  const std::size_t all = response.ByteSizeLong() + HeadBytes(field, bytes) + bytes;
  const BufferPool::Buffer buffer = buffers.Take(all);
  char* to = WriteMessage(response, buffer.data);
  to = WriteHead(field, bytes, to);
  to = WriteResult(result, to);
  WY_ASSERT(to == buffer.data + all);
  return grpc::ByteBuffer(&buffer.slice, 1);
}

grpc::ByteBuffer OutcomeBytes(std::span<const Outcome> outcomes, int result_field,
                              BufferPool& buffers) {
  std::vector<OutcomeSize> sizes;
  sizes.reserve(outcomes.size());
  std::size_t all = 0;
  for (const Outcome& outcome : outcomes) {
    OutcomeSize size;
    size.all = outcome.message->ByteSizeLong();
    if (outcome.result) {
      size.result = BytesOfResult(*outcome.result);
      size.all += HeadBytes(result_field, size.result) + size.result;
    }
    all += HeadBytes(outcome.field, size.all) + size.all;
    sizes.push_back(size);
  }
  const BufferPool::Buffer buffer = buffers.Take(all);
  char* to = buffer.data;
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    to = WriteHead(outcomes[i].field, sizes[i].all, to);
    to = WriteMessage(*outcomes[i].message, to);
    if (!outcomes[i].result) continue;
    to = WriteHead(result_field, sizes[i].result, to);
    to = WriteResult(*outcomes[i].result, to);
  }
  WY_ASSERT(to == buffer.data + all);
  return grpc::ByteBuffer(&buffer.slice, 1);
}

}  // namespace warpyard::server
