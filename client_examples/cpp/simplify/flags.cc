// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/cpp/simplify/flags.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <type_traits>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "client_examples/cpp/messages.h"
#include "client_examples/cpp/simplify/goals.h"
#include "client_examples/cpp/simplify/mesh/views.h"
#include "client_examples/cpp/simplify/verify.h"

namespace warpyard::cli {
namespace {

using client_support::ChoiceFlag;
using client_support::Flag;
using client_support::Switch;
using client_support::TextFlag;

// Ranges of the contract. They are checked here, too, so that a wrong word costs no upload.
constexpr std::uint32_t kMostLevel = 21;
constexpr float kMostWeight = 1000;

constexpr std::size_t kMostLods = 16;

/// Sets a goal that is a number from `least` to `most`.
/// @shape setter: a member function of SimplifyRequest that takes the number
template <class Number, class Setter>
std::function<bool(const std::string&)> SetGoal(SimplifyArguments& arguments, Setter setter,
                                                Number least, Number most) {
  return [&arguments, setter, least, most](const std::string& word) {
    Number number = 0;
    bool is_number = false;
    if constexpr (std::is_floating_point_v<Number>) {
      is_number = absl::SimpleAtod(word, &number);
    } else {
      is_number = absl::SimpleAtoi(word, &number);
    }
    // No NaN is in the range.
    if (!is_number || !(number >= least && number <= most)) return false;
    ++arguments.goals;
    (arguments.request.*setter)(number);
    return true;
  };
}

std::vector<Flag> GoalFlags(SimplifyArguments& arguments) {
  using Request = v1::SimplifyRequest;
  using Reals = std::numeric_limits<double>;
  constexpr std::uint64_t kMostCount = std::numeric_limits<std::uint64_t>::max();
  return {
      {"--triangles", "N", "at most so many triangles", "a whole number of at least 1",
       SetGoal<std::uint64_t>(arguments, &Request::set_triangles, 1, kMostCount)},
      {"--ratio", "R", "in (0, 1]: at most this part of the triangles",
       "a number of more than 0 and at most 1",
       SetGoal<double>(arguments, &Request::set_ratio, Reals::denorm_min(), 1)},
      {"--error", "E",
       "a length in the scene: merges vertices as long as they stay within about this distance of "
       "the planes of their triangles",
       "a finite number of at least 0",
       SetGoal<double>(arguments, &Request::set_max_error, 0, Reals::max())},
      {"--level", "L", "0 to 21: merges vertices in one cell of this level of an octree",
       absl::StrCat("a whole number from 0 to ", kMostLevel),
       SetGoal<std::uint32_t>(arguments, &Request::set_level, 0, kMostLevel)},
      {"--max-bytes", "B",
       "at most so many bytes: 12 for each vertex, 4 for each number of its attributes and for "
       "its primitive if there are several, and 12 for each triangle",
       absl::StrCat("a whole number of at least ", kLeastBytes),
       SetGoal<std::uint64_t>(arguments, &Request::set_max_bytes, kLeastBytes, kMostCount)},
      {"--view", "FILE.json",
       "detail where it is seen: errors of at most so many pixels for eyes in the scene, as the "
       "file says, which is a ViewGoal of the service in JSON: {\"views\": [{\"eye\": "
       "[0, 1, 5], \"near\": 0.1}]}; takes a cut",
       "a file",
       [&arguments](const std::string& word) {
         ++arguments.goals;
         arguments.view_file = word;
         return !word.empty();
       }},
  };
}

std::vector<Flag> MethodFlags(SimplifyArguments& arguments) {
  v1::SimplifyRequest& request = arguments.request;
  return {
      ChoiceFlag("--finish",
                 "collapses edges after the cut of the tree (the default), or takes the cut: "
                 "faster, and rougher",
                 {"collapse", "cut"},
                 [&request](std::size_t choice) {
                   request.set_finish(choice == 0 ? v1::FINISH_COLLAPSE : v1::FINISH_CUT);
                 }),
      client_support::DeadlineFlag(arguments.deadline_ms),
      {"--best-effort", "",
       "takes the best mesh until the deadline, instead of none if the goal is not reached", "",
       [&request](const std::string&) {
         request.set_best_effort(true);
         return true;
       }},
  };
}

/// NAME=W, where NAME is one of the attributes that have a weight.
bool SetWeight(const std::string& word, AttributeWeights& weights) {
  const std::size_t equals = word.find('=');
  const std::string name = word.substr(0, equals);
  float weight = 0;
  if (equals == std::string::npos || !absl::SimpleAtof(word.substr(equals + 1), &weight)) {
    return false;
  }
  weights[name] = weight;
  return (name == kNormals || name == kUvs || name == kColours) && weight >= 0 &&
         weight <= kMostWeight;
}

/// Says what becomes of borders. A second one must say the same.
Flag BordersFlag(const char* name, const char* help, v1::Borders borders,
                 SimplifyArguments& arguments) {
  return {name, "", help, "", [&arguments, borders](const std::string&) {
            arguments.frees_and_locks |=
                arguments.borders != v1::BORDERS_UNSPECIFIED && arguments.borders != borders;
            arguments.borders = borders;
            return true;
          }};
}

std::vector<Flag> MeshFlags(SimplifyArguments& arguments) {
  return {
      ChoiceFlag("--attributes",
                 "simplifies normals, texture coordinates and colours with the mesh, and takes "
                 "others from vertices of IN nearby (the default); or joins all primitives and "
                 "keeps positions only",
                 {"keep", "drop"},
                 [&arguments](std::size_t choice) { arguments.drop_attributes = choice == 1; }),
      {"--weight", "NAME=W",
       "how much errors of normals, uvs or colours count: an error of 1 as much as a distance of W "
       "times the size of the mesh; may be given for each of them (default: 0.05 for normals, 0.25 "
       "for others)",
       absl::StrCat("normals=W, uvs=W or colours=W with a number W from 0 to ", kMostWeight),
       [&arguments](const std::string& word) { return SetWeight(word, arguments.weights); }},
      BordersFlag("--lock-borders", "leaves the vertices of open borders where they are",
                  v1::BORDERS_LOCKED, arguments),
      BordersFlag(
          "--free-borders",
          "gives open borders no weight of their own: flat parts may shrink, and holes grow",
          v1::BORDERS_FREE, arguments),
  };
}

std::vector<Flag> OutputFlags(SimplifyArguments& arguments) {
  return {
      {"--lods", "N",
       "writes N levels of detail: OUT_0.glb, OUT_1.glb, ... for OUT.glb; the first reaches the "
       "goal (default: --ratio 0.5), and each further one has about half the triangles of the one "
       "before, or twice its error if the goal is --error",
       absl::StrCat("a whole number from 1 to ", kMostLods),
       [&arguments](const std::string& word) {
         return absl::SimpleAtoi(word, &arguments.lods) && arguments.lods >= 1 &&
                arguments.lods <= kMostLods;
       }},
      Switch("--meshopt", "compresses GLB files by EXT_meshopt_compression, without loss",
             arguments.meshopt_compression),
      Switch("--verify",
             absl::StrCat("reads OUT again and measures its distance from IN, by ", kVerifySamples,
                          " samples of each surface"),
             arguments.verify),
      TextFlag("--statistics", "FILE.json", "where sizes and times of the result go",
               arguments.statistics),
      Switch("--keep-upload",
             "leaves large meshes at the server, until its --upload-ttl: the next run for the same "
             "file does not send them again",
             arguments.keep_upload),
  };
}

}  // namespace

std::vector<Flag> SimplifyFlags(SimplifyArguments& arguments) {
  std::vector<Flag> flags = GoalFlags(arguments);
  for (const auto& more : {MethodFlags, MeshFlags, OutputFlags}) {
    for (Flag& flag : more(arguments)) flags.push_back(std::move(flag));
  }
  return client_support::WithEndpointFlags(arguments.server, std::move(flags));
}

absl::Status ParseSimplify(const std::vector<std::string>& words, SimplifyArguments& arguments) {
  auto files = client_support::ParseFlags(SimplifyFlags(arguments), words);
  if (!files.ok()) return files.status();
  if (files->size() != 2) {
    return absl::InvalidArgumentError(
        absl::StrCat("simplify: ", files->size(), " files, expected two, IN and OUT"));
  }
  if (arguments.goals == 0 && arguments.lods > 0) {
    arguments.request.set_ratio(0.5);
  } else if (arguments.goals != 1) {
    return absl::InvalidArgumentError(
        absl::StrCat("simplify: ", arguments.goals,
                     " goals, expected one of --triangles, --ratio, --error, --level, "
                     "--max-bytes and --view"));
  }
  if (arguments.frees_and_locks) {
    return absl::InvalidArgumentError("--free-borders: set beside --lock-borders");
  }
  if (!arguments.view_file.empty()) {
    if (arguments.lods > 0) {
      return absl::InvalidArgumentError(
          "--lods: levels have numbers of triangles or errors, and no --view");
    }
    absl::StatusOr<v1::ViewGoal> views = ReadViews(arguments.view_file);
    if (!views.ok()) return views.status();
    *arguments.request.mutable_views() = *std::move(views);
  }
  if (arguments.request.best_effort() && arguments.deadline_ms == 0) {
    return absl::InvalidArgumentError("--best-effort: needs --deadline");
  }
  if (arguments.deadline_ms > 0) {
    SetDeadline(arguments.deadline_ms, *arguments.request.mutable_job());
  }
  arguments.files = *std::move(files);
  return absl::OkStatus();
}

std::string SimplifyHelp() {
  SimplifyArguments defaults;
  return absl::StrCat(
      "usage: warpyard simplify IN OUT GOAL [FLAG VALUE]...\n"
      "\n"
      "Writes coarser meshes of the file IN to OUT, by a server. Both are PLY, OBJ, STL or GLB\n"
      "files, and may be the same. GOAL is one of --triangles, --ratio, --error, --level,\n"
      "--max-bytes and --view. Meshes of a file share numbers of triangles and bytes in "
      "proportion\n"
      "to their sizes. --deadline is for each mesh: for all of its levels after the first "
      "together,\n"
      "and for the first, too, if GOAL is --triangles, --ratio or --error; --best-effort begins\n"
      "it again for levels that were not reached. Large meshes go to the server in parts. If\n"
      "the connection breaks, they are sent again from there, by the next run if need be.\n"
      "\n",
      client_support::FlagsHelp(SimplifyFlags(defaults)),
      "\n"
      "Exit status: 0 done, 1 no server or it refused, 2 wrong usage, or a file that cannot be\n"
      "read, simplified or written.\n");
}

}  // namespace warpyard::cli
