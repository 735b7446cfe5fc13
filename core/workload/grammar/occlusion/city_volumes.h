// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The volumes of a city, and which of its buildings they hide. [Steinberger §10.4.1]
//
// The thesis tests the mass models of buildings while a job makes them. Here they are made once for
// a city, since they do not depend on the view. So what is hidden depends on the city and the view
// alone, and not on views before.
#ifndef WARPYARD_CORE_WORKLOAD_GRAMMAR_OCCLUSION_CITY_VOLUMES_H_
#define WARPYARD_CORE_WORKLOAD_GRAMMAR_OCCLUSION_CITY_VOLUMES_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "core/procedure/event_runner.h"
#include "core/workload/grammar/grammar_types.h"
#include "core/workload/grammar/occlusion/world_box.h"

namespace warpyard::grammar {

class CityVolumes {
 public:
  /// The most volumes of a building that hide others: the largest ones.
  static constexpr std::size_t kMostOpaque = 8;

  /// @shape parcels: outlive the object
  explicit CityVolumes(std::span<const Parcel> parcels);

  /// Adds all volumes of some buildings, one building after the other. A building with a coarse
  /// instance had too many of them: nobody knows all, so it hides nothing and is never hidden.
  /// @shape boxes: their material is their VolumeKind, their building a position in the parcels
  void Add(std::span<const Instance> boxes);

  /// Of the buildings in sight, takes away those that opaque volumes of others hide from a view.
  /// Returns how many. @shape seen: [buildings] @errors CANCELLED
  absl::StatusOr<std::uint32_t> RemoveHidden(const View& view, const procedure::CancelToken& token,
                                             std::vector<bool>& seen) const;

  /// What a city's volumes take at most.
  static constexpr std::size_t MostBytes(std::size_t parcels) {
    return parcels * (sizeof(Bounds) + kMostOpaque * sizeof(OpaqueBox));
  }

 private:
  /// In the axes of a parcel, from the parcel's least corner.
  struct Bounds {
    float least[3], most[3];
    bool are_known = true;
  };
  struct OpaqueBox {
    float position[3], rotation[4], size[3];
    std::uint32_t building;
  };

  void AddBuilding(std::span<const Instance> boxes);
  void Grow(const Instance& box);
  WorldBox BoundsOf(std::uint32_t building) const;

  std::span<const Parcel> parcels_;
  std::vector<Bounds> bounds_;    ///< of the parcel and all opaque and enclosing volumes
  std::deque<OpaqueBox> opaque_;  ///< takes no more than what it has, unlike a vector
};

}  // namespace warpyard::grammar

#endif  // WARPYARD_CORE_WORKLOAD_GRAMMAR_OCCLUSION_CITY_VOLUMES_H_
