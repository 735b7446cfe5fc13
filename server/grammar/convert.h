// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Texts, compiled grammars and statistics: wire <-> core.
#ifndef WARPYARD_SERVER_GRAMMAR_CONVERT_H_
#define WARPYARD_SERVER_GRAMMAR_CONVERT_H_

#include <vector>

#include "absl/status/statusor.h"
#include "core/api/grammar.h"
#include "server/rpc/wire_limit.h"
#include "warpyard/v1/grammar_service.pb.h"

namespace warpyard::server {

/// Of CompileGrammarRequest.
inline const WireLimit kFilesLimit = {
    "files", {v1::CompileGrammarRequest::kFilesFieldNumber}, grammar::kMostFiles};

/// The files of a request, whose texts move out of it.
/// @errors INVALID_ARGUMENT
absl::StatusOr<std::vector<grammar::SourceFile>> ToFiles(v1::CompileGrammarRequest& request);

/// All but the name of the grammar.
void ToProto(const grammar::CompiledGrammar& compiled, v1::CompileGrammarResponse* out);

void ToProto(const grammar::DeriveStatistics& statistics, v1::DeriveStatistics* out);

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_GRAMMAR_CONVERT_H_
