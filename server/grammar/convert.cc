// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/grammar/convert.h"

#include <cstddef>
#include <set>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "core/base/macros.h"
#include "core/base/status_facts.h"
#include "server/convert/job.h"

namespace warpyard::server {
namespace {

using Texts = google::protobuf::RepeatedPtrField<std::string>;

constexpr std::size_t kMostNameBytes = 255;

/// What is wrong with the name of a file; empty if nothing is.
std::string FaultOf(const std::string& name) {
  if (name.empty()) return "missing";
  if (name.size() > kMostNameBytes) {
    return absl::StrCat(name.size(), " bytes, expected at most ", kMostNameBytes);
  }
  // A diagnostic is "file:line:column: ...".
  if (name.find(':') != std::string::npos) {
    return absl::StrCat("\"", name, "\", expected no colon");
  }
  return "";
}

void AddNames(const std::vector<std::string>& names, Texts* out) {
  out->Assign(names.begin(), names.end());
}

/// The text with '?' for what is no whole character: a text that is cut may end within one, and
/// clients refuse messages with strings that are not UTF-8. @shape text: cut from UTF-8
std::string WholeCharacters(std::string text) {
  for (std::size_t begin = 0; begin < text.size();) {
    const auto first = static_cast<unsigned char>(text[begin]);
    const std::size_t expected = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    std::size_t end = begin + 1;
    while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) ++end;
    const bool is_whole = end - begin == expected && (first & 0xc0) != 0x80;
    if (!is_whole) text.replace(begin, end - begin, 1, '?');
    begin = is_whole ? end : begin + 1;
  }
  return text;
}

void SetDiagnostic(const grammar::Diagnostic& diagnostic, v1::GrammarDiagnostic* out) {
  out->set_code(diagnostic.code);
  out->set_file(diagnostic.file);
  out->set_line(diagnostic.line);
  out->set_column(diagnostic.column);
  out->set_message(WholeCharacters(diagnostic.message));
  out->set_source(diagnostic.source);
}

void SetInfo(const grammar::GrammarInfo& info, v1::CompileGrammarResponse* out) {
  AddNames(info.rules, out->mutable_rules());
  for (const grammar::MeshInfo& mesh : info.meshes) {
    v1::GrammarMesh& to = *out->add_meshes();
    to.set_name(mesh.name);
    to.set_asset(mesh.asset);
    to.set_vertices(mesh.vertices);
    to.set_triangles(mesh.triangles);
  }
  AddNames(info.materials, out->mutable_materials());
  AddNames(info.reports, out->mutable_reports());
  for (const grammar::AttributeInfo& attribute : info.attributes) {
    v1::GrammarAttribute& to = *out->add_attributes();
    to.set_name(attribute.name);
    to.set_value(attribute.value);
    to.set_least(attribute.least);
    to.set_most(attribute.most);
  }
  for (const grammar::StyleInfo& style : info.styles) out->add_styles(style.name);
  AddNames(info.stages, out->mutable_stages());
}

}  // namespace

absl::StatusOr<std::vector<grammar::SourceFile>> ToFiles(v1::CompileGrammarRequest& request) {
  const auto count = static_cast<std::size_t>(request.files_size());
  if (count == 0 || count > grammar::kMostFiles) {
    return InvalidField("files",
                        absl::StrCat(count, " files, expected 1 to ", grammar::kMostFiles));
  }
  std::vector<grammar::SourceFile> files;
  std::set<std::string> names;
  std::size_t bytes = 0;
  for (v1::GrammarFile& file : *request.mutable_files()) {
    std::string fault = FaultOf(file.name());
    // An import could mean either.
    if (fault.empty() && !names.insert(file.name()).second) {
      fault = absl::StrCat("\"", file.name(), "\" is the name of another file, too");
    }
    if (!fault.empty()) {
      return InvalidField(absl::StrCat("files[", files.size(), "].name"), fault);
    }
    bytes += file.text().size();
    files.push_back({std::move(*file.mutable_name()), std::move(*file.mutable_text())});
  }
  if (bytes > grammar::kMostSourceBytes) {
    return InvalidField("files",
                        absl::StrCat("their texts have ", bytes, " bytes, expected at most ",
                                     grammar::kMostSourceBytes));
  }
  return files;
}

void ToProto(const grammar::CompiledGrammar& compiled, v1::CompileGrammarResponse* out) {
  for (const grammar::Diagnostic& diagnostic : compiled.diagnostics) {
    SetDiagnostic(diagnostic, out->add_diagnostics());
  }
  if (compiled.compiled) SetInfo(compiled.info, out);
  ToProto(compiled.phases, out->mutable_phases());
}

void ToProto(const grammar::DeriveStatistics& statistics, v1::DeriveStatistics* out) {
  out->set_nodes(statistics.nodes);
  out->set_terminals(statistics.terminals);
  out->set_coarse(statistics.coarse);
  out->set_triangles(statistics.triangles);
  out->set_buildings(statistics.buildings);
  out->set_culled(statistics.culled);
  out->set_occluded(statistics.occluded);
  out->set_kept(statistics.kept);
  out->set_checksum(statistics.checksum);
  for (const grammar::RuleStatistics& rule : statistics.rules) {
    v1::GrammarRuleStatistics& to = *out->add_rules();
    to.set_symbols(rule.symbols);
    to.set_terminals(rule.terminals);
    to.set_dropped(rule.dropped);
    to.set_clamped(rule.clamped);
  }
  out->mutable_reports()->Assign(statistics.reports.begin(), statistics.reports.end());
  out->set_memory_bytes(statistics.memory_bytes);
  ToProto(statistics.phases, out->mutable_phases());
}

}  // namespace warpyard::server
