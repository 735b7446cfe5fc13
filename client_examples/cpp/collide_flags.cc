// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/cpp/collide_flags.h"

#include <algorithm>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"

namespace warpyard::cli {
namespace {

using client_support::ChoiceFlag;
using client_support::DeadlineFlag;
using client_support::Flag;
using client_support::TextFlag;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

// A flag for a field that holds an enum. The choices are the enum's values without their common
// prefix, so that a new value of the service becomes a choice automatically.
Flag EnumFlag(std::string name, std::string help, Message& message, const FieldDescriptor* field) {
  const auto* type = field->enum_type();
  // The value 0 is PREFIX_UNSPECIFIED.
  const std::string zero = type->FindValueByNumber(0)->name();
  const std::size_t prefix = zero.size() - std::string("UNSPECIFIED").size();
  std::vector<std::string> choices;
  for (int i = 0; i < type->value_count(); ++i) {
    if (type->value(i)->number() == 0) continue;
    choices.push_back(absl::StrReplaceAll(
        absl::AsciiStrToLower(type->value(i)->name().substr(prefix)), {{"_", "-"}}));
  }
  return ChoiceFlag(std::move(name), std::move(help), choices,
                    [&message, field, choices, zero, prefix](std::size_t choice) {
                      const std::string value =
                          absl::AsciiStrToUpper(absl::StrReplaceAll(choices[choice], {{"-", "_"}}));
                      message.GetReflection()->SetEnum(
                          &message, field,
                          field->enum_type()->FindValueByName(zero.substr(0, prefix) + value));
                    });
}

// A flag for a field of a message: an enum, a bool (off or on) or a number, called `value` in the
// help. The service checks ranges.
Flag FieldFlag(std::string name, std::string value, std::string help, const char* field_name,
               Message& message) {
  const FieldDescriptor* field = message.GetDescriptor()->FindFieldByName(field_name);
  if (field->cpp_type() == FieldDescriptor::CPPTYPE_ENUM) {
    return EnumFlag(std::move(name), std::move(help), message, field);
  }
  if (field->cpp_type() == FieldDescriptor::CPPTYPE_BOOL) {
    return ChoiceFlag(std::move(name), std::move(help), {"off", "on"},
                      [&message, field](std::size_t choice) {
                        message.GetReflection()->SetBool(&message, field, choice == 1);
                      });
  }
  const auto set = [&message, field](const std::string& word) {
    double number = 0;
    if (!absl::SimpleAtod(word, &number)) return false;
    message.GetReflection()->SetDouble(&message, field, number);
    return true;
  };
  return {std::move(name), std::move(value), std::move(help), "a number", set};
}

/// The flags for priority, deadline and tenant of the job.
std::vector<Flag> JobFlags(CollideArguments& arguments) {
  return {
      DeadlineFlag(arguments.deadline_ms),
      FieldFlag("--priority", "", "order among jobs without a deadline (default normal)",
                "priority", *arguments.step.mutable_job()),
  };
}

/// The flags for how collisions are found.
std::vector<Flag> MethodFlags(CollideArguments& arguments) {
  v1::CollisionOptions& collision = *arguments.step.mutable_collision();
  return {
      FieldFlag("--traversal", "",
                "how pairs whose boxes overlap are found: the fastest way (the default), or one of "
                "the papers",
                "traversal", collision),
      ChoiceFlag("--volume",
                 "tells nodes apart by boxes along the coordinates (the default); or by oriented "
                 "ones, too (work-queue, stealing and front only)",
                 {"boxes", "oriented"},
                 [&collision](std::size_t choice) {
                   collision.set_bounding_volume(choice == 0
                                                     ? v1::BOUNDING_VOLUME_AXIS_ALIGNED_BOXES
                                                     : v1::BOUNDING_VOLUME_ORIENTED_BOXES);
                 }),
      FieldFlag("--build", "",
                "builds the hierarchy in Morton order (the default); or from the top, by splits",
                "hierarchy_build", arguments.open),
  };
}

}  // namespace

std::vector<Flag> CollideFlags(CollideArguments& arguments) {
  v1::CollisionOptions& collision = *arguments.step.mutable_collision();
  const auto option = [&](std::string name, std::string value, std::string help,
                          const char* field) {
    return FieldFlag(std::move(name), std::move(value), std::move(help), field, collision);
  };
  std::vector<Flag> flags = {
      option("--report", "",
             "all pairs with their times of impact (the default); only the earliest time; or "
             "the pairs whose swept boxes overlap, without times",
             "report"),
      option("--root-finder", "",
             "never misses a collision (the default); or in floating point, without that guarantee",
             "root_finder"),
      option("--tolerance", "T",
             "a length: how closely the conservative finder looks; features that come nearer may "
             "be reported too (default 1e-8)",
             "tolerance"),
      option("--min-separation", "D",
             "a length: features collide as soon as they are so near (default 0; conservative "
             "finder only)",
             "min_separation"),
      option("--max-time", "T",
             "in (0, 1]: collisions after this part of the step are left out (default 1)",
             "max_time"),
      option("--geometry", "",
             "adds where the features of each pair meet, and the contact normal (default off)",
             "with_geometry"),
  };
  for (Flag& flag : MethodFlags(arguments)) flags.push_back(std::move(flag));
  for (Flag& flag : JobFlags(arguments)) flags.push_back(std::move(flag));
  flags.push_back(
      TextFlag("--out", "FILE.json", "where the lists and the statistics go", arguments.out));
  return client_support::WithEndpointFlags(arguments.server, std::move(flags));
}

absl::Status ParseCollide(const std::vector<std::string>& words, CollideArguments& arguments) {
  auto files = client_support::ParseFlags(CollideFlags(arguments), words);
  if (!files.ok()) return files.status();
  if (files->size() != 2) {
    return absl::InvalidArgumentError(
        absl::StrCat("collide: ", files->size(), " files, expected two, START and END"));
  }
  arguments.files = *std::move(files);
  return absl::OkStatus();
}

std::string CollideHelp() {
  CollideArguments defaults;
  return absl::StrCat(
      "usage: warpyard collide START END [FLAG VALUE]...\n"
      "\n"
      "Asks a server what collides while a mesh moves from START to END: PLY or OBJ files with\n"
      "the same triangles. Prints the number of pairs and the earliest time of impact.\n"
      "\n",
      client_support::FlagsHelp(CollideFlags(defaults)),
      "\n"
      "Exit status: 0 done, 1 no server or it refused, 2 wrong usage or a file that cannot be\n"
      "read or written.\n");
}

}  // namespace warpyard::cli
