// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/grammar/convert.h"

#include <set>
#include <string>

#include "absl/strings/str_cat.h"
#include "server/convert/job.h"

namespace warpyard::server {
namespace {

constexpr std::size_t kMostNameBytes = 255;

absl::Status CheckFile(const v1::GrammarFile& file, int number) {
  const auto invalid = [&](const std::string& what) {
    return absl::InvalidArgumentError(absl::StrCat("files[", number, "].name: ", what));
  };
  if (file.name().empty() || file.name().size() > kMostNameBytes) {
    return invalid(absl::StrCat(file.name().size(), " bytes, expected 1 to ", kMostNameBytes));
  }
  // Diagnostics are "file:line:column: ...".
  if (file.name().find_first_of(":\n\"") != std::string::npos) {
    return invalid("expected no colon, quote or end of line");
  }
  return absl::OkStatus();
}

void CopyNames(const std::vector<std::string>& names,
               google::protobuf::RepeatedPtrField<std::string>* out) {
  out->Assign(names.begin(), names.end());
}

}  // namespace

absl::StatusOr<std::vector<grammar::SourceFile>> ToFiles(const v1::CompileGrammarRequest& request) {
  const auto most = static_cast<int>(grammar::kMostFiles);
  if (request.files_size() < 1 || request.files_size() > most) {
    return absl::InvalidArgumentError(
        absl::StrCat("files: ", request.files_size(), " files, expected 1 to ", most));
  }
  std::vector<grammar::SourceFile> files;
  std::set<std::string> names;
  for (int i = 0; i < request.files_size(); ++i) {
    const v1::GrammarFile& file = request.files(i);
    if (absl::Status status = CheckFile(file, i); !status.ok()) return status;
    if (!names.insert(file.name()).second) {
      return absl::InvalidArgumentError(
          absl::StrCat("files[", i, "].name: '", file.name(), "' is there twice"));
    }
    files.push_back({file.name(), file.text()});
  }
  return files;
}

void ToProto(const grammar::CompiledGrammar& compiled, v1::CompileGrammarResponse* out) {
  for (const grammar::Diagnostic& diagnostic : compiled.diagnostics) {
    v1::GrammarDiagnostic& message = *out->add_diagnostics();
    message.set_code(diagnostic.code);
    message.set_file(diagnostic.file);
    message.set_line(diagnostic.line);
    message.set_column(diagnostic.column);
    message.set_message(diagnostic.message);
    message.set_source(diagnostic.source);
  }
  ToProto(compiled.phases, out->mutable_phases());
  if (!compiled.compiled) return;
  const grammar::GrammarInfo& info = compiled.info;
  CopyNames(info.rules, out->mutable_rules());
  CopyNames(info.materials, out->mutable_materials());
  CopyNames(info.reports, out->mutable_reports());
  CopyNames(info.stages, out->mutable_stages());
  for (const grammar::StyleInfo& style : info.styles) out->add_styles(style.name);
  for (const grammar::MeshInfo& mesh : info.meshes) {
    v1::GrammarMesh& message = *out->add_meshes();
    message.set_name(mesh.name);
    message.set_asset(mesh.asset);
    message.set_vertices(mesh.vertices);
    message.set_triangles(mesh.triangles);
  }
  for (const grammar::AttributeInfo& attribute : info.attributes) {
    v1::GrammarAttribute& message = *out->add_attributes();
    message.set_name(attribute.name);
    message.set_value(attribute.value);
    message.set_least(attribute.least);
    message.set_most(attribute.most);
  }
}

void ToProto(const grammar::DeriveStatistics& statistics, v1::DeriveStatistics* out) {
  out->set_nodes(statistics.nodes);
  out->set_terminals(statistics.terminals);
  out->set_coarse(statistics.coarse);
  out->set_triangles(statistics.triangles);
  out->set_buildings(statistics.buildings);
  out->set_culled(statistics.culled);
  out->set_checksum(statistics.checksum);
  out->set_memory_bytes(statistics.memory_bytes);
  for (const grammar::RuleStatistics& rule : statistics.rules) {
    v1::GrammarRuleStatistics& message = *out->add_rules();
    message.set_symbols(rule.symbols);
    message.set_terminals(rule.terminals);
    message.set_dropped(rule.dropped);
    message.set_clamped(rule.clamped);
  }
  out->mutable_reports()->Add(statistics.reports.begin(), statistics.reports.end());
  ToProto(statistics.phases, out->mutable_phases());
}

}  // namespace warpyard::server
