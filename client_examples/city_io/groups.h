// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Sorts instances into groups that a file can hold together.
#ifndef WARPYARD_CLIENT_EXAMPLES_CITY_IO_GROUPS_H_
#define WARPYARD_CLIENT_EXAMPLES_CITY_IO_GROUPS_H_

#include <compare>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "client_examples/city_io/instance.h"

namespace warpyard::city_io {

/// What the instances of a group share.
struct GroupKey {
  std::uint16_t mesh = 0;
  std::uint16_t material = 0;
  std::uint32_t color = kNoColor;
  bool mirrored = false;  ///< an odd number of sizes is negative

  friend auto operator<=>(const GroupKey&, const GroupKey&) = default;

  template <class H>
  friend H AbslHashValue(H state, const GroupKey& key) {
    return H::combine(std::move(state), key.mesh, key.material, key.color, key.mirrored);
  }
};

struct Group {
  GroupKey key;
  /// @shape positions in the list of instances, in ascending order
  absl::Span<const std::uint32_t> members;
};

/// By what instances are told apart.
enum class GroupBy : std::uint8_t {
  kMeshAndPaint,
  kPaint,  ///< mesh and mirrored stay at their defaults
};

/// Beyond so many groups, similar colours become one.
inline constexpr std::size_t kMostGroups = 4096;

/// The groups of a city in the order of their keys; 4 bytes of memory for an instance.
class Groups {
 public:
  /// @shape instances: fewer than 2^32
  Groups(absl::Span<const Instance> instances, GroupBy by);

  const std::vector<Group>& groups() const { return groups_; }

 private:
  std::vector<std::uint32_t> order_;
  std::vector<Group> groups_;
};

/// The instance as renderers can take it: sizes of 0 get a thickness, because their normals would
/// have no direction. Of mirrored ones x is positive: their mesh is mirrored instead, because
/// renderers do not turn the triangles of single instances around.
/// @shape is_flat: the mesh is at z = 0
Instance Drawable(const Instance& instance, bool is_flat);

/// Whether an odd number of sizes is negative.
bool IsMirrored(const Instance& instance);

}  // namespace warpyard::city_io

#endif  // WARPYARD_CLIENT_EXAMPLES_CITY_IO_GROUPS_H_
