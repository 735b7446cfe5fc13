// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Errors of the service in the words of a user, who has files and flags, and no fields of a
// request.
#ifndef WARPYARD_CLIENT_EXAMPLES_CPP_GRAMMAR_INPUT_ERRORS_H_
#define WARPYARD_CLIENT_EXAMPLES_CPP_GRAMMAR_INPUT_ERRORS_H_

#include "absl/status/status.h"
#include "client_examples/city_io/parcels/geojson.h"
#include "client_examples/cpp/grammar/flags.h"

namespace warpyard::cli {

/// An error of a derivation, with the file, feature and property, or the flag, in the place of the
/// field that it names; the error itself where it names no field of parcels or values. @shape
/// parcels: those of the request
absl::Status InInputs(const absl::Status& error, const DeriveArguments& arguments,
                      const city_io::ParcelFile& parcels);

}  // namespace warpyard::cli

#endif  // WARPYARD_CLIENT_EXAMPLES_CPP_GRAMMAR_INPUT_ERRORS_H_
