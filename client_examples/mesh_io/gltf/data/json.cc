// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/mesh_io/gltf/data/json.h"

#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"

namespace warpyard::mesh_io {
namespace {

// Far above any real file. The library looks through all members of an object for each new one, and
// copies nested values recursively.
constexpr std::size_t kMostMembers = 4'096;
constexpr int kDeepest = 128;

// The largest whole number below which doubles hold all others.
constexpr std::uint64_t kLargest = std::uint64_t{1} << 53;

// Watches the parser and makes it skip everything once a limit is passed.
class Limits {
 public:
  bool operator()(int depth, Json::parse_event_t event) {
    if (depth > kDeepest) problem_ = absl::StrCat("deeper than ", kDeepest, " levels");
    if (event == Json::parse_event_t::object_start) members_.push_back(0);
    if (event == Json::parse_event_t::object_end && !members_.empty()) members_.pop_back();
    if (event == Json::parse_event_t::key && !members_.empty() &&
        ++members_.back() > kMostMembers) {
      problem_ = absl::StrCat("an object with more than ", kMostMembers, " members");
    }
    return problem_.empty();
  }

  const std::string& problem() const { return problem_; }

 private:
  std::vector<std::size_t> members_;
  std::string problem_;
};

const Json& EmptyArray() {
  static const Json* const kEmpty = new Json(Json::array());
  return *kEmpty;
}

std::optional<std::uint64_t> ToUnsigned(const Json& value) {
  if (value.is_number_unsigned()) {
    const auto number = value.get<std::uint64_t>();
    if (number <= kLargest) return number;
  }
  if (value.is_number_float()) {
    const auto number = value.get<double>();
    if (number >= 0 && number <= static_cast<double>(kLargest)) {
      const auto whole = static_cast<std::uint64_t>(number);
      if (static_cast<double>(whole) == number) return whole;
    }
  }
  return std::nullopt;
}

}  // namespace

absl::StatusOr<Json> ParseJson(absl::string_view text) {
  Limits limits;
  try {
    Json json = Json::parse(
        text.begin(), text.end(),
        [&](int depth, Json::parse_event_t event, Json&) { return limits(depth, event); });
    if (!limits.problem().empty()) {
      return absl::InvalidArgumentError(absl::StrCat("JSON: ", limits.problem()));
    }
    if (!json.is_object()) return absl::InvalidArgumentError("JSON: not an object");
    return json;
  } catch (const nlohmann::json::exception& error) {
    return absl::InvalidArgumentError(absl::StrCat("JSON: ", error.what()));
  }
}

const Json* FindMember(const Json& object, const char* name) {
  if (!object.is_object()) return nullptr;
  const auto found = object.find(name);
  return found == object.end() ? nullptr : &*found;
}

const Json& ArrayMember(const Json& object, const char* name) {
  const Json* const member = FindMember(object, name);
  return member != nullptr && member->is_array() ? *member : EmptyArray();
}

Fields::Fields(const Json& object, std::string place) : object_(object), place_(std::move(place)) {
  if (!object.is_object()) Fail("is not an object");
}

void Fields::Fail(absl::string_view message) {
  status_.Update(absl::InvalidArgumentError(absl::StrCat(place_, ": ", message)));
}

std::optional<std::size_t> Fields::Index(const char* name) {
  const Json* const member = FindMember(object_, name);
  if (member == nullptr) return std::nullopt;
  const std::optional<std::uint64_t> number = ToUnsigned(*member);
  if (!number) Fail(absl::StrCat(name, " is not a whole number"));
  return number.value_or(0);
}

std::uint64_t Fields::Unsigned(const char* name, std::optional<std::uint64_t> otherwise) {
  const std::optional<std::size_t> number = Index(name);
  if (!number && !otherwise) Fail(absl::StrCat(name, " is missing"));
  return number.value_or(otherwise.value_or(0));
}

const Json& Fields::Array(const char* name) {
  const Json* const member = FindMember(object_, name);
  if (member != nullptr && !member->is_array()) Fail(absl::StrCat(name, " is not an array"));
  return ArrayMember(object_, name);
}

std::string Fields::String(const char* name, absl::string_view otherwise) {
  const Json* const member = FindMember(object_, name);
  if (member == nullptr) return std::string(otherwise);
  if (!member->is_string()) {
    Fail(absl::StrCat(name, " is not a string"));
    return "";
  }
  return member->get<std::string>();
}

bool Fields::Bool(const char* name, bool otherwise) {
  const Json* const member = FindMember(object_, name);
  if (member == nullptr) return otherwise;
  if (!member->is_boolean()) {
    Fail(absl::StrCat(name, " is neither true nor false"));
    return false;
  }
  return member->get<bool>();
}

}  // namespace warpyard::mesh_io
