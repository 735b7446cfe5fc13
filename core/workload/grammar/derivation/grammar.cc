// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/grammar/derivation/grammar.h"

#include <utility>

#include "core/base/macros.h"
#include "core/workload/grammar/derivation/check_options.h"
#include "core/workload/grammar/derivation/derivation.h"

namespace warpyard::grammar {

absl::StatusOr<std::unique_ptr<Grammar>> Grammar::Open(device::Backend& backend,
                                                       CompiledCode compiled) {
  const auto stages = static_cast<std::uint32_t>(compiled.info.stages.size());
  std::unique_ptr<Grammar> grammar(new Grammar(backend, std::move(compiled.info), stages));
  const auto& [instructions, rules] = compiled.code;
  WY_RETURN_IF_ERROR(grammar->code_.Reserve(backend, instructions.size()));
  WY_RETURN_IF_ERROR(grammar->rules_.Reserve(backend, rules.size()));
  const device::HostCopy copies[] = {
      {grammar->code_.data(), instructions.data(), instructions.size() * sizeof(Instruction)},
      {grammar->rules_.data(), rules.data(), rules.size() * sizeof(RuleEntry)}};
  WY_RETURN_IF_ERROR(backend.CopyAllIn(copies));
  return grammar;
}

absl::StatusOr<DeriveStatistics> Grammar::Derive(GrammarRunner& runner,
                                                 const DeriveOptions& options,
                                                 const procedure::CancelToken& token) {
  WY_RETURN_IF_ERROR(CheckOptions(info_, options));
  return Derivation(*this, runner, options, token).Run();
}

}  // namespace warpyard::grammar
