// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The files of a derivation.
#ifndef WARPYARD_CLIENT_EXAMPLES_CPP_GRAMMAR_OUTPUTS_H_
#define WARPYARD_CLIENT_EXAMPLES_CPP_GRAMMAR_OUTPUTS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "client_examples/city_io/instance.h"
#include "client_examples/city_io/output/city.h"
#include "warpyard/v1/grammar_service.pb.h"

namespace warpyard::cli {

struct OutputArguments;

/// Whether cities can be written to a file of the name.
/// @errors INVALID_ARGUMENT: another ending, or no GLB file to expand
absl::Status CheckEnding(const std::string& path, bool expand);

/// @errors those of the format, and UNAVAILABLE, each with the path
absl::Status WriteCity(const OutputArguments& output, const city_io::City& city);

/// What the numbers of instances mean.
city_io::CityNames NamesOf(const v1::CompileGrammarResponse& grammar);

/// "120 instances of 4 buildings, ..."
std::string TextOf(const v1::DeriveStatistics& statistics);

/// A line for each rule that left something out or had bad values: without them, a grammar that
/// makes nothing would look right.
std::vector<std::string> NotesOf(const v1::CompileGrammarResponse& grammar,
                                 const v1::DeriveStatistics& statistics);

/// An object; its form is in client_examples/README.md.
std::string StatisticsJson(const v1::CompileGrammarResponse& grammar,
                           const v1::DeriveStatistics& statistics);

}  // namespace warpyard::cli

#endif  // WARPYARD_CLIENT_EXAMPLES_CPP_GRAMMAR_OUTPUTS_H_
