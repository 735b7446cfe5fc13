// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/cpp/grammar/flags.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <set>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "client_examples/city_io/output/city_obj.h"
#include "client_examples/cpp/grammar/outputs.h"
#include "client_examples/cpp/messages.h"

namespace warpyard::cli {
namespace {

using client_support::Flag;
using client_support::TextFlag;

constexpr std::uint64_t kMostParcels = 4'194'304;

bool ParseNumber(absl::string_view word, float& number) {
  return absl::SimpleAtof(word, &number) && std::isfinite(number);
}
bool ParseNumber(absl::string_view word, std::uint32_t& number) {
  return absl::SimpleAtoi(word, &number);
}

/// "20x12x30"
template <class Numbers>
bool ParseProduct(const std::string& word, Numbers& numbers) {
  const std::vector<absl::string_view> parts = absl::StrSplit(word, 'x');
  if (parts.size() != numbers.size()) return false;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (!ParseNumber(parts[i], numbers[i]) || !(numbers[i] > 0)) return false;
  }
  return true;
}

/// Both included.
struct Range {
  std::uint64_t least;
  std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
};

/// A flag for a whole number of the request; the service checks ranges, but takes 0 for a number
/// that is not given. @shape set: void(std::uint64_t)
template <class Set>
Flag CountFlag(std::string name, std::string help, Range range, Set set) {
  return {std::move(name), "N", std::move(help),
          range.least == 0 ? "a whole number" : "a whole number more than 0",
          [range, set](const std::string& word) {
            std::uint64_t number = 0;
            if (!absl::SimpleAtoi(word, &number) || number < range.least || number > range.most) {
              return false;
            }
            set(number);
            return true;
          }};
}

std::vector<Flag> ParcelFlags(DeriveArguments& arguments) {
  Lots& lots = arguments.lots;
  const auto unit = [&arguments](std::string name, std::string help, city_io::MapUnit value) {
    return Flag{std::move(name), "", std::move(help), "", [&arguments, value](const std::string&) {
                  arguments.parcels.unit = value;
                  return true;
                }};
  };
  return {
      TextFlag("--parcels", "FILE.geojson", "the places of buildings: polygons of a map",
               arguments.parcels_file),
      unit("--degrees",
           "the map has longitudes and latitudes (default: as its member crs says, or else by the "
           "size of the numbers)",
           city_io::MapUnit::kDegrees),
      unit("--metres", "the map has metres, to the east and to the north",
           city_io::MapUnit::kMetres),
      {"--height", "H", "of polygons without the property height, in metres (default: an error)",
       "a number more than 0",
       [&arguments](const std::string& word) {
         float height = 0;
         const bool is_right = ParseNumber(word, height) && height > 0;
         arguments.parcels.height = height;
         return is_right;
       }},
      {"--lots", "NxM", "instead: so many equal parcels along x and z (default 1x1)",
       absl::StrCat("two whole numbers, at most ", kMostParcels, " parcels"),
       [&lots](const std::string& word) {
         return ParseProduct(word, lots.count) &&
                std::uint64_t{lots.count[0]} * lots.count[1] <= kMostParcels;
       }},
      {"--lot-size", "WxHxD", "metres of a lot along x, y and z (default 20x12x20)",
       "three numbers more than 0",
       [&lots](const std::string& word) { return ParseProduct(word, lots.size); }},
      {"--gap", "G", "metres between lots (default 5)", "a number of at least 0",
       [&lots](const std::string& word) { return ParseNumber(word, lots.gap) && lots.gap >= 0; }},
  };
}

/// NAME=VALUE
bool AddAttribute(const std::string& word, DeriveArguments& arguments) {
  const std::size_t equals = word.find('=');
  if (equals == std::string::npos || equals == 0) return false;
  float value = 0;
  if (!ParseNumber(word.substr(equals + 1), value)) return false;
  arguments.attributes.emplace_back(word.substr(0, equals), value);
  return true;
}

std::vector<Flag> RuleFlags(DeriveArguments& arguments) {
  v1::DeriveGrammarRequest& request = arguments.request;
  return {
      CountFlag("--seed", "of random choices (default 0)", {0},
                [&request](std::uint64_t number) { request.set_seed(number); }),
      {"--attr", "NAME=VALUE",
       "the value of an attribute for all parcels; may be given for each attribute",
       "a name and a number, as floors=3",
       [&arguments](const std::string& word) { return AddAttribute(word, arguments); }},
      {"--style", "S", "a style of the grammar: values for its attributes", "a name",
       [&request](const std::string& word) {
         request.set_style(word);
         return !word.empty();
       }},
      TextFlag("--view", "FILE.json",
               "what a camera sees, as a GrammarView of the service in JSON: {\"position\": [0, 2, "
               "50], \"pixels\": 900, \"hide_occluded\": true}",
               arguments.view_file),
      client_support::ChoiceFlag(
          "--on-limit",
          "ends with an error where a limit is reached (the default); or leaves coarse "
          "instances there",
          {"fail", "coarse"},
          [&request](std::size_t choice) {
            request.set_on_limit(choice == 0 ? v1::ON_LIMIT_FAIL : v1::ON_LIMIT_COARSE);
          }),
      CountFlag("--max-instances", "at most so many (default: what the server allows)", {1},
                [&request](std::uint64_t number) { request.set_max_instances(number); }),
      CountFlag("--max-depth", "rules that name one another, 1 to 256 (default 256)",
                {1, std::numeric_limits<std::uint32_t>::max()},
                [&request](std::uint64_t number) {
                  request.set_max_depth(static_cast<std::uint32_t>(number));
                }),
      CountFlag("--max-bytes", "of the device's memory (default 1 GiB)", {1},
                [&request](std::uint64_t number) { request.set_max_bytes(number); }),
      client_support::DeadlineFlag(arguments.deadline_ms),
  };
}

std::vector<Flag> OutputFlags(DeriveArguments& arguments) {
  OutputArguments& output = arguments.output;
  return {
      TextFlag("--out", "FILE",
               absl::StrCat(".glb: instances (EXT_mesh_gpu_instancing); .obj: triangles, at most ",
                            city_io::kMostObjTriangles,
                            "; .wyi: instances as the service sends them (default: no file)"),
               output.city),
      client_support::Switch(
          "--expand", "writes triangles into the .glb file, too, and no instances", output.expand),
      CountFlag("--expand-max-bytes", "of an expanded .glb file, at most (default 1 GiB)",
                {0, std::numeric_limits<std::uint32_t>::max()},
                [&output](std::uint64_t number) { output.expand_max_bytes = number; }),
      TextFlag("--report", "FILE.csv", "what the grammar reports of each parcel, as a table",
               output.report),
      TextFlag("--statistics", "FILE.json", "where sizes and times go", output.statistics),
  };
}

std::vector<Flag> DeriveFlags(DeriveArguments& arguments) {
  std::vector<Flag> flags;
  for (const auto& more : {ParcelFlags, RuleFlags, OutputFlags}) {
    for (Flag& flag : more(arguments)) flags.push_back(std::move(flag));
  }
  return client_support::WithEndpointFlags(arguments.server, std::move(flags));
}

/// Parses flags, and the one file beside them.
absl::Status ParseFile(const std::vector<Flag>& flags, const std::vector<std::string>& words,
                       absl::string_view command, std::string& file) {
  auto files = client_support::ParseFlags(flags, words);
  if (!files.ok()) return files.status();
  if (files->size() != 1) {
    return absl::InvalidArgumentError(
        absl::StrCat("grammar ", command, ": ", files->size(), " files, expected one"));
  }
  file = files->front();
  return absl::OkStatus();
}

bool Has(const std::vector<std::string>& words, absl::string_view flag) {
  for (const std::string& word : words) {
    if (word == flag ||
        absl::string_view(word).substr(0, flag.size() + 1) == absl::StrCat(flag, "=")) {
      return true;
    }
  }
  return false;
}

}  // namespace

