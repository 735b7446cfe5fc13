// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/simplify/result/result_room.h"

#include <algorithm>
#include <bit>

#include "absl/strings/str_cat.h"
#include "core/base/macros.h"
#include "core/base/status_facts.h"
#include "core/workload/simplify/result/frustum.h"

namespace warpyard::simplify {
namespace {

/// The nodes that may be vertices of a result.
std::uint32_t OutputNodes(const ModelView& model) {
  return model.wedges.leaves != 0 ? model.wedges.nodes : model.nodes;
}

/// Makes a list to which stages write, if it is small and they reach it. Its length is the room.
template <class T>
bool MakeDirect(const TaskRun& run, std::size_t length, ResultList<T>& list) {
  list = ResultList<T>();  // first: it may be in the memory that the new one needs
  if (length * sizeof(T) > kMostDirectBytes) return false;
  list = ResultList<T>(length, memory::HostAllocator<T>(run.backend().HostMemory()));
  if (length == 0 || run.MayWriteTo(list.data())) return true;
  list = ResultList<T>();  // without the heap, which is for small lists
  return false;
}

/// Makes the room of a list: direct, or on the device. @shape Element: one or more of T
template <class T, class Element>
absl::Status MakeList(const TaskRun& run, std::size_t count, ResultList<T>& list,
                      Array<Element>& copied, Element*& view) {
  constexpr std::size_t kNumbers = sizeof(Element) / sizeof(T);
  view = nullptr;
  if (count == 0) {
    list = ResultList<T>();
    return absl::OkStatus();
  }
  if (!MakeDirect(run, kNumbers * count, list)) return Take(run.backend(), count, copied, view);
  view = reinterpret_cast<Element*>(list.data());
  return absl::OkStatus();
}

/// Gives a list its length. Copies it, if it is on the device.
template <class T, class Element>
void ReadList(const Element* view, std::size_t length, ResultList<T>& list,
              std::vector<device::HostCopy>& copies) {
  const bool is_copied = list.empty() && length != 0;
  list.resize(length);
  if (is_copied) copies.push_back({list.data(), view, length * sizeof(T)});
}

}  // namespace

absl::Status ResultRoom::TakeViews(const ViewGoal& goal, bool repeats) {
  device::Backend& backend = run_.backend();
  const std::size_t words = ExpandedWords(model_.view);
  if (!goal.previous.empty() && goal.previous.size() != words) {
    return InvalidField("previous_state",
                        absl::StrCat(4 * goal.previous.size(), " bytes, expected ", 4 * words,
                                     " for this model, or none"));
  }
  ViewsView& views = job_.result.views;
  views = {};
  views.repeats = repeats;
  views.count = repeats ? 0 : static_cast<std::uint32_t>(goal.views.size());
  views.hysteresis = goal.previous.empty() ? 1 : goal.hysteresis;
  returns_state_ = goal.returns_state && !repeats;
  if (!repeats) views.first = FrustumOf(goal.views.front(), model_);
  if (views.count > 1) {
    std::vector<ViewFrustum> more;
    for (std::size_t i = 1; i < goal.views.size(); ++i) {
      more.push_back(FrustumOf(goal.views[i], model_));
    }
    WY_RETURN_IF_ERROR(arrays_.frusta.Reserve(backend, kMostViews - 1));
    WY_RETURN_IF_ERROR(
        backend.CopyIn(arrays_.frusta.data(), more.data(), more.size() * sizeof(ViewFrustum)));
    views.more = arrays_.frusta.data();
  }
  if (goal.previous.empty()) return absl::OkStatus();
  if (MakeDirect(run_, words, previous_)) {
    std::copy(goal.previous.begin(), goal.previous.end(), previous_.begin());
    views.previous = previous_.data();
    return absl::OkStatus();
  }
  WY_RETURN_IF_ERROR(arrays_.previous.Reserve(backend, words));
  views.previous = arrays_.previous.data();
  return backend.CopyIn(arrays_.previous.data(), goal.previous.data(), 4 * words);
}

absl::Status ResultRoom::Reserve(const ResultSize& size, SimplifiedMesh& result) {
  const ModelView& model = model_.view;
  const std::uint32_t nodes = OutputNodes(model);
  size_.triangles = std::clamp(size.triangles, 1u, model.triangles);
  size_.vertices = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(
      size.vertices, 1, std::min<std::uint64_t>(nodes, 3 * std::uint64_t{size_.triangles})));
  WY_RETURN_IF_ERROR(ReserveTables());
  WY_RETURN_IF_ERROR(ReserveLists(result));
  return ReserveState(result);
}

absl::Status ResultRoom::ReserveTables() {
  device::Backend& backend = run_.backend();
  const std::size_t triangles = size_.triangles, corners = 3 * triangles;
  const std::size_t slots = std::bit_ceil(2 * triangles);
  const std::size_t words = MarksNodes() ? ExpandedWords(model_.view) : 0;
  WY_RETURN_IF_ERROR(run_.Reserve(std::max<std::size_t>(corners, model_.view.triangles)));
  CutView& cut = job_.cut;
  if (slots > arrays_.table.size()) arrays_.clear_slots = 0;
  if (words > arrays_.expanded.size()) arrays_.clear_words = 0;
  WY_RETURN_IF_ERROR(Take(backend, words, arrays_.expanded, cut.expanded));
  if (words == 0) cut.expanded = nullptr;
  WY_RETURN_IF_ERROR(Take(backend, triangles, arrays_.survivors, cut.survivors));
  WY_RETURN_IF_ERROR(Take(backend, corners, arrays_.mapped, cut.mapped));
  WY_RETURN_IF_ERROR(Take(backend, slots, arrays_.table, cut.table.triangles));
  WY_RETURN_IF_ERROR(Take(backend, slots, arrays_.surplus, cut.table.surplus));
  WY_RETURN_IF_ERROR(Take(backend, triangles, arrays_.slots, cut.slots));
  // Not the sizes of the arrays: those may be from a larger result, and tables are cleared.
  cut.capacity = size_.triangles;
  cut.table.mask = static_cast<std::uint32_t>(slots - 1);
  cut.table.seed = arrays_.seed;
  return ReserveUses();
}

