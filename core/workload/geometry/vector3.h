// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Three-component vectors. Every operation is one IEEE operation a component: the build forbids
// contraction to fused multiply-add, so that both backends compute the same bits.
#ifndef WARPYARD_CORE_WORKLOAD_GEOMETRY_VECTOR3_H_
#define WARPYARD_CORE_WORKLOAD_GEOMETRY_VECTOR3_H_

namespace warpyard::geometry {

template <class T>
struct Vector3 {
  T x, y, z;

  friend constexpr Vector3 operator+(const Vector3& a, const Vector3& b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
  }
  friend constexpr Vector3 operator-(const Vector3& a, const Vector3& b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
  }
  friend constexpr Vector3 operator*(T s, const Vector3& a) { return {s * a.x, s * a.y, s * a.z}; }
};

using Vector3d = Vector3<double>;

template <class T>
constexpr T Dot(const Vector3<T>& a, const Vector3<T>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

template <class T>
constexpr Vector3<T> Cross(const Vector3<T>& a, const Vector3<T>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

}  // namespace warpyard::geometry

#endif  // WARPYARD_CORE_WORKLOAD_GEOMETRY_VECTOR3_H_
