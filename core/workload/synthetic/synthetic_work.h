// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The work of a synthetic element: arithmetic, memory or time. [Steinberger §5.1.5]
#ifndef WARPYARD_CORE_WORKLOAD_SYNTHETIC_SYNTHETIC_WORK_H_
#define WARPYARD_CORE_WORKLOAD_SYNTHETIC_SYNTHETIC_WORK_H_

#include <cmath>
#include <cstdint>

#include "core/base/macros.h"
#include "core/procedure/procedure_concept.h"
#include "core/workload/synthetic/synthetic_job.h"
#include "core/workload/synthetic/synthetic_node.h"

namespace warpyard::synthetic {

using procedure::Context;

/// Amount of work between two checks whether the event is cancelled: tens of microseconds.
inline constexpr std::uint32_t kFmaSlice = 16384;
inline constexpr std::uint32_t kMemorySlice = 2048;
inline constexpr std::uint32_t kSpinSlice = 100'000;

WY_HD inline std::uint32_t Next(std::uint32_t first, std::uint32_t amount, std::uint32_t slice) {
  return amount - first < slice ? amount : first + slice;
}

/// Calls do_slice(first, last) for slices of [0, amount) until the event is cancelled.
/// @scope the group
template <class Scope, class DoSlice>
WY_HD void InSlices(Context<Scope, SyntheticJob>& context, std::uint32_t amount,
                    std::uint32_t slice, DoSlice do_slice) {
  WY_ROLLED
  for (std::uint32_t first = 0; first < amount; first = Next(first, amount, slice)) {
    if (first > 0 && context.Cancelled()) return;
    do_slice(first, Next(first, amount, slice));
  }
}

/// Keeps the compiler from removing the computation of `value`. @shape rare: a value that almost
/// never occurs, which the compiler cannot know
template <class Scope, class T>
WY_HD void KeepAlive(const SyntheticJob& job, T value, T rare) {
  if (value == rare && job.results != nullptr) Scope::Word(job.results->sink).StoreRelaxed(1);
}

/// Numbers that a thread computes at the same time: independent operations keep the arithmetic
/// units busy, as in the paper's load. [Steinberger §6.5.2]
struct FmaChains {
  static constexpr int kCount = 4;
  float x[kCount];
};

/// `kSteps` fused multiply-adds, alternating between all chains.
template <std::uint32_t kSteps>
WY_HD inline void StepChains(FmaChains& chains, float factor, float summand) {
  for (std::uint32_t k = 0; k < kSteps; ++k) {
    float& x = chains.x[k % FmaChains::kCount];
    x = std::fma(x, factor, summand);
  }
}

/// `steps` fused multiply-adds in all, in rounds of 64, then of 16, 4 and 1. So the loops
/// themselves cost little, and the code stays short. The build forbids compilers to contract a*b+c,
/// so the code calls the fused operation by name.
WY_HD inline void RunChains(FmaChains& chains, float factor, float summand, std::uint32_t steps) {
  WY_ROLLED
  for (; steps >= 64; steps -= 64) StepChains<64>(chains, factor, summand);
  WY_ROLLED
  for (; steps >= 16; steps -= 16) StepChains<16>(chains, factor, summand);
  WY_ROLLED
  for (; steps >= 4; steps -= 4) StepChains<4>(chains, factor, summand);
  WY_ROLLED
  for (; steps > 0; --steps) StepChains<1>(chains, factor, summand);
}

template <class Scope>
WY_HD void RunFma(Context<Scope, SyntheticJob>& context, std::uint32_t hash, std::uint32_t amount) {
  // All numbers are positive and the factor is less than 1, so no number becomes denormal, infinite
  // or negative.
  constexpr float kUnit = 1.0f / 65536.0f;
  const float factor = 0.5f + 0.25f * kUnit * static_cast<float>(hash & 0xffffu);
  const float summand = 0.25f + 0.25f * kUnit * static_cast<float>(hash >> 16);
  const float start = 1.0f + static_cast<float>(context.scope.Rank());
  FmaChains chains{{start, start + 0.25f, start + 0.5f, start + 0.75f}};
  InSlices(context, amount, kFmaSlice, [&](std::uint32_t first, std::uint32_t last) {
    RunChains(chains, factor, summand, last - first);
  });
  KeepAlive<Scope>(context.job, chains.x[0] + chains.x[1] + chains.x[2] + chains.x[3], -1.0f);
}

/// Each round of loads starts at a random word; the threads of the group read consecutive words
/// from there.
template <class Scope>
WY_HD void RunMemory(Context<Scope, SyntheticJob>& context, std::uint32_t hash,
                     std::uint32_t amount) {
  const Work& work = context.job.work;
  const std::uint32_t* const memory = work.memory;
  const std::uint32_t words = work.memory_words, rank = context.scope.Rank() % words;
  std::uint32_t sum = 0;
  InSlices(context, amount, kMemorySlice, [&](std::uint32_t first, std::uint32_t last) {
    for (std::uint32_t i = first; i < last; ++i) {
      // A multiple of 32 words: since the memory starts at a cache line, so does each round.
      const std::uint32_t start = Scaled(Mix(hash + i), words) & ~31u;
      sum += memory[start < words - rank ? start + rank : start - (words - rank)];
    }
  });
  KeepAlive<Scope>(context.job, sum, 0x9e3779b9u);
}

template <class Scope>
WY_HD void RunSpin(Context<Scope, SyntheticJob>& context, std::uint32_t amount) {
  const std::uint64_t begin_ns = context.scope.Broadcast(Scope::NowNs());
  InSlices(context, amount, kSpinSlice, [&](std::uint32_t, std::uint32_t last) {
    while (Scope::NowNs() - begin_ns < last) {
    }
  });
}

/// @scope the group @shape hash: NodeHash of the element
template <class Scope>
WY_HD void RunWork(Context<Scope, SyntheticJob>& context, std::uint32_t hash) {
  const std::uint32_t amount = AmountOf(context.job.work, hash);
  switch (context.job.work.kind) {
    case WorkKind::kNone:
      return;
    case WorkKind::kFma:
      return RunFma(context, hash, amount);
    case WorkKind::kMemory:
      return RunMemory(context, hash, amount);
    case WorkKind::kSpin:
      return RunSpin(context, amount);
  }
}

}  // namespace warpyard::synthetic

#endif  // WARPYARD_CORE_WORKLOAD_SYNTHETIC_SYNTHETIC_WORK_H_
