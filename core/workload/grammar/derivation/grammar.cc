// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/grammar/derivation/grammar.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "absl/time/clock.h"
#include "core/base/macros.h"
#include "core/workload/grammar/derivation/check_options.h"
#include "core/workload/grammar/derivation/city_part.h"
#include "core/workload/grammar/derivation/derivation.h"

namespace warpyard::grammar {
namespace {

/// The most volumes of a building that are looked at.
constexpr std::uint64_t kMostVolumes = 4096;

}  // namespace

absl::StatusOr<std::unique_ptr<Grammar>> Grammar::Open(device::Backend& backend,
                                                       CompiledCode compiled) {
  const auto stages = static_cast<std::uint32_t>(compiled.info.stages.size());
  std::unique_ptr<Grammar> grammar(new Grammar(backend, std::move(compiled.info), stages));
  WY_RETURN_IF_ERROR(grammar->CopyIn(compiled.code, grammar->derive_));
  grammar->has_volumes_ = !compiled.volumes.instructions.empty();
  if (grammar->has_volumes_) {
    WY_RETURN_IF_ERROR(grammar->CopyIn(compiled.volumes, grammar->volumes_));
  }
  return grammar;
}

absl::Status Grammar::CopyIn(const Code& code, Program& program) {
  const auto& [instructions, rules] = code;
  WY_RETURN_IF_ERROR(program.code.Reserve(backend_, instructions.size()));
  WY_RETURN_IF_ERROR(program.rules.Reserve(backend_, rules.size()));
  const device::HostCopy copies[] = {
      {program.code.data(), instructions.data(), instructions.size() * sizeof(Instruction)},
      {program.rules.data(), rules.data(), rules.size() * sizeof(RuleEntry)}};
  return backend_.CopyAllIn(copies);
}

absl::StatusOr<DeriveStatistics> Grammar::Derive(GrammarRunner& runner,
                                                 const DeriveOptions& options,
                                                 const procedure::CancelToken& token) {
  WY_RETURN_IF_ERROR(CheckOptions(info_, options));
  if (options.view && options.view->hide_occluded) return DeriveVisible(runner, options, token);
  return Derivation(*this, derive_, runner, options, token).Run();
}

absl::StatusOr<CityVolumes> Grammar::VolumesOf(GrammarRunner& runner, const DeriveOptions& city,
                                               const procedure::CancelToken& token) {
  CityVolumes volumes(city.parcels);
  if (!has_volumes_) return volumes;
  DeriveOptions options = city;
  options.view.reset();
  options.numbers.clear();
  options.wants_slack = false;
  // The limits of the request are for what it shows. Here each building has a limit of its own, and
  // one that is beyond it does not end the job.
  options.on_limit = OnLimit::kCoarse;
  options.max_depth = kMostDepth;
  options.max_instances = kMostVolumes * city.parcels.size();
  options.take = [&volumes](const DerivedBatch& batch, const procedure::CancelToken&) {
    volumes.Add(batch.instances);
    return absl::OkStatus();
  };
  WY_RETURN_IF_ERROR(CheckOptions(info_, options));
  WY_RETURN_IF_ERROR(Derivation(*this, volumes_, runner, options, token).Run().status());
  return volumes;
}

/// Without the buildings that others hide.
absl::StatusOr<DeriveStatistics> Grammar::DeriveVisible(GrammarRunner& runner,
                                                        const DeriveOptions& options,
                                                        const procedure::CancelToken& token) {
  const absl::Time begin = absl::Now();
  std::vector<std::uint32_t> buildings = PositionsOf(InPlanes(options.parcels, *options.view));
  std::uint32_t occluded = 0;
  if (!buildings.empty()) {
    const DeriveOptions in_planes = PartOf(options, buildings);
    WY_ASSIGN_OR_RETURN(const CityVolumes volumes, VolumesOf(runner, in_planes, token));
    std::vector<bool> seen(buildings.size(), true);
    WY_ASSIGN_OR_RETURN(occluded, volumes.RemoveHidden(*options.view, token, seen));
    std::size_t next = 0;
    std::erase_if(buildings, [&](std::uint32_t) { return !seen[next++]; });
  }
  const absl::Duration comparing = absl::Now() - begin;
  DeriveStatistics statistics;
  if (!buildings.empty()) {
    DeriveOptions part = PartOf(options, buildings);
    part.view = WithoutTests(*options.view);
    part.take = options.take;
    WY_ASSIGN_OR_RETURN(statistics, Derivation(*this, derive_, runner, part, token).Run());
  } else {
    statistics.rules.resize(info_.rules.size());
  }
  statistics.culled = static_cast<std::uint32_t>(options.parcels.size() - buildings.size());
  statistics.occluded = occluded;
  statistics.memory_bytes = std::max(statistics.memory_bytes, memory_.Bytes());
  const std::size_t reports = info_.reports.size();
  std::vector<double> sums(options.parcels.size() * reports);
  for (std::size_t i = 0; i < buildings.size(); ++i) {
    std::copy_n(statistics.reports.begin() + static_cast<std::ptrdiff_t>(i * reports), reports,
                sums.begin() + static_cast<std::ptrdiff_t>(buildings[i] * reports));
  }
  statistics.reports = std::move(sums);
  statistics.phases.insert(statistics.phases.begin(), {"compare", comparing});
  return statistics;
}

}  // namespace warpyard::grammar
