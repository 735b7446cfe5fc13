// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The memory of wedges while a model is built.
#ifndef WARPYARD_CORE_WORKLOAD_SIMPLIFY_MODEL_BUILD_WEDGES_H_
#define WARPYARD_CORE_WORKLOAD_SIMPLIFY_MODEL_BUILD_WEDGES_H_

#include <cstddef>
#include <cstdint>
#include <utility>

#include "absl/status/status.h"
#include "core/base/macros.h"
#include "core/workload/simplify/model/model_arrays.h"
#include "core/workload/simplify/model/task_run.h"
#include "core/workload/simplify/simplify_types.h"

namespace warpyard::simplify {

/// Whether vertices have anything beside their positions that is kept apart.
inline bool HasWedges(const ModelInput& input) {
  return !input.attributes.empty() || !input.groups.empty();
}
std::uint32_t ChannelsOf(const ModelInput& input);

/// What welding needs, of points or of wedges.
struct WeldArrays {
  Array<std::uint32_t> table, slots, leaves;
};
/// What joining needs.
struct ComponentArrays {
  Array<std::uint32_t> least, roots, next, node_of, made;
};

/// @errors RESOURCE_EXHAUSTED
absl::Status TakeWeld(device::Backend& backend, std::uint32_t vertices, WeldArrays& arrays,
                      WeldView& view);
absl::Status TakeComponents(device::Backend& backend, std::size_t leaves, ComponentArrays& arrays,
                            ComponentsView& view);

/// Adds wedges to a build. Each step comes right before the task that it names. @scope as TaskRun
class WedgeBuilder {
 public:
  /// @shape backend, model, job: outlive the builder
  WedgeBuilder(device::Backend& backend, WedgeArrays& model, SimplifyJob& job)
      : backend_(backend), model_(model), job_(job) {}

  /// kWeld. @errors RESOURCE_EXHAUSTED
  absl::Status Upload(const ModelInput& input);
  /// kEdges; `leaves` are those that kWeld counted.
  absl::Status BeginTree(std::uint32_t leaves);
  /// kNodes; `nodes` are those that kJoin made, and all leaves.
  absl::Status BeginFields(std::uint32_t nodes);

 private:
  WedgeView& view() { return job_.model.wedges; }
  absl::Status UploadAttributes(const ModelInput& input);

  device::Backend& backend_;
  WedgeArrays& model_;
  SimplifyJob& job_;
  Array<float> attributes_;
  Array<std::uint32_t> indices_, counts_, offsets_, items_;
  WeldArrays weld_;
  ComponentArrays components_;
};

}  // namespace warpyard::simplify

#endif  // WARPYARD_CORE_WORKLOAD_SIMPLIFY_MODEL_BUILD_WEDGES_H_
