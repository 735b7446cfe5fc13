// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// What a derivation is asked for.
#ifndef WARPYARD_CLIENT_EXAMPLES_CPP_GRAMMAR_REQUEST_H_
#define WARPYARD_CLIENT_EXAMPLES_CPP_GRAMMAR_REQUEST_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "client_examples/city_io/parcels/geojson.h"
#include "client_examples/cpp/grammar/flags.h"
#include "warpyard/v1/grammar_service.pb.h"

namespace warpyard::cli {

/// Reads the files that the flags name, and adds parcels and the view to the request.
/// @shape parcels: gets what the file of parcels has, for AddAttributes
/// @errors those of the files, each with the path
absl::Status ReadInputs(DeriveArguments& arguments, city_io::ParcelFile& parcels);

/// Adds values of attributes: those of flags, and those properties of parcels that have the name of
/// an attribute. A parcel without the property gets the grammar's value.
/// @errors INVALID_ARGUMENT with the file and the feature: such a property is no number
absl::Status AddAttributes(const DeriveArguments& arguments, const city_io::ParcelFile& parcels,
                           const v1::CompileGrammarResponse& grammar,
                           v1::DeriveGrammarRequest& request);

/// Which properties of parcels have the name of no attribute; empty if all have one. Maps usually
/// have such properties, but one of them may be misspelt.
std::string NoteOfProperties(const DeriveArguments& arguments, const city_io::ParcelFile& parcels,
                             const v1::CompileGrammarResponse& grammar);

/// The ids of parcels. @shape one for each
std::vector<std::uint64_t> IdsOf(const v1::DeriveGrammarRequest& request);

}  // namespace warpyard::cli

#endif  // WARPYARD_CLIENT_EXAMPLES_CPP_GRAMMAR_REQUEST_H_
