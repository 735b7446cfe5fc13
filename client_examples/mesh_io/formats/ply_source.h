// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The numbers of a PLY file's data, one after the other: one class for each encoding, with the same
// interface.
#ifndef WARPYARD_CLIENT_EXAMPLES_MESH_IO_FORMATS_PLY_SOURCE_H_
#define WARPYARD_CLIENT_EXAMPLES_MESH_IO_FORMATS_PLY_SOURCE_H_

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "client_examples/mesh_io/formats/ply_header.h"
#include "client_examples/mesh_io/text.h"

namespace warpyard::mesh_io {

/// Numbers in binary, of either byte order.
class PlyBinarySource {
 public:
  PlyBinarySource(absl::string_view data, PlyEncoding encoding)
      : data_(data),
        swap_((encoding == PlyEncoding::kBigEndian) != (std::endian::native == std::endian::big)) {}

  /// The next number, or nothing if there is none; then Problem() says why.
  std::optional<double> Next(PlyScalar type) {
    switch (type) {
      case PlyScalar::kInt8:
        return Take<std::int8_t>();
      case PlyScalar::kUint8:
        return Take<std::uint8_t>();
      case PlyScalar::kInt16:
        return Take<std::int16_t>();
      case PlyScalar::kUint16:
        return Take<std::uint16_t>();
      case PlyScalar::kInt32:
        return Take<std::int32_t>();
      case PlyScalar::kUint32:
        return Take<std::uint32_t>();
      case PlyScalar::kFloat32:
        return Take<float>();
      case PlyScalar::kFloat64:
        return Take<double>();
    }
    return std::nullopt;
  }

  /// How many numbers of a type the rest of the data can hold at most.
  std::size_t MostNumbers(PlyScalar type) const { return data_.size() / PlyScalarBytes(type); }

  std::string Problem() const { return "the file ends too early"; }

  /// What is wrong with data after the last element: nothing, because some writers pad their files.
  std::string Leftover() const { return ""; }

 private:
  template <class T>
  std::optional<double> Take() {
    if (data_.size() < sizeof(T)) return std::nullopt;
    char bytes[sizeof(T)];
    std::memcpy(bytes, data_.data(), sizeof(T));
    data_.remove_prefix(sizeof(T));
    if (swap_) std::reverse(bytes, bytes + sizeof(T));
    T value;
    std::memcpy(&value, bytes, sizeof(T));
    return static_cast<double>(value);
  }

  absl::string_view data_;
  bool swap_;
};

/// Numbers in text, separated by blanks and line ends.
class PlyAsciiSource {
 public:
  PlyAsciiSource(absl::string_view data, std::size_t header_lines)
      : data_(data), line_(header_lines + 1) {}

  /// The next number, or nothing if there is none; then Problem() says why.
  std::optional<double> Next(PlyScalar type) {
    SkipBlanks();
    token_ = data_.substr(0, data_.find_first_of(" \t\r\v\f\n"));
    data_.remove_prefix(token_.size());
    if (type == PlyScalar::kFloat32) {
      float value = 0;
      if (absl::SimpleAtof(token_, &value)) return value;
    } else {
      double value = 0;
      if (absl::SimpleAtod(token_, &value)) return value;
    }
    return std::nullopt;
  }

  /// How many numbers of a type the rest of the data can hold at most.
  std::size_t MostNumbers(PlyScalar /*type*/) const { return data_.size() / 2 + 1; }

  std::string Problem() const {
    return absl::StrCat("line ", line_, ": ",
                        token_.empty() ? "the file ends too early"
                                       : absl::StrCat(Quoted(token_), " is not a number"));
  }

  /// What is wrong with data after the last element: a count in the header must be wrong.
  std::string Leftover() {
    SkipBlanks();
    return data_.empty() ? "" : absl::StrCat("line ", line_, ": data after the last element");
  }

 private:
  void SkipBlanks() {
    std::size_t at = 0;
    for (; at < data_.size(); ++at) {
      if (data_[at] == '\n') {
        ++line_;
      } else if (kBlanks.find(data_[at]) == absl::string_view::npos) {
        break;
      }
    }
    data_.remove_prefix(at);
  }

  absl::string_view data_;
  absl::string_view token_;
  std::size_t line_;
};

}  // namespace warpyard::mesh_io

#endif  // WARPYARD_CLIENT_EXAMPLES_MESH_IO_FORMATS_PLY_SOURCE_H_
