// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The command lines of `warpyard grammar check` and `warpyard grammar derive`.
#ifndef WARPYARD_CLIENT_EXAMPLES_CPP_GRAMMAR_FLAGS_H_
#define WARPYARD_CLIENT_EXAMPLES_CPP_GRAMMAR_FLAGS_H_

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "client_examples/city_io/parcels/geojson.h"
#include "client_examples/support/command_line.h"
#include "client_examples/support/connection.h"
#include "warpyard/v1/grammar_service.pb.h"

namespace warpyard::cli {

struct CheckArguments {
  std::string file;
  client_support::Endpoint server;
};

/// Equal parcels in rows.
struct Lots {
  std::array<std::uint32_t, 2> count{1, 1};  ///< along x and z
  std::array<float, 3> size{20, 12, 20};     ///< metres along x, y and z
  float gap = 5;                             ///< metres between them
};

struct OutputArguments {
  std::string city;  ///< the file of instances or triangles; empty: none
  bool expand = false;
  std::uint64_t expand_max_bytes = std::uint64_t{1} << 30;
  std::string report;      ///< empty: no table
  std::string statistics;  ///< empty: no file
};

struct DeriveArguments {
  std::string file;
  client_support::Endpoint server;
  std::string parcels_file;  ///< empty: lots
  city_io::ParcelOptions parcels;
  Lots lots;
  std::vector<std::pair<std::string, float>> attributes;
  std::string view_file;  ///< empty: everything is seen
  OutputArguments output;
  double deadline_ms = 0;            ///< 0: none
  v1::DeriveGrammarRequest request;  ///< with the options that the flags set
};

/// Whether --attr gives an attribute its value.
bool IsSet(const DeriveArguments& arguments, const std::string& attribute);

/// Parse the words after `check` and `derive`. @errors INVALID_ARGUMENT, with what is wrong
absl::Status ParseCheck(const std::vector<std::string>& words, CheckArguments& arguments);
absl::Status ParseDerive(const std::vector<std::string>& words, DeriveArguments& arguments);

/// What `warpyard grammar --help` prints.
std::string GrammarHelp();

}  // namespace warpyard::cli

#endif  // WARPYARD_CLIENT_EXAMPLES_CPP_GRAMMAR_FLAGS_H_
