// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/ccd/check_options.h"

#include "absl/strings/str_cat.h"
#include "core/base/exact_text.h"
#include "core/base/status_facts.h"
#include "core/workload/ccd/methods/traversals/traversal_traits.h"

namespace warpyard::ccd {

absl::Status CheckOptions(const CollisionOptions& options) {
  // A comparison with NaN is false, so the check is written to fail then.
  if (!(options.min_separation >= 0 && options.min_separation <= kLargestMinSeparation)) {
    return InvalidField("min_separation", absl::StrCat(ExactText(options.min_separation),
                                                       ", expected 0 to ", kLargestMinSeparation));
  }
  if (options.min_separation > 0 && options.root_finder == RootFinder::kCubic) {
    return InvalidField("min_separation",
                        absl::StrCat(ExactText(options.min_separation),
                                     ", but the cubic root finder only knows features that touch"));
  }
  if (!(options.max_time > 0 && options.max_time <= 1)) {
    return InvalidField(
        "max_time", absl::StrCat(ExactText(options.max_time), ", expected more than 0, at most 1"));
  }
  if (!(options.rebuild_factor >= 0)) {
    return InvalidField("rebuild_factor",
                        absl::StrCat(ExactText(options.rebuild_factor), ", expected 0 or more"));
  }
  if (options.bounding_volume == BoundingVolume::kOrientedBoxes &&
      !TraitsOf(options.traversal).oriented) {
    return InvalidField("bounding_volume",
                        absl::StrCat("oriented boxes need the traversal work_queue, stealing or "
                                     "front, not ",
                                     NameOf(options.traversal)));
  }
  return absl::OkStatus();
}

absl::Status CheckSetOptions(const CollisionOptions& options) {
  if (options.traversal != Traversal::kClusters) {
    return InvalidField("traversal", absl::StrCat("a set has the traversal clusters only, not ",
                                                  NameOf(options.traversal)));
  }
  return CheckOptions(options);
}

}  // namespace warpyard::ccd
