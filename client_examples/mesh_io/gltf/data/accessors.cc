// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/mesh_io/gltf/data/accessors.h"

#include <algorithm>
#include <array>
#include <limits>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "client_examples/mesh_io/text.h"

namespace warpyard::mesh_io {
namespace {

struct TypeName {
  absl::string_view name;
  std::size_t columns;
  std::size_t rows;
};

constexpr std::array<TypeName, 7> kTypes = {{{"SCALAR", 1, 1},
                                             {"VEC2", 1, 2},
                                             {"VEC3", 1, 3},
                                             {"VEC4", 1, 4},
                                             {"MAT2", 2, 2},
                                             {"MAT3", 3, 3},
                                             {"MAT4", 4, 4}}};

// The largest element: a MAT4 of floats.
constexpr std::array<char, 64> kZeros{};

ComponentType ToComponentType(std::uint64_t number, Fields& fields) {
  for (const ComponentType type :
       {ComponentType::kInt8, ComponentType::kUint8, ComponentType::kInt16, ComponentType::kUint16,
        ComponentType::kUint32, ComponentType::kFloat32}) {
    if (static_cast<std::uint64_t>(type) == number) return type;
  }
  fields.Fail(absl::StrCat("componentType ", number, " is unknown"));
  return ComponentType::kFloat32;
}

// The first of `count` elements of a buffer view, if it has them.
const char* FirstElement(const BufferViews::Bytes& view, std::size_t count, std::size_t stride,
                         std::size_t element_bytes, Fields& fields) {
  const std::size_t offset = fields.Unsigned("byteOffset", 0);
  if (stride < element_bytes) {
    fields.Fail(
        absl::StrCat("elements of ", element_bytes, " bytes do not fit byteStride ", stride));
  } else if (offset > view.bytes.size() || element_bytes > view.bytes.size() - offset ||
             count - 1 > (view.bytes.size() - offset - element_bytes) / stride) {
    fields.Fail(absl::StrCat(count, " elements at byte ", offset, " do not fit a buffer view of ",
                             view.bytes.size(), " bytes"));
  }
  return fields.status().ok() ? view.bytes.data() + offset : nullptr;
}

}  // namespace

absl::StatusOr<ElementLayout> LayoutOf(const std::string& type, ComponentType component) {
  for (const TypeName& known : kTypes) {
    if (known.name != type) continue;
    std::size_t column = known.rows * ComponentBytes(component);
    if (known.columns > 1) column = (column + 3) / 4 * 4;
    return ElementLayout{known.columns * known.rows, known.columns * column};
  }
  return absl::InvalidArgumentError(absl::StrCat("type ", Quoted(type), " is unknown"));
}

const char* AccessorView::SparseElement(std::size_t index) const {
  if (sparse_values != nullptr) {
    const auto found = std::lower_bound(sparse_indices.begin(), sparse_indices.end(), index);
    if (found != sparse_indices.end() && *found == index) {
      return sparse_values +
             static_cast<std::size_t>(found - sparse_indices.begin()) * layout.bytes;
    }
  }
  return base == nullptr ? kZeros.data() : base + index * stride;
}

absl::StatusOr<AccessorView> Accessors::Open(std::size_t index) {
  if (index >= accessors_.size()) {
    return absl::InvalidArgumentError(absl::StrCat("accessors[", index, "] does not exist"));
  }
  const Json& json = accessors_[index];
  Fields fields(json, absl::StrCat("accessors[", index, "]"));
  AccessorView view;
  view.count = fields.Unsigned("count");
  view.type = fields.String("type", "");
  view.storage = {ToComponentType(fields.Unsigned("componentType"), fields),
                  fields.Bool("normalized", false)};
  const absl::StatusOr<ElementLayout> layout = LayoutOf(view.type, view.storage.component);
  if (!layout.ok()) fields.Fail(layout.status().message());
  if (view.count == 0 || view.count > std::numeric_limits<std::uint32_t>::max()) {
    fields.Fail(absl::StrCat("count is ", view.count));
  }
  const std::optional<std::size_t> buffer_view = fields.Index("bufferView");
  if (!fields.status().ok()) return fields.status();
  view.layout = *layout;
  if (buffer_view) {
    const absl::StatusOr<BufferViews::Bytes> bytes = views_.Open(*buffer_view);
    if (!bytes.ok()) return bytes.status();
    view.stride = bytes->stride != 0 ? bytes->stride : view.layout.bytes;
    view.base = FirstElement(*bytes, view.count, view.stride, view.layout.bytes, fields);
  }
  if (!fields.status().ok()) return fields.status();
  if (const Json* const sparse = FindMember(json, "sparse"); sparse != nullptr) {
    absl::Status status = ReadSparse(*sparse, fields.place() + ".sparse", view);
    if (!status.ok()) return status;
  }
  return view;
}

absl::Status Accessors::ReadSparse(const Json& sparse, const std::string& place,
                                   AccessorView& view) {
  static const Json* const kNothing = new Json(nullptr);
  const auto part = [&](const char* name) {
    const Json* const member = FindMember(sparse, name);
    return Fields(member != nullptr ? *member : *kNothing, absl::StrCat(place, ".", name));
  };
  Fields fields(sparse, place);
  const std::size_t count = fields.Unsigned("count");
  if (count == 0 || count > view.count) fields.Fail(absl::StrCat("count is ", count));
  if (!fields.status().ok()) return fields.status();
  Fields indices = part("indices");
  const ComponentType type = ToComponentType(indices.Unsigned("componentType"), indices);
  const std::size_t index_bytes = ComponentBytes(type);
  const absl::StatusOr<BufferViews::Bytes> index_view = views_.Open(indices.Unsigned("bufferView"));
  if (!indices.status().ok()) return indices.status();
  if (!index_view.ok()) return index_view.status();
  const char* const first = FirstElement(*index_view, count, index_bytes, index_bytes, indices);
  if (!indices.status().ok()) return indices.status();
  for (std::size_t i = 0; i < count; ++i) {
    const double value = VisitComponent(type, [&](auto zero) {
      return static_cast<double>(LoadLittleEndian<decltype(zero)>(first + i * index_bytes));
    });
    const bool ascends = view.sparse_indices.empty() || value > view.sparse_indices.back();
    if (!(value >= 0 && value < static_cast<double>(view.count) && ascends)) {
      indices.Fail(absl::StrCat("index ", i, " is ", value, ", not ascending below ", view.count));
      return indices.status();
    }
    view.sparse_indices.push_back(static_cast<std::uint32_t>(value));
  }
  Fields values = part("values");
  const absl::StatusOr<BufferViews::Bytes> value_view = views_.Open(values.Unsigned("bufferView"));
  if (!values.status().ok()) return values.status();
  if (!value_view.ok()) return value_view.status();
  view.sparse_values =
      FirstElement(*value_view, count, view.layout.bytes, view.layout.bytes, values);
  return values.status();
}

}  // namespace warpyard::mesh_io
