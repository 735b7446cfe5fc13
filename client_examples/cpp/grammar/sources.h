// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The files of a grammar.
#ifndef WARPYARD_CLIENT_EXAMPLES_CPP_GRAMMAR_SOURCES_H_
#define WARPYARD_CLIENT_EXAMPLES_CPP_GRAMMAR_SOURCES_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "warpyard/v1/grammar_service.pb.h"

namespace warpyard::cli {

/// Names that a text imports, each once, in the order of the text. What is no grammar has some,
/// too: the service finds all errors.
std::vector<std::string> ImportsOf(absl::string_view text);

/// Reads a grammar with everything that it imports, from its folder and below. Files that are not
/// there are left out: the service tells where they are imported.
/// @errors those of mesh_io::ReadFile for the main file and for what cannot be read;
///     INVALID_ARGUMENT: an import leads out of the folder, or a file is no text
absl::StatusOr<v1::CompileGrammarRequest> ReadSources(const std::string& path);

/// The folder of a file.
std::string FolderOf(const std::string& path);

/// "folder/city.wyg:3:7: E104 unknown operator 'spilt', did you mean 'split'?", then the line of
/// the source and a mark below the column. @shape folder: of the main file
std::string TextOf(const v1::GrammarDiagnostic& diagnostic, const std::string& folder);

bool IsError(const v1::GrammarDiagnostic& diagnostic);

}  // namespace warpyard::cli

#endif  // WARPYARD_CLIENT_EXAMPLES_CPP_GRAMMAR_SOURCES_H_
