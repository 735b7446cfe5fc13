// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A grammar whose code is on a device, and its derivations.
#ifndef WARPYARD_CORE_WORKLOAD_GRAMMAR_DERIVATION_GRAMMAR_H_
#define WARPYARD_CORE_WORKLOAD_GRAMMAR_DERIVATION_GRAMMAR_H_

#include <cstdint>
#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/device/backend.h"
#include "core/memory/device_array.h"
#include "core/procedure/event_runner.h"
#include "core/workload/grammar/code/compiler.h"
#include "core/workload/grammar/derivation/batch_memory.h"
#include "core/workload/grammar/grammar_types.h"
#include "core/workload/grammar/job/derive_job.h"
#include "core/workload/grammar/occlusion/city_volumes.h"

namespace warpyard::grammar {

using GrammarRunner = procedure::EventRunner<DeriveJob>;

/// @scope one derivation at a time
class Grammar {
 public:
  /// Copies the code to the device. @errors RESOURCE_EXHAUSTED, UNAVAILABLE
  static absl::StatusOr<std::unique_ptr<Grammar>> Open(device::Backend& backend,
                                                       CompiledCode compiled);

  /// Derives the grammar on all parcels, batch by batch.
  /// @errors INVALID_ARGUMENT (options), RESOURCE_EXHAUSTED (depth, instances, memory), those of
  ///     `options.take` and of GrammarRunner::Run
  absl::StatusOr<DeriveStatistics> Derive(GrammarRunner& runner, const DeriveOptions& options,
                                          const procedure::CancelToken& token);

  /// The volumes of a city: of all of its parcels, without a view and the limits of results. The
  /// result refers to the parcels. @errors as Derive
  absl::StatusOr<CityVolumes> VolumesOf(GrammarRunner& runner, const DeriveOptions& city,
                                        const procedure::CancelToken& token);

  const GrammarInfo& info() const { return info_; }

 private:
  friend class Derivation;

  /// Code on the device.
  struct Program {
    memory::DeviceArray<Instruction> code;
    memory::DeviceArray<RuleEntry> rules;
    double bytes_of_building = 0;  ///< of pools, in the last batch; 0: there was none
  };

  Grammar(device::Backend& backend, GrammarInfo info, std::uint32_t stages)
      : backend_(backend), info_(std::move(info)), stages_(stages) {}

  absl::Status CopyIn(const Code& code, Program& program);
  absl::StatusOr<DeriveStatistics> DeriveVisible(GrammarRunner& runner,
                                                 const DeriveOptions& options,
                                                 const procedure::CancelToken& token);

  device::Backend& backend_;
  const GrammarInfo info_;
  const std::uint32_t stages_;
  Program derive_, volumes_;
  bool has_volumes_ = false;  ///< opaque ones
  BatchMemory memory_;
};

}  // namespace warpyard::grammar

#endif  // WARPYARD_CORE_WORKLOAD_GRAMMAR_DERIVATION_GRAMMAR_H_
