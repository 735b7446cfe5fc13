// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "benchmarks/grammar/tables.h"

#include <map>
#include <memory>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "benchmarks/grammar/scene.h"
#include "core/base/macros.h"

namespace warpyard::grammar_bench {
namespace {

/// @shape pixels: of a view from the middle of all parcels; 0: all details
struct Row {
  const char* name;
  const char* scene;
  float pixels;
};

// Views that need about as many nodes (Skyscrapers) or terminals (CityOverview) as in the paper.
constexpr Row kRows[] = {
    {"Tree4,3", "tree.wyg:1:0.4x3x0.4", 0},
    {"Tree8,4", "tree.wyg:1:0.4x3x0.4:levels=8", 0},
    {"Residential", "residential.wyg:1:20x6x26", 0},
    {"Cross-Towers", "cross_towers.wyg:1:113x214x80", 0},
    {"Skyscrapers", "skyscraper.wyg:11000:39x230x39", 120},
    {"CityOverview", "city_overview.wyg:37000:38x56x31", 215},
    {"Suburban", "suburban.wyg:4244:22x8x34", 0},
    {"Skyscrapers, full", "skyscraper.wyg:11000:39x230x39", 0},
    {"CityOverview, full", "city_overview.wyg:37000:38x56x31", 0},
};

/// @shape lanes: as WithLanes takes it; kAsWritten: the text is left as it is
constexpr int kAsWritten = -1;
struct Variant {
  const char* name;
  int lanes;
};
constexpr Variant kVariants[] = {
    {"as written", kAsWritten}, {"by number", 0}, {"1", 1}, {"4", 4}, {"8", 8}, {"32", 32}};

/// Above the middle of the parcels.
grammar::View ViewFrom(const std::vector<grammar::Parcel>& parcels, float pixels) {
  const float(&last)[3] = parcels.back().position;
  const float(&size)[3] = parcels.back().size;
  return {.position = {last[0] / 2, 2 * size[1], last[2] / 2}, .planes = {}, .pixels = pixels};
}

class Rows {
 public:
  Rows(const TableOptions& options, std::ostream& out) : options_(options), out_(out) {}

  absl::Status Write(const Row& row, int threads, Session& session) {
    WY_ASSIGN_OR_RETURN(const Scene scene, ReadScene(row.scene));
    WY_ASSIGN_OR_RETURN(const std::string text,
                        ReadText(absl::StrCat(options_.folder, "/", scene.file)));
    // Whole cities take long; parts of them have shown what threads change.
    const bool is_whole = scene.parcels > 5000 && row.pixels <= 0;
    for (const Variant& variant : kVariants) {
      if (is_whole && variant.lanes != kAsWritten) continue;
      WY_ASSIGN_OR_RETURN(
          const grammar::CompiledGrammar compiled,
          session.Compile(scene.file,
                          variant.lanes == kAsWritten ? text : WithLanes(text, variant.lanes)));
      grammar::DeriveOptions options = OptionsOf(scene, compiled.info);
      if (options_.max_bytes > 0) options.max_bytes = options_.max_bytes;
      if (row.pixels > 0) options.view = ViewFrom(options.parcels, row.pixels);
      WY_ASSIGN_OR_RETURN(Measured measured,
                          session.Measure(compiled.id, options, options_.repeats));
      WY_RETURN_IF_ERROR(session.Close(compiled.id));
      const std::uint64_t checksum = measured.last.checksum;
      if (checksums_.emplace(row.name, checksum).first->second != checksum) {
        return absl::InternalError(absl::StrCat(row.name, ": threads change the instances"));
      }
      out_ << absl::StrFormat(
                  "%s{\"row\": \"%s\", \"threads\": %d, \"rule_threads\": \"%s\", \"scene\": "
                  "\"%s\", \"pixels\": %g,\n   ",
                  separator_, row.name, threads, variant.name, row.scene, row.pixels)
           << MembersOf(measured) << "}" << std::flush;
      separator_ = ",\n  ";
    }
    return absl::OkStatus();
  }

 private:
  const TableOptions& options_;
  std::ostream& out_;
  const char* separator_ = "\n  ";
  std::map<std::string, std::uint64_t> checksums_;  ///< by row
};

}  // namespace

absl::Status WriteRows(const TableOptions& options, std::ostream& out) {
  Rows rows(options, out);
  out << "[";
  for (const int threads : options.threads) {
    WY_ASSIGN_OR_RETURN(const std::unique_ptr<Session> session,
                        Session::Create(options.backend, threads));
    for (const Row& row : kRows) WY_RETURN_IF_ERROR(rows.Write(row, threads, *session));
  }
  out << "]";
  return absl::OkStatus();
}

}  // namespace warpyard::grammar_bench
