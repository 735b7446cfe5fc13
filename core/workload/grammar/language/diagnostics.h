// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Errors and warnings of a grammar, each with its place in the source.
#ifndef WARPYARD_CORE_WORKLOAD_GRAMMAR_LANGUAGE_DIAGNOSTICS_H_
#define WARPYARD_CORE_WORKLOAD_GRAMMAR_LANGUAGE_DIAGNOSTICS_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/types/span.h"
#include "core/workload/grammar/language/tree.h"

namespace warpyard::grammar {

/// A file of a grammar. @shape name: without a colon
struct SourceFile {
  std::string name;
  std::string text;
};

struct Diagnostic {
  std::string
      code;  ///< "E0xx" syntax, "E1xx" names and types, "E2xx" stages, "E3xx" limits, "W..."
  std::string file;
  std::uint32_t line = 1;
  std::uint32_t column = 1;
  std::string message;
  std::string source;  ///< the line of the text, without its end; long lines are cut

  bool IsError() const { return code[0] == 'E'; }
};

/// "city.wyg:3:7: E104 unknown operator 'spilt', did you mean 'split'?", then the line of the
/// source and a mark below the column.
std::string TextOf(const Diagnostic& diagnostic);

/// Names that something misspelt may mean.
using Candidates = absl::FunctionRef<std::vector<std::string_view>()>;

/// Collects diagnostics: kMostErrors errors and as many warnings; more are counted alone.
class Diagnostics {
 public:
  explicit Diagnostics(absl::Span<const SourceFile> files) : files_(files) {}

  void Add(std::string_view code, Place place, std::string message);

  /// Adds that a name is unknown, with Suggestion at the end of the message. Candidates are made
  /// and compared only if the diagnostic is kept: a long text can have thousands of unknown names,
  /// and as many candidates for each.
  void AddUnknown(std::string_view code, Place place, std::string message, std::string_view name,
                  Candidates candidates);

  bool HasErrors() const { return errors_ > 0; }
  std::size_t Errors() const { return errors_; }
  /// By place.
  std::vector<Diagnostic> Sorted() const;

 private:
  /// Whether one more of the code's kind is kept.
  bool HasRoom(std::string_view code) const;

  struct Entry {
    Place place;
    Diagnostic diagnostic;
  };
  absl::Span<const SourceFile> files_;  ///< at the positions that places name
  std::vector<Entry> entries_;
  std::size_t errors_ = 0;
  std::size_t warnings_ = 0;
};

/// The candidate that a misspelt name most likely means, or empty: few letters differ.
std::string_view DidYouMean(std::string_view name, absl::Span<const std::string_view> candidates);

/// ", did you mean 'split'?" or nothing.
std::string Suggestion(std::string_view name, absl::Span<const std::string_view> candidates);

}  // namespace warpyard::grammar

#endif  // WARPYARD_CORE_WORKLOAD_GRAMMAR_LANGUAGE_DIAGNOSTICS_H_