bool IsSet(const DeriveArguments& arguments, const std::string& attribute) {
  return std::any_of(arguments.attributes.begin(), arguments.attributes.end(),
                     [&attribute](const auto& flag) { return flag.first == attribute; });
}

absl::Status ParseCheck(const std::vector<std::string>& words, CheckArguments& arguments) {
  return ParseFile(client_support::WithEndpointFlags(arguments.server), words, "check",
                   arguments.file);
}

absl::Status ParseDerive(const std::vector<std::string>& words, DeriveArguments& arguments) {
  absl::Status parsed = ParseFile(DeriveFlags(arguments), words, "derive", arguments.file);
  if (!parsed.ok()) return parsed;
  if (!arguments.parcels_file.empty() && (Has(words, "--lots") || Has(words, "--lot-size"))) {
    return absl::InvalidArgumentError("--lots: parcels come from --parcels");
  }
  std::set<std::string> attributes;
  for (const auto& [name, value] : arguments.attributes) {
    if (attributes.insert(name).second) continue;
    return absl::InvalidArgumentError(absl::StrCat("--attr: ", name, " has two values"));
  }
  if (!arguments.output.city.empty()) {
    parsed = CheckEnding(arguments.output.city, arguments.output.expand);
    if (!parsed.ok()) return parsed;
  } else if (arguments.output.expand) {
    return absl::InvalidArgumentError("--expand: needs --out with a .glb file");
  }
  arguments.request.set_statistics_only(arguments.output.city.empty());
  if (arguments.deadline_ms > 0) {
    SetDeadline(arguments.deadline_ms, *arguments.request.mutable_job());
  }
  return absl::OkStatus();
}

std::string GrammarHelp() {
  DeriveArguments defaults;
  return absl::StrCat(
      "usage: warpyard grammar check FILE [--server HOST:PORT]\n"
      "       warpyard grammar derive FILE [FLAG VALUE]...\n"
      "\n"
      "check compiles the grammar of a file and prints all errors and warnings. Files that it\n"
      "imports come from its folder, and so do the meshes that it names, as OBJ or PLY files.\n"
      "\n"
      "derive makes buildings of it. Polygons of a map become the least rectangles around them;\n"
      "outer rings count, and no holes. Of their properties, height and ground say where a parcel\n"
      "is (in metres), and those with the name of an attribute are its values: numbers, or texts "
      "of\n"
      "numbers. Longitudes and latitudes become metres around the middle of the map; x is east, y "
      "is up, z is south.\n"
      "\n",
      client_support::FlagsHelp(DeriveFlags(defaults)),
      "\n"
      "Exit status: 0 done, 1 no server, or it refused, or the grammar has errors, 2 wrong usage,\n"
      "or a file that cannot be read or written.\n");
}

}  // namespace warpyard::cli
