// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// One derivation of a grammar: chooses batches, runs them, and sums up what they did.
#ifndef WARPYARD_CORE_WORKLOAD_GRAMMAR_DERIVATION_DERIVATION_H_
#define WARPYARD_CORE_WORKLOAD_GRAMMAR_DERIVATION_DERIVATION_H_

#include <cstdint>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "core/workload/grammar/derivation/grammar.h"

namespace warpyard::grammar {

class Derivation {
 public:
  /// @shape program: of the grammar
  Derivation(Grammar& grammar, Grammar::Program& program, GrammarRunner& runner,
             const DeriveOptions& options, const procedure::CancelToken& token);

  absl::StatusOr<DeriveStatistics> Run();

 private:
  enum class Outcome { kDone, kTooLarge };

  /// Derives all parcels, batch by batch.
  absl::Status DeriveAll();
  /// How many of the buildings that are left the next batch should have. Makes room for them.
  absl::StatusOr<std::uint32_t> NextCount(std::uint32_t rest);
  /// Derives buildings, fewer or with more memory if that is what it takes. Returns how many.
  absl::StatusOr<std::uint32_t> DeriveSome(ParcelSpan span);
  /// @errors as Grammar::Derive
  absl::StatusOr<Outcome> RunOnce(ParcelSpan span, std::uint32_t max_depth, BatchOutput& output);
  /// Derives a building with less and less depth until it fits its share.
  /// @shape slack: of the derivation that was too large, if slack is wanted
  absl::StatusOr<BatchOutput> DeriveCoarsely(std::uint32_t building, float slack);
  /// Replaces buildings with more instances than their share by coarser ones.
  absl::Status CoarsenLarge(ParcelSpan span, BatchOutput& output);
  absl::Status Finish(ParcelSpan span, BatchOutput& output);

  /// Of the pools, as much as the request allows: an earlier derivation may have left larger ones,
  /// and results must not depend on them.
  std::uint64_t PoolBytes() const;
  BatchInput InputOf(ParcelSpan span) const;
  /// What the request calls a parcel.
  std::uint32_t NumberOf(std::uint32_t parcel) const;
  std::uint64_t KeyOfParcel(std::uint32_t parcel) const;
  DeriveJob JobOf(ParcelSpan span, std::uint32_t max_depth) const;
  absl::Status CheckDepth(const BatchOutput& output, ParcelSpan span) const;
  absl::Status CheckExcess(const BatchOutput& output, ParcelSpan span) const;
  absl::Status TooLarge(ParcelSpan span, const BatchOutput& output) const;
  void CountRules(const BatchOutput& output);
  void CountInstances(std::span<const Instance> instances);
  void AddPhase(std::size_t phase, absl::Duration duration);

  Grammar& grammar_;
  Grammar::Program& program_;
  GrammarRunner& runner_;
  const DeriveOptions& options_;
  const procedure::CancelToken& token_;
  const std::vector<float> defaults_;  ///< of attributes
  const std::uint64_t share_;          ///< instances of a building, where limits make it coarse
  const std::uint64_t usual_bytes_;    ///< of pools
  bool has_rows_ = false;              ///< buildings have attributes of their own
  BatchOutput output_;                 ///< of the current batch; keeps its memory for the next one
  DeriveStatistics statistics_;
};

}  // namespace warpyard::grammar

#endif  // WARPYARD_CORE_WORKLOAD_GRAMMAR_DERIVATION_DERIVATION_H_