absl::Status ResultRoom::ReserveUses() {
  device::Backend& backend = run_.backend();
  const std::size_t triangles = size_.triangles, corners = 3 * triangles;
  const std::size_t nodes = OutputNodes(model_.view);
  const std::size_t hashed = std::bit_ceil(2 * std::size_t{size_.vertices});
  const std::size_t slots = std::min(hashed, nodes);
  UseArrays& arrays = arrays_.uses;
  UsesView& uses = job_.result.uses;
  WY_RETURN_IF_ERROR(Take(backend, slots, arrays.nodes, uses.nodes));
  WY_RETURN_IF_ERROR(Take(backend, slots, arrays.first_use, uses.first_use));
  WY_RETURN_IF_ERROR(Take(backend, slots, arrays.numbers, uses.numbers));
  WY_RETURN_IF_ERROR(Take(backend, corners, arrays.slots, uses.slots));
  WY_RETURN_IF_ERROR(Take(backend, triangles, arrays.kept, uses.kept));
  WY_RETURN_IF_ERROR(Take(backend, size_.vertices, arrays.firsts, uses.firsts));
  if (model_.view.wedges.leaves != 0) {
    WY_RETURN_IF_ERROR(Take(backend, corners, arrays.points, uses.points));
  }
  uses.is_hashed = slots < nodes;
  uses.slot_count = static_cast<std::uint32_t>(slots);
  uses.capacity = size_.vertices;
  return absl::OkStatus();
}

absl::Status ResultRoom::ReserveLists(SimplifiedMesh& result) {
  const std::size_t triangles = size_.triangles, vertices = size_.vertices;
  const WedgeView& wedges = model_.view.wedges;
  EmitView& emit = job_.emit;
  const auto make = [&](std::size_t count, auto& list, auto& copied, auto*& view) {
    return MakeList(run_, count, list, copied, view);
  };
  WY_RETURN_IF_ERROR(make(vertices, result.positions, positions_, emit.positions));
  WY_RETURN_IF_ERROR(make(3 * triangles, result.triangles, corners_, emit.corners));
  WY_RETURN_IF_ERROR(make(vertices, result.sources, sources_, emit.sources));
  WY_RETURN_IF_ERROR(
      make(vertices * wedges.channels, result.attributes, attributes_, emit.attributes));
  WY_RETURN_IF_ERROR(
      make(wedges.groups != nullptr ? vertices : 0, result.groups, groups_, emit.groups));
  return make(MarksNodes() ? vertices : 0, result.ids, ids_, emit.ids);
}

absl::Status ResultRoom::ReserveState(SimplifiedMesh& result) {
  const std::size_t words = returns_state_ ? ExpandedWords(model_.view) : 0;
  return MakeList(run_, words, result.state, state_, job_.result.views.state);
}

absl::StatusOr<Counters> ResultRoom::Run() {
  const std::size_t slots = std::size_t{job_.cut.table.mask} + 1;
  const std::size_t words = MarksNodes() ? ExpandedWords(model_.view) : 0;
  const std::size_t clear_slots = std::max(arrays_.clear_slots, slots);
  const std::size_t clear_words = std::max(arrays_.clear_words, words);
  job_.result.begins = arrays_.clear_slots < slots || arrays_.clear_words < words;
  arrays_.clear_slots = arrays_.clear_words = 0;
  WY_ASSIGN_OR_RETURN(const Counters counters, run_(SimplifyTask::kResult, job_));
  arrays_.clear_slots = clear_slots;
  arrays_.clear_words = clear_words;
  return counters;
}

absl::Status ResultRoom::Read(const Counters& counters, SimplifiedMesh& result) {
  const EmitView& emit = job_.emit;
  const WedgeView& wedges = model_.view.wedges;
  const std::size_t vertices = counters.vertices;
  std::vector<device::HostCopy> copies;
  ReadList(emit.positions, 3 * vertices, result.positions, copies);
  ReadList(emit.corners, 3 * std::size_t{counters.triangles}, result.triangles, copies);
  ReadList(emit.sources, vertices, result.sources, copies);
  ReadList(emit.attributes, vertices * wedges.channels, result.attributes, copies);
  ReadList(emit.groups, wedges.groups != nullptr ? vertices : 0, result.groups, copies);
  ReadList(emit.ids, MarksNodes() ? vertices : 0, result.ids, copies);
  const std::size_t words = returns_state_ ? ExpandedWords(model_.view) : 0;
  ReadList(job_.result.views.state, words, result.state, copies);
  result.statistics.max_error = std::bit_cast<float>(counters.max_error) * model_.view.frame.extent;
  return copies.empty() ? absl::OkStatus() : run_.backend().CopyAllOut(copies);
}

}  // namespace warpyard::simplify
