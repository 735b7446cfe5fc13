// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Compiles and derives grammars on CPU threads, for tests.
#ifndef WARPYARD_TESTS_SUPPORT_GRAMMAR_DERIVE_DRIVER_H_
#define WARPYARD_TESTS_SUPPORT_GRAMMAR_DERIVE_DRIVER_H_

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "core/device/cpu_backend.h"
#include "core/model/cpu/cpu_workers.h"
#include "core/workload/grammar/code/compiler.h"
#include "core/workload/grammar/derivation/grammar.h"
#include "core/workload/grammar/grammar_program.h"

namespace warpyard::test_support {

/// A compiled text, with what the compiler says of it.
struct CompiledText {
  grammar::CompiledCode code;
  std::vector<grammar::Diagnostic> diagnostics;
  bool has_errors = false;

  /// "3:7 E104" for each diagnostic, with a space between them.
  std::string Summary() const {
    std::string summary;
    for (const grammar::Diagnostic& d : diagnostics) {
      absl::StrAppend(&summary, summary.empty() ? "" : " ", d.line, ":", d.column, " ", d.code);
    }
    return summary;
  }
};

inline CompiledText CompileText(std::string text) {
  const std::vector<grammar::SourceFile> files = {{"test.wyg", std::move(text)}};
  grammar::Diagnostics diagnostics(files);
  CompiledText compiled;
  compiled.code = grammar::CompileFiles(files, diagnostics, procedure::CancelToken());
  compiled.diagnostics = diagnostics.Sorted();
  compiled.has_errors = diagnostics.HasErrors();
  return compiled;
}

/// What a derivation gave.
struct Derived {
  grammar::DeriveStatistics statistics;
  std::vector<grammar::Instance> instances;
};

/// Runs events on workers of this process.
class GrammarWorkers final : public grammar::GrammarRunner {
 public:
  explicit GrammarWorkers(int threads) : workers_(threads) {}
  absl::StatusOr<procedure::StageTimes> Run(const grammar::DeriveJob& job,
                                            const procedure::CancelToken& token) override {
    return workers_.Run(job, policy::EventAttributes{}, token);
  }

 private:
  model::CpuWorkers<grammar::GrammarProgram> workers_;
};

class DeriveDriver {
 public:
  explicit DeriveDriver(int threads = 1) : backend_(threads, 0), runner_(threads) {}

  /// @errors INVALID_ARGUMENT: the diagnostics
  absl::Status Open(std::string text) {
    CompiledText compiled = CompileText(std::move(text));
    if (compiled.has_errors) {
      std::string all;
      for (const grammar::Diagnostic& d : compiled.diagnostics) all += grammar::TextOf(d) + "\n";
      return absl::InvalidArgumentError(all);
    }
    return Open(std::move(compiled.code));
  }
  absl::Status Open(grammar::CompiledCode code) {
    WY_ASSIGN_OR_RETURN(grammar_, grammar::Grammar::Open(backend_, std::move(code)));
    return absl::OkStatus();
  }

  absl::StatusOr<Derived> Derive(grammar::DeriveOptions options) {
    Derived derived;
    options.take = [&](grammar::DerivedBatch batch, const procedure::CancelToken&) {
      derived.instances.insert(derived.instances.end(), batch.instances.begin(),
                               batch.instances.end());
      return absl::OkStatus();
    };
    WY_ASSIGN_OR_RETURN(derived.statistics, grammar_->Derive(runner_, options, token_));
    return derived;
  }

  device::Backend& backend() { return backend_; }
  grammar::Grammar& grammar() { return *grammar_; }
  grammar::GrammarRunner& runner() { return runner_; }
  procedure::CancelToken& token() { return token_; }

 private:
  device::CpuBackend backend_;
  GrammarWorkers runner_;
  procedure::CancelToken token_;
  std::unique_ptr<grammar::Grammar> grammar_;
};

/// @errors as DeriveDriver
inline absl::StatusOr<Derived> DeriveText(const std::string& text,
                                          const grammar::DeriveOptions& options, int threads = 1) {
  DeriveDriver driver(threads);
  WY_RETURN_IF_ERROR(driver.Open(text));
  return driver.Derive(options);
}

inline bool SameBytes(const std::vector<grammar::Instance>& a,
                      const std::vector<grammar::Instance>& b) {
  return a.size() == b.size() &&
         std::memcmp(a.data(), b.data(), a.size() * sizeof(grammar::Instance)) == 0;
}

/// Parcels of one size side by side.
inline grammar::DeriveOptions Lots(std::uint32_t count, float x, float y, float z) {
  grammar::DeriveOptions options;
  for (std::uint32_t i = 0; i < count; ++i) {
    grammar::Parcel parcel;
    parcel.position[0] = static_cast<float>(i) * (x + 5);
    parcel.size[0] = x;
    parcel.size[1] = y;
    parcel.size[2] = z;
    parcel.id = i;
    options.parcels.push_back(parcel);
  }
  return options;
}

}  // namespace warpyard::test_support

#endif  // WARPYARD_TESTS_SUPPORT_GRAMMAR_DERIVE_DRIVER_H_
