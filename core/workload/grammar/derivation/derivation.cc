// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/grammar/derivation/derivation.h"

#include <algorithm>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "core/base/macros.h"
#include "core/workload/grammar/derivation/check_options.h"
#include "core/workload/grammar/derivation/order.h"
#include "core/workload/grammar/derive/chance.h"

namespace warpyard::grammar {
namespace {

// Positions of the phases.
constexpr std::size_t kCopyIn = 0, kDerive = 1, kCopyOut = 2, kOrder = 3, kTake = 4;

/// A grammar keeps pools of so many bytes. A frame of a view takes twice as long where the pools
/// are allocated for it.
constexpr std::uint64_t kKeptBytes = std::uint64_t{256} << 20;

/// Few buildings tell how much memory one needs.
constexpr std::uint32_t kFirstCount = 64;

/// Pools that keep all workers busy, without more.
std::uint64_t UsualBytes(const GrammarRunner& runner, const DeriveOptions& options) {
  constexpr std::uint64_t kBytesOfWorker = std::uint64_t{32} << 20;
  const std::uint64_t most = std::min(options.max_bytes, options.batch_bytes);
  return std::max(kLeastBytes, std::min(most, runner.Workers() * kBytesOfWorker));
}

std::vector<float> DefaultsOf(const GrammarInfo& info) {
  std::vector<float> values;
  for (const AttributeInfo& attribute : info.attributes) values.push_back(attribute.value);
  return values;
}

/// The fuller of the pools, as a part of them.
double FillOf(const BatchOutput& output, const DeriveJob& job) {
  const auto sum = [](const PoolPart(&parts)[kPoolParts], std::uint32_t size) {
    double filled = 0;
    for (const PoolPart& part : parts) filled += std::min(part.filled, size);
    return filled / (static_cast<double>(size) * kPoolParts);
  };
  return std::max(sum(output.counters.units, job.sizes.units),
                  sum(output.counters.instances, job.sizes.instances));
}

}  // namespace

Derivation::Derivation(Grammar& grammar, Grammar::Program& program, GrammarRunner& runner,
                       const DeriveOptions& options, const procedure::CancelToken& token)
    : grammar_(grammar),
      program_(program),
      runner_(runner),
      options_(options),
      token_(token),
      defaults_(DefaultsOf(grammar.info_)),
      share_(std::max<std::uint64_t>(1, options.max_instances / options.parcels.size())),
      usual_bytes_(UsualBytes(runner, options)) {
  has_rows_ = std::any_of(options.attributes.begin(), options.attributes.end(),
                          [](const AttributeColumn& column) { return column.values.size() > 1; });
  statistics_.rules.resize(grammar.info_.rules.size());
  for (const char* const phase : {"copy_in", "derive", "copy_out", "order", "take"}) {
    statistics_.phases.push_back({phase, absl::ZeroDuration()});
  }
}

absl::StatusOr<DeriveStatistics> Derivation::Run() {
  const absl::Status derived = DeriveAll();
  statistics_.memory_bytes = grammar_.memory_.Bytes();
  // The grammar may stay open for long without another derivation.
  if (!options_.keeps_memory) grammar_.memory_.KeepPools(kKeptBytes);
  WY_RETURN_IF_ERROR(derived);
  return std::move(statistics_);
}

absl::Status Derivation::DeriveAll() {
  const auto all = static_cast<std::uint32_t>(options_.parcels.size());
  WY_RETURN_IF_ERROR(grammar_.memory_.ReservePools(grammar_.backend_, kLeastBytes));
  for (std::uint32_t first = 0; first < all;) {
    if (token_.Cancelled()) return absl::CancelledError("the job was cancelled");
    WY_ASSIGN_OR_RETURN(const std::uint32_t count, NextCount(all - first));
    const ParcelSpan span{first, count};
    WY_ASSIGN_OR_RETURN(const std::uint32_t done, DeriveSome(span));
    first += done;
  }
  statistics_.buildings = all - statistics_.culled;
  return absl::OkStatus();
}

absl::StatusOr<std::uint32_t> Derivation::NextCount(std::uint32_t rest) {
  if (program_.bytes_of_building == 0) return std::min(rest, kFirstCount);
  // Buildings differ: a batch is to fill the pools by three quarters.
  const double wanted = program_.bytes_of_building / 0.75;
  const double bytes = std::min(wanted * rest, static_cast<double>(usual_bytes_));
  const auto whole = static_cast<std::uint64_t>(bytes);
  WY_RETURN_IF_ERROR(grammar_.memory_.ReservePools(grammar_.backend_, whole));
  // One large building may have needed more.
  const auto pools = static_cast<double>(std::min(PoolBytes(), usual_bytes_));
  // One more: rounding must not leave a single building to a batch of its own.
  const double count = pools / wanted + 1;
  return static_cast<std::uint32_t>(std::min(count, static_cast<double>(rest)));
}

absl::StatusOr<std::uint32_t> Derivation::DeriveSome(ParcelSpan span) {
  while (true) {
    BatchOutput& output = output_;
    WY_ASSIGN_OR_RETURN(const Outcome outcome, RunOnce(span, options_.max_depth, output));
    if (outcome == Outcome::kDone) {
      const DeriveJob job = JobOf(span, options_.max_depth);
      const double fill = FillOf(output, job);
      WY_RETURN_IF_ERROR(Finish(span, output));
      const auto pools = static_cast<double>(PoolBytes());
      program_.bytes_of_building = std::max(1.0, fill * pools / span.count);
      return span.count;
    }
    const std::uint64_t bytes = PoolBytes();
    const std::uint64_t most = span.count > 1 ? usual_bytes_ : options_.max_bytes;
    const bool is_excess = (output.counters.is_full & ExcessWord::kIsExcess) != 0;
    if (span.count > 1 && (bytes >= usual_bytes_ || is_excess)) {
      span.count = std::max(1u, span.count / 4);
    } else if (bytes < most && !is_excess) {
      WY_RETURN_IF_ERROR(
          grammar_.memory_.ReservePools(grammar_.backend_, std::min(most, 4 * bytes)));
    } else if (options_.on_limit == OnLimit::kCoarse) {
      // Nobody knows what the rules would have decided that were not executed.
      WY_ASSIGN_OR_RETURN(output, DeriveCoarsely(span.first, 0));
      WY_RETURN_IF_ERROR(Finish(span, output));
      return 1;
    } else {
      return TooLarge(span, output);
    }
  }
}

absl::StatusOr<Derivation::Outcome> Derivation::RunOnce(ParcelSpan span, std::uint32_t max_depth,
                                                        BatchOutput& output) {
  device::Backend& backend = grammar_.backend_;
  const absl::Time begin = absl::Now();
  DeriveJob job = JobOf(span, max_depth);
  const View* const view = options_.view ? &*options_.view : nullptr;
  WY_RETURN_IF_ERROR(grammar_.memory_.SetView(backend, view, job));
  WY_RETURN_IF_ERROR(grammar_.memory_.CopyIn(backend, InputOf(span), job));
  if (options_.wants_slack) WY_RETURN_IF_ERROR(grammar_.memory_.CopyNoSlack(backend, job));
  const absl::Time copied = absl::Now();
  WY_ASSIGN_OR_RETURN(const procedure::StageTimes times, runner_.Run(job, token_));
  const absl::Time ran = absl::Now();
  WY_RETURN_IF_ERROR(grammar_.memory_.CopyCounters(backend, job, output));
  AddPhase(kCopyIn, copied - begin);
  AddPhase(kDerive, absl::Nanoseconds(times.Between(0, grammar_.stages_)));
  ++statistics_.batches;
  // What is coarser may take less.
  if (options_.on_limit == OnLimit::kFail) WY_RETURN_IF_ERROR(CheckExcess(output, span));
  if (output.counters.is_full != 0) return Outcome::kTooLarge;
  WY_RETURN_IF_ERROR(grammar_.memory_.CopyInstances(backend, job, output));
  AddPhase(kCopyOut, absl::Now() - ran);
  WY_RETURN_IF_ERROR(CheckDepth(output, span));
  return Outcome::kDone;
}

absl::StatusOr<BatchOutput> Derivation::DeriveCoarsely(std::uint32_t building, float slack) {
  for (std::uint32_t depth = options_.max_depth;; depth = depth / 2) {
    BatchOutput output;
    WY_ASSIGN_OR_RETURN(const Outcome outcome, RunOnce({building, 1}, depth, output));
    if (options_.wants_slack) {
      // The building stays as it is while all of its derivations do.
      slack = outcome == Outcome::kDone ? std::min(slack, output.slack[0]) : 0;
      output.slack[0] = slack;
    }
    if (outcome == Outcome::kDone && output.instances.size() <= share_) return output;
    if (depth == 0) return TooLarge({building, 1}, output);
  }
}

absl::Status Derivation::CoarsenLarge(ParcelSpan span, BatchOutput& output) {
  std::vector<std::uint64_t> counts(span.count);
  for (const Instance& instance : output.instances) ++counts[instance.building - span.first];
  // One pass for all of them: a batch may have many.
  std::erase_if(output.instances, [&](const Instance& instance) {
    return counts[instance.building - span.first] > share_;
  });
  for (std::uint32_t b = 0; b < span.count; ++b) {
    if (counts[b] <= share_) continue;
    const float slack = options_.wants_slack ? output.slack[b] : 0;
    WY_ASSIGN_OR_RETURN(const BatchOutput coarse, DeriveCoarsely(span.first + b, slack));
    output.instances.insert(output.instances.end(), coarse.instances.begin(),
                            coarse.instances.end());
    if (options_.wants_slack) output.slack[b] = coarse.slack[0];
    const std::size_t reports = grammar_.info_.reports.size();
    std::copy(coarse.reports.begin(), coarse.reports.end(),
              output.reports.begin() + static_cast<std::ptrdiff_t>(b * reports));
  }
  return absl::OkStatus();
}

absl::Status Derivation::Finish(ParcelSpan span, BatchOutput& output) {
  if (options_.on_limit == OnLimit::kCoarse && span.count > 1) {
    WY_RETURN_IF_ERROR(CoarsenLarge(span, output));
  } else if (options_.on_limit == OnLimit::kCoarse && output.instances.size() > share_) {
    const float slack = options_.wants_slack ? output.slack[0] : 0;
    WY_ASSIGN_OR_RETURN(output, DeriveCoarsely(span.first, slack));
  }
  CountRules(output);
  CountInstances(output.instances);
  for (const ReportSum& sum : output.reports) {
    statistics_.reports.push_back(sum.Value() / 65536);
  }
  if (options_.on_limit == OnLimit::kFail && statistics_.terminals > options_.max_instances) {
    return absl::ResourceExhaustedError(absl::StrCat(
        "the derivation has more than max_instances ", options_.max_instances, " instances, after ",
        span.first + span.count, " of ", options_.parcels.size(), " parcels"));
  }
  if (!options_.take) return absl::OkStatus();
  const absl::Time begin = absl::Now();
  DerivedBatch batch{span.first, span.count,
                     Ordered(output.instances, span.first, span.count, token_), output.slack};
  if (token_.Cancelled()) return absl::CancelledError("the job was cancelled");
  if (!options_.numbers.empty()) {
    for (Instance& instance : batch.instances) instance.building = NumberOf(instance.building);
  }
  const absl::Time ordered = absl::Now();
  const absl::Status taken = options_.take(std::move(batch), token_);
  AddPhase(kOrder, ordered - begin);
  AddPhase(kTake, absl::Now() - ordered);
  return taken;
}

std::uint64_t Derivation::PoolBytes() const {
  return std::min(grammar_.memory_.PoolBytes(), options_.max_bytes);
}

std::uint32_t Derivation::NumberOf(std::uint32_t parcel) const {
  return options_.numbers.empty() ? parcel : options_.numbers[parcel];
}

std::uint64_t Derivation::KeyOfParcel(std::uint32_t parcel) const {
  return Mix(Mix(options_.seed) + options_.parcels[parcel].id);
}

BatchInput Derivation::InputOf(ParcelSpan span) const {
  BatchInput input;
  input.parcels.resize(span.count);
  for (std::uint32_t b = 0; b < span.count; ++b) {
    const Parcel& parcel = options_.parcels[span.first + b];
    const float(&p)[3] = parcel.position;
    const float(&q)[4] = parcel.rotation;
    const float(&s)[3] = parcel.size;
    input.parcels[b] = {{{p[0], p[1], p[2]}, {q[0], q[1], q[2], q[3]}, {s[0], s[1], s[2]}},
                        KeyOfParcel(span.first + b)};
    if (b != 0 && !has_rows_) continue;
    input.attributes.insert(input.attributes.end(), defaults_.begin(), defaults_.end());
    float* const row = input.attributes.data() + input.attributes.size() - defaults_.size();
    for (const AttributeColumn& column : options_.attributes) {
      // Later columns replace earlier ones.
      row[column.attribute] =
          column.values.size() > 1 ? column.values[span.first + b] : column.values[0];
    }
  }
  return input;
}

DeriveJob Derivation::JobOf(ParcelSpan span, std::uint32_t max_depth) const {
  DeriveJob job{};
  job.code = program_.code.data();
  job.rules = program_.rules.data();
  job.span = span;
  job.rule_count = static_cast<std::uint32_t>(grammar_.info_.rules.size());
  job.attributes.stride = has_rows_ ? static_cast<std::uint32_t>(defaults_.size()) : 0;
  job.reports.count = static_cast<std::uint32_t>(grammar_.info_.reports.size());
  job.stages = grammar_.stages_;
  job.depth.most = max_depth;
  job.depth.coarse = options_.on_limit == OnLimit::kCoarse ? 1 : 0;
  const std::uint64_t half = PoolBytes() / 2 / kPoolParts;
  job.sizes.units = static_cast<std::uint32_t>(half / sizeof(Unit));
  job.sizes.instances = static_cast<std::uint32_t>(half / sizeof(Instance));
  return job;
}

absl::Status Derivation::CheckDepth(const BatchOutput& output, ParcelSpan span) const {
  const std::uint64_t deepest = output.counters.deepest;
  if (deepest == ~std::uint64_t{0}) return absl::OkStatus();
  return absl::ResourceExhaustedError(
      absl::StrCat("rule '", grammar_.info_.rules[deepest & 0xffffffff],
                   "' goes deeper than max_depth ", options_.max_depth, ", in parcel ",
                   NumberOf(span.first + static_cast<std::uint32_t>(deepest >> 32)),
                   "; a rule that calls itself needs a 'when' that ends it"));
}

absl::Status Derivation::CheckExcess(const BatchOutput& output, ParcelSpan span) const {
  const std::uint32_t excess = output.counters.is_full;
  if ((excess & ExcessWord::kIsExcess) == 0) return absl::OkStatus();
  const std::string what =
      ExcessWord::ExcessOf(excess) == Excess::kSteps
          ? absl::StrCat("takes more than ", kMostSteps,
                         " steps for one symbol (instructions, and volumes that it asks about)")
          : absl::StrCat("makes more than ", kMostSnapLines, " snap lines of one building");
  const std::string parcels = span.count == 1
                                  ? absl::StrCat("parcel ", NumberOf(span.first))
                                  : absl::StrCat("one of the parcels ", NumberOf(span.first),
                                                 " to ", NumberOf(span.first + span.count - 1));
  return absl::ResourceExhaustedError(absl::StrCat(
      "rule '", grammar_.info_.rules[ExcessWord::RuleOf(excess)], "' ", what, ", in ", parcels));
}

absl::Status Derivation::TooLarge(ParcelSpan span, const BatchOutput& output) const {
  std::vector<std::uint64_t> symbols(statistics_.rules.size());
  for (std::size_t i = 0; i < output.rules.size(); ++i) {
    symbols[i % symbols.size()] += output.rules[i].symbols;
  }
  const auto most = std::max_element(symbols.begin(), symbols.end());
  return absl::ResourceExhaustedError(absl::StrCat(
      "parcel ", NumberOf(span.first), " needs more than max_bytes ", options_.max_bytes,
      "; rule '", grammar_.info_.rules[static_cast<std::size_t>(most - symbols.begin())],
      "' was executed ", *most, " times"));
}

void Derivation::CountRules(const BatchOutput& output) {
  statistics_.culled += output.counters.culled;
  for (std::size_t i = 0; i < output.rules.size(); ++i) {
    RuleStatistics& rule = statistics_.rules[i % statistics_.rules.size()];
    rule.symbols += output.rules[i].symbols;
    rule.dropped += output.rules[i].dropped;
    rule.clamped += output.rules[i].clamped;
    statistics_.nodes += output.rules[i].symbols;
  }
}

void Derivation::CountInstances(std::span<const Instance> instances) {
  statistics_.terminals += instances.size();
  const InstanceSums sums = SumsOf(instances, grammar_.info_);
  statistics_.checksum += sums.checksum;
  statistics_.coarse += sums.coarse;
  statistics_.triangles += sums.triangles;
  for (std::size_t r = 0; r < sums.of_rules.size(); ++r) {
    statistics_.rules[r].terminals += sums.of_rules[r];
  }
}

void Derivation::AddPhase(std::size_t phase, absl::Duration duration) {
  statistics_.phases[phase].duration += duration;
}

}  // namespace warpyard::grammar
