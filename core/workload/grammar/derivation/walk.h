// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A camera's way through a city: from view to view, only buildings that change are derived.
#ifndef WARPYARD_CORE_WORKLOAD_GRAMMAR_DERIVATION_WALK_H_
#define WARPYARD_CORE_WORKLOAD_GRAMMAR_DERIVATION_WALK_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/workload/grammar/derivation/grammar.h"
#include "core/workload/grammar/grammar_types.h"
#include "core/workload/grammar/occlusion/city_volumes.h"

namespace warpyard::grammar {

/// Buildings and their @lod decisions as the last view left them. Whoever applies all changes of a
/// walk has the instances that Grammar::Derive gives for the last view. [Steinberger §10.4.4]
/// @scope one view at a time
class Walk {
 public:
  /// @shape options: the city; without `view` and `take`
  explicit Walk(DeriveOptions options);
  Walk(const Walk&) = delete;  // its volumes refer to its city
  Walk& operator=(const Walk&) = delete;

  /// Derives what the view changes. After an error the walk is over.
  /// @errors as Grammar::Derive, and those of `take.change`
  absl::StatusOr<DeriveStatistics> Show(Grammar& grammar, GrammarRunner& runner, const View& view,
                                        const TakeView& take, const procedure::CancelToken& token);

 private:
  /// What was shown of a building last. @shape slack: metres that the camera can move from there
  struct Shown {
    float position[3];  ///< of the camera
    float slack;
    bool is_shown = false;
  };

  ViewChange Compare(const View& view, const std::vector<bool>& seen) const;
  bool IsAsBefore(const Shown& shown, const DeviceView& view) const;

  const DeriveOptions city_;
  std::optional<CityVolumes> volumes_;  ///< once a view has asked what they hide
  std::vector<Shown> shown_;            ///< of each building
  float detail_ = 0;                    ///< DeviceView::detail of the last view
};

}  // namespace warpyard::grammar

#endif  // WARPYARD_CORE_WORKLOAD_GRAMMAR_DERIVATION_WALK_H_
