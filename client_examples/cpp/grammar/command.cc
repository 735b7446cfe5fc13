// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// warpyard grammar check FILE: the errors of a grammar.
// warpyard grammar derive FILE: the buildings that it describes.

#include "client_examples/cpp/command.h"

#include <cstdint>
#include <filesystem>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "client_examples/city_io/instance_store.h"
#include "client_examples/city_io/output/report_table.h"
#include "client_examples/city_io/unit_mesh.h"
#include "client_examples/cpp/grammar/flags.h"
#include "client_examples/cpp/grammar/input_errors.h"
#include "client_examples/cpp/grammar/outputs.h"
#include "client_examples/cpp/grammar/remote_grammar.h"
#include "client_examples/cpp/grammar/request.h"
#include "client_examples/cpp/grammar/sources.h"
#include "client_examples/cpp/messages.h"
#include "client_examples/mesh_io/files.h"
#include "client_examples/support/connection.h"

namespace warpyard::cli {
namespace {

absl::StatusOr<RemoteGrammar> Compile(const client_support::Endpoint& server,
                                      const v1::CompileGrammarRequest& sources) {
  const auto channel = client_support::Connect(server);
  if (!channel.ok()) return channel.status();
  return RemoteGrammar::Compile(*channel, sources);
}

void PrintDiagnostics(const v1::CompileGrammarResponse& response, const std::string& file,
                      std::ostream& out) {
  for (const v1::GrammarDiagnostic& each : response.diagnostics()) {
    out << TextOf(each, FolderOf(file));
  }
}

void PrintNotes(const std::vector<std::string>& notes) {
  for (const std::string& note : notes) std::cerr << "warpyard: note: " << note << "\n";
}

int RunCheck(const std::vector<std::string>& words) {
  CheckArguments arguments;
  if (absl::Status parsed = ParseCheck(words, arguments); !parsed.ok()) {
    return FailUsage(parsed, "grammar");
  }
  const auto sources = ReadSources(arguments.file);
  if (!sources.ok()) return Fail(sources.status(), kExitUsage);
  const absl::StatusOr<RemoteGrammar> grammar = Compile(arguments.server, *sources);
  if (!grammar.ok()) return Fail(grammar.status(), kExitRefused);
  const v1::CompileGrammarResponse& response = grammar->response();
  PrintDiagnostics(response, arguments.file, std::cout);
  if (response.grammar().empty()) return kExitRefused;
  const auto meshes = city_io::ReadMeshes(NamesOf(response).meshes, FolderOf(arguments.file));
  if (!meshes.ok()) return Fail(meshes.status(), kExitUsage);
  PrintNotes(meshes->notes);
  std::cout << arguments.file << ": "
            << Counted(static_cast<std::uint64_t>(response.rules_size()), "rule")
            << ", no errors\n";
  return 0;
}

/// Instances are kept beside the file that is made of them, or else where temporary files go.
absl::StatusOr<city_io::InstanceStore> MakeStore(const std::string& city) {
  absl::StatusOr<city_io::InstanceStore> store = city_io::InstanceStore::Create(FolderOf(city));
  if (store.ok()) return store;
  return city_io::InstanceStore::Create(std::filesystem::temp_directory_path().string());
}

absl::Status WriteReport(const DeriveArguments& arguments,
                         const v1::CompileGrammarResponse& grammar,
                         const v1::DeriveStatistics& statistics) {
  const std::vector<std::string> names(grammar.reports().begin(), grammar.reports().end());
  const std::vector<std::uint64_t> ids = IdsOf(arguments.request);
  return mesh_io::WriteFile(arguments.output.report, [&](std::ostream& out) {
    return city_io::WriteReportTable(names, ids, absl::MakeConstSpan(statistics.reports()), out);
  });
}

absl::Status WriteOutputs(const DeriveArguments& arguments,
                          const v1::CompileGrammarResponse& grammar,
                          v1::DeriveStatistics& statistics, city_io::InstanceStore& store) {
  const OutputArguments& output = arguments.output;
  absl::Status status;
  if (!output.city.empty()) {
    const city_io::CityNames names = NamesOf(grammar);
    const auto meshes = city_io::ReadMeshes(names.meshes, FolderOf(arguments.file));
    if (!meshes.ok()) return meshes.status();
    PrintNotes(meshes->notes);
    const auto instances = store.View();
    if (!instances.ok()) return instances.status();
    const city_io::City city = {names, meshes->meshes, *instances};
    status = WriteCity(output, city);
    if (!status.ok()) return status;
    statistics.set_triangles(statistics.triangles() + city_io::TrianglesFromFiles(city));
  }
  if (status.ok() && !output.report.empty()) status = WriteReport(arguments, grammar, statistics);
  if (!status.ok() || output.statistics.empty()) return status;
  return mesh_io::WriteFile(output.statistics, StatisticsJson(grammar, statistics) + "\n");
}

int RunDerive(const std::vector<std::string>& words) {
  DeriveArguments arguments;
  if (absl::Status parsed = ParseDerive(words, arguments); !parsed.ok()) {
    return FailUsage(parsed, "grammar");
  }
  const auto sources = ReadSources(arguments.file);
  if (!sources.ok()) return Fail(sources.status(), kExitUsage);
  city_io::ParcelFile parcels;
  if (absl::Status read = ReadInputs(arguments, parcels); !read.ok()) return Fail(read, kExitUsage);
  absl::StatusOr<city_io::InstanceStore> store = MakeStore(arguments.output.city);
  if (!store.ok()) return Fail(store.status(), kExitUsage);
  const absl::StatusOr<RemoteGrammar> grammar = Compile(arguments.server, *sources);
  if (!grammar.ok()) return Fail(grammar.status(), kExitRefused);
  PrintDiagnostics(grammar->response(), arguments.file, std::cerr);
  if (grammar->response().grammar().empty()) return kExitRefused;
  const absl::Status added =
      AddAttributes(arguments, parcels, grammar->response(), arguments.request);
  if (!added.ok()) return Fail(added, kExitUsage);
  if (std::string note = NoteOfProperties(arguments, parcels, grammar->response()); !note.empty()) {
    PrintNotes({std::move(note)});
  }
  auto statistics = grammar->Derive(
      arguments.request, [&](absl::string_view instances) { return store->Append(instances); });
  if (!statistics.ok()) {
    return Fail(InInputs(statistics.status(), arguments, parcels), kExitRefused);
  }
  PrintNotes(NotesOf(grammar->response(), *statistics));
  const absl::Status written = WriteOutputs(arguments, grammar->response(), *statistics, *store);
  if (!written.ok()) return Fail(written, kExitUsage);
  std::cout << TextOf(*statistics) << "\n";
  return 0;
}

}  // namespace

int RunGrammar(const std::vector<std::string>& words) {
  const std::string command = words.empty() ? "no command" : words[0];
  const std::vector<std::string> others(words.begin() + (words.empty() ? 0 : 1), words.end());
  if (command == "check") return RunCheck(others);
  if (command == "derive") return RunDerive(others);
  return FailUsage(
      absl::InvalidArgumentError(absl::StrCat("grammar: ", command, ", expected check or derive")),
      "grammar");
}

}  // namespace warpyard::cli
