// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/cpp/grammar/outputs.h"

#include <cstddef>
#include <filesystem>
#include <ostream>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "client_examples/city_io/output/city_obj.h"
#include "client_examples/city_io/output/expanded_glb.h"
#include "client_examples/city_io/output/instance_file.h"
#include "client_examples/city_io/output/instanced_glb.h"
#include "client_examples/cpp/grammar/flags.h"
#include "client_examples/cpp/messages.h"
#include "client_examples/mesh_io/files.h"
#include "nlohmann/json.hpp"

namespace warpyard::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string EndingOf(const std::string& path) {
  return std::filesystem::path(path).extension().string();
}

Json PhasesJson(const google::protobuf::RepeatedPtrField<v1::PhaseDuration>& phases) {
  Json json = Json::object();
  for (const v1::PhaseDuration& phase : phases) json[phase.phase()] = Milliseconds(phase);
  return json;
}

Json RulesJson(const v1::CompileGrammarResponse& grammar, const v1::DeriveStatistics& statistics) {
  Json rules = Json::array();
  for (int i = 0; i < statistics.rules_size() && i < grammar.rules_size(); ++i) {
    const v1::GrammarRuleStatistics& rule = statistics.rules(i);
    rules.push_back({{"name", grammar.rules(i)},
                     {"symbols", rule.symbols()},
                     {"terminals", rule.terminals()},
                     {"dropped", rule.dropped()},
                     {"clamped", rule.clamped()}});
  }
  return rules;
}

/// Sums over all parcels.
Json ReportsJson(const v1::CompileGrammarResponse& grammar,
                 const v1::DeriveStatistics& statistics) {
  Json sums = Json::object();
  for (int i = 0; i < grammar.reports_size(); ++i) {
    double sum = 0;
    for (int at = i; at < statistics.reports_size(); at += grammar.reports_size()) {
      sum += statistics.reports(at);
    }
    sums[grammar.reports(i)] = sum;
  }
  return sums;
}

}  // namespace

absl::Status CheckEnding(const std::string& path, bool expand) {
  const std::string ending = EndingOf(path);
  if (ending != ".glb" && ending != ".obj" && ending != ".wyi") {
    return absl::InvalidArgumentError(
        absl::StrCat("--out: ", path, ", expected a file that ends with .glb, .obj or .wyi"));
  }
  if (!expand || ending != ".wyi") return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("--expand: ", path, " has instances, expected a .glb or .obj file"));
}

absl::Status WriteCity(const OutputArguments& output, const city_io::City& city) {
  const std::string ending = EndingOf(output.city);
  return mesh_io::WriteFile(output.city, [&](std::ostream& out) {
    if (ending == ".obj") return city_io::WriteCityObj(city, out);
    if (ending == ".glb" && output.expand) {
      return city_io::WriteExpandedGlb(city, output.expand_max_bytes, out);
    }
    if (ending == ".glb") return city_io::WriteInstancedGlb(city, out);
    out << city_io::InstanceFileHead(city.names);
    out.write(reinterpret_cast<const char*>(city.instances.data()),
              static_cast<std::streamsize>(city.instances.size() * sizeof(city_io::Instance)));
    return absl::OkStatus();
  });
}

city_io::CityNames NamesOf(const v1::CompileGrammarResponse& grammar) {
  city_io::CityNames names;
  for (const v1::GrammarMesh& mesh : grammar.meshes()) {
    names.meshes.push_back({mesh.name(), mesh.asset()});
  }
  names.materials = {grammar.materials().begin(), grammar.materials().end()};
  return names;
}

std::string TextOf(const v1::DeriveStatistics& statistics) {
  std::string text = absl::StrCat(Counted(statistics.terminals(), "instance"), " of ",
                                  Counted(statistics.buildings(), "building"), ", ",
                                  Counted(statistics.triangles(), "triangle"), ", ",
                                  Counted(statistics.nodes(), "rule"), " executed");
  if (statistics.coarse() > 0) absl::StrAppend(&text, ", ", statistics.coarse(), " coarse");
  if (const auto outside = statistics.culled() - statistics.occluded(); outside > 0) {
    absl::StrAppend(&text, ", ", Counted(outside, "building"), " outside the view");
  }
  if (statistics.occluded() > 0) {
    absl::StrAppend(&text, ", ", Counted(statistics.occluded(), "building"), " behind others");
  }
  return text;
}

std::vector<std::string> NotesOf(const v1::CompileGrammarResponse& grammar,
                                 const v1::DeriveStatistics& statistics) {
  std::vector<std::string> notes;
  for (int i = 0; i < statistics.rules_size() && i < grammar.rules_size(); ++i) {
    const v1::GrammarRuleStatistics& rule = statistics.rules(i);
    const std::string name = absl::StrCat("rule '", grammar.rules(i), "': ");
    if (rule.dropped() > 0) {
      notes.push_back(absl::StrCat(name, rule.dropped(),
                                   " dropped: scopes, instances, volumes or reports that are too "
                                   "thin, negative, too large or no numbers"));
    }
    if (rule.clamped() > 0) {
      notes.push_back(absl::StrCat(name, rule.clamped(),
                                   " replaced: bad sizes, counts or angles of operators"));
    }
  }
  return notes;
}

std::string StatisticsJson(const v1::CompileGrammarResponse& grammar,
                           const v1::DeriveStatistics& statistics) {
  const Json json = {{"nodes", statistics.nodes()},
                     {"terminals", statistics.terminals()},
                     {"coarse", statistics.coarse()},
                     {"triangles", statistics.triangles()},
                     {"buildings", statistics.buildings()},
                     {"culled", statistics.culled()},
                     {"occluded", statistics.occluded()},
                     {"checksum", absl::StrFormat("%016x", statistics.checksum())},
                     {"memory_bytes", statistics.memory_bytes()},
                     {"rules", RulesJson(grammar, statistics)},
                     {"reports", ReportsJson(grammar, statistics)},
                     {"compile_ms", PhasesJson(grammar.phases())},
                     {"phases_ms", PhasesJson(statistics.phases())}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace warpyard::cli
