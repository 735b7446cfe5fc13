// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/grammar/language/diagnostics.h"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "core/workload/grammar/limits.h"

namespace warpyard::grammar {
namespace {

constexpr std::size_t kMostColumns = 160;

/// The line of a place, cut, with only printable characters.
std::string LineOf(const std::string& text, std::uint32_t line) {
  std::size_t begin = 0;
  for (std::uint32_t l = 1; l < line && begin < text.size(); ++l) {
    const std::size_t end = text.find('\n', begin);
    begin = end == std::string::npos ? text.size() : end + 1;
  }
  std::string found = text.substr(begin, text.find('\n', begin) - begin);
  if (!found.empty() && found.back() == '\r') found.pop_back();
  found = found.substr(0, kMostColumns);
  for (char& c : found) {
    if (!absl::ascii_isprint(static_cast<unsigned char>(c))) c = c == '\t' ? ' ' : '?';
  }
  return found;
}

/// Letters to insert, delete, replace or swap with a neighbour (optimal string alignment).
std::size_t EditsBetween(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  std::iota(last.begin(), last.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({replaced, last[j] + 1, row[j - 1] + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before[j - 2] + 1);
      }
    }
    std::swap(before, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

}  // namespace

std::string TextOf(const Diagnostic& diagnostic) {
  const std::size_t column = std::min<std::size_t>(diagnostic.column, kMostColumns + 1);
  return absl::StrCat(diagnostic.file, ":", diagnostic.line, ":", diagnostic.column, ": ",
                      diagnostic.code, " ", diagnostic.message, "\n  ", diagnostic.source, "\n  ",
                      std::string(column - 1, ' '), "^");
}

void Diagnostics::Add(std::string_view code, Place place, std::string message) {
  const bool has_room = HasRoom(code);
  ++(code[0] == 'E' ? errors_ : warnings_);
  if (!has_room) return;
  Diagnostic diagnostic{std::string(code), "", place.line, place.column, std::move(message), ""};
  if (place.file < files_.size()) {
    diagnostic.file = files_[place.file].name;
    diagnostic.source = LineOf(files_[place.file].text, place.line);
  }
  entries_.push_back({place, std::move(diagnostic)});
}

bool Diagnostics::HasRoom(std::string_view code) const {
  return (code[0] == 'E' ? errors_ : warnings_) < kMostErrors;
}

void Diagnostics::AddUnknown(std::string_view code, Place place, std::string message,
                             std::string_view name, Candidates candidates) {
  if (HasRoom(code)) message += Suggestion(name, candidates());
  Add(code, place, std::move(message));
}

std::vector<Diagnostic> Diagnostics::Sorted() const {
  std::vector<Entry> entries = entries_;
  std::stable_sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return std::tuple(a.place.file, a.place.line, a.place.column) <
           std::tuple(b.place.file, b.place.line, b.place.column);
  });
  std::vector<Diagnostic> sorted;
  for (Entry& entry : entries) sorted.push_back(std::move(entry.diagnostic));
  return sorted;
}

std::string_view DidYouMean(std::string_view name, absl::Span<const std::string_view> candidates) {
  constexpr std::size_t kLongest = 64;
  if (name.size() > kLongest) return {};
  std::string_view best;
  std::size_t least = name.size() <= 3 ? 1 : name.size() <= 6 ? 2 : 3;
  for (const std::string_view candidate : candidates) {
    if (candidate.empty() || candidate.size() > kLongest) continue;
    const std::size_t edits = EditsBetween(name, candidate);
    // A name of which nothing is left is another one.
    if (edits > least || edits >= std::max(name.size(), candidate.size())) continue;
    if (edits == least && !best.empty()) continue;
    best = candidate;
    least = edits;
  }
  return best;
}

std::string Suggestion(std::string_view name, absl::Span<const std::string_view> candidates) {
  const std::string_view meant = DidYouMean(name, candidates);
  return meant.empty() ? "" : absl::StrCat(", did you mean '", std::string(meant), "'?");
}

}  // namespace warpyard::grammar
