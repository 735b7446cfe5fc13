// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Types of the numbers in files of meshes, and their bytes in little-endian order.
#ifndef WARPYARD_CLIENT_EXAMPLES_MESH_IO_COMPONENT_H_
#define WARPYARD_CLIENT_EXAMPLES_MESH_IO_COMPONENT_H_

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>

namespace warpyard::mesh_io {

/// Type of a number; the values are those of glTF.
enum class ComponentType : std::uint16_t {
  kInt8 = 5120,
  kUint8 = 5121,
  kInt16 = 5122,
  kUint16 = 5123,
  kUint32 = 5125,
  kFloat32 = 5126,
};

/// How a file stores the numbers of an attribute.
struct Storage {
  ComponentType component = ComponentType::kFloat32;
  /// Integers stand for [0, 1], or [-1, 1] if they have a sign.
  bool normalized = false;

  bool operator==(const Storage&) const = default;
};

/// A number from its little-endian bytes, which need no alignment.
template <class T>
T LoadLittleEndian(const void* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof(T));
  if constexpr (std::endian::native == std::endian::big) {
    char* const begin = reinterpret_cast<char*>(&value);
    std::reverse(begin, begin + sizeof(T));
  }
  return value;
}

/// Writes a number's bytes in little-endian order; they need no alignment.
template <class T>
void StoreLittleEndian(T value, char* bytes) {
  std::memcpy(bytes, &value, sizeof(T));
  if constexpr (std::endian::native == std::endian::big) std::reverse(bytes, bytes + sizeof(T));
}

/// Appends a number's bytes in little-endian order.
template <class T>
void AppendLittleEndian(T value, std::string& out) {
  char bytes[sizeof(T)];
  StoreLittleEndian(value, bytes);
  out.append(bytes, sizeof(T));
}

/// Calls `visit` with a value-initialised number of the type.
template <class Visitor>
auto VisitComponent(ComponentType type, const Visitor& visit) {
  switch (type) {
    case ComponentType::kInt8:
      return visit(std::int8_t{});
    case ComponentType::kUint8:
      return visit(std::uint8_t{});
    case ComponentType::kInt16:
      return visit(std::int16_t{});
    case ComponentType::kUint16:
      return visit(std::uint16_t{});
    case ComponentType::kUint32:
      return visit(std::uint32_t{});
    case ComponentType::kFloat32:
      break;
  }
  return visit(float{});
}

inline std::size_t ComponentBytes(ComponentType type) {
  return VisitComponent(type, [](auto zero) { return sizeof(zero); });
}

/// What a stored number stands for. Results are exactly floats, but for integers of 32 bits.
template <class T>
double FromStored(T stored, bool normalized) {
  if constexpr (std::is_integral_v<T>) {
    if (normalized) {
      const double scaled = static_cast<double>(stored) / std::numeric_limits<T>::max();
      return static_cast<double>(static_cast<float>(std::max(scaled, -1.0)));
    }
  }
  return static_cast<double>(stored);
}

/// The stored number that comes closest to a value.
template <class T>
T ToStored(double value, bool normalized) {
  if constexpr (std::is_integral_v<T>) {
    constexpr double kLargest = std::numeric_limits<T>::max();
    constexpr double kSmallest = std::numeric_limits<T>::lowest();
    return static_cast<T>(
        std::clamp(std::round(normalized ? value * kLargest : value), kSmallest, kLargest));
  } else {
    return static_cast<T>(value);
  }
}

}  // namespace warpyard::mesh_io

#endif  // WARPYARD_CLIENT_EXAMPLES_MESH_IO_COMPONENT_H_
