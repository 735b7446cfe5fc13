// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/synthetic/convert.h"

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace warpyard::server {
namespace {

using ::testing::HasSubstr;

v1::RunLoadRequest Valid() {
  v1::RunLoadRequest request;
  request.set_elements(10);
  return request;
}

TEST(ToLoad, HasTheDefaultsOfTheContract) {
  const auto job = ToLoad(Valid());
  ASSERT_TRUE(job.ok()) << job.status();
  EXPECT_EQ(job->kind, synthetic::SyntheticKind::kFlat);
  EXPECT_EQ(job->work.kind, synthetic::WorkKind::kNone);
  EXPECT_EQ(job->stages, 1u);
  EXPECT_EQ(job->elements, 10u);
  EXPECT_EQ(job->growth.depths, 1u);
  EXPECT_EQ(job->fault, synthetic::Fault::kNone);
}

TEST(ToLoad, TakesWhatIsGiven) {
  v1::RunLoadRequest request = Valid();
  request.set_kind(v1::LOAD_KIND_TREE);
  request.set_seed(9);
  request.set_stages(4);
  v1::LoadGrowth& growth = *request.mutable_growth();
  growth.set_depths(5);
  growth.set_first_child_permille(600);
  growth.set_second_child_permille(300);
  growth.set_decline_from(2);
  growth.set_decline_permille(50);
  growth.set_type_change_permille(750);
  v1::LoadWork& work = *request.mutable_work();
  work.set_kind(v1::LOAD_WORK_KIND_MEMORY);
  work.set_amount(100);
  work.set_spread_permille(500);
  work.set_memory_words(4096);
  const auto job = ToLoad(request);
  ASSERT_TRUE(job.ok()) << job.status();
  EXPECT_EQ(job->kind, synthetic::SyntheticKind::kTree);
  EXPECT_EQ(job->seed, 9u);
  EXPECT_EQ(job->stages, 4u);
  EXPECT_EQ(job->growth.depths, 5u);
  EXPECT_EQ(job->growth.child_permille[0], 600u);
  EXPECT_EQ(job->growth.child_permille[1], 300u);
  EXPECT_EQ(job->growth.decline_from, 2u);
  EXPECT_EQ(job->growth.decline_permille, 50u);
  EXPECT_EQ(job->growth.type_change_permille, 750u);
  EXPECT_EQ(job->work.kind, synthetic::WorkKind::kMemory);
  EXPECT_EQ(job->work.amount, 100u);
  EXPECT_EQ(job->work.spread_permille, 500u);
  EXPECT_EQ(job->work.memory_words, 4096u);
}

TEST(ToLoad, CountsElementsUnlessToldNotTo) {
  v1::RunLoadRequest request = Valid();
  EXPECT_EQ(ToLoad(request)->counting, synthetic::Counting::kElements);
  request.set_uncounted(true);
  EXPECT_EQ(ToLoad(request)->counting, synthetic::Counting::kOff);
  request.set_kind(v1::LOAD_KIND_PRIORITISED);
  request.set_total(20);
  request.set_levels(8);
  EXPECT_THAT(std::string(ToLoad(request).status().message()), HasSubstr("uncounted"));
}

TEST(ToLoad, KnowsEveryKind) {
  v1::RunLoadRequest request = Valid();
  for (int kind = v1::LOAD_KIND_FLAT; kind < v1::LOAD_KIND_PRIORITISED; ++kind) {
    request.set_kind(static_cast<v1::LoadKind>(kind));
    EXPECT_EQ(static_cast<int>(ToLoad(request)->kind), kind - 1);
  }
  request.set_kind(v1::LOAD_KIND_PRIORITISED);
  request.set_total(20);
  request.set_levels(8);
  const auto job = ToLoad(request);
  EXPECT_EQ(job->kind, synthetic::SyntheticKind::kPrioritised);
  EXPECT_EQ(job->total, 20u);
  EXPECT_EQ(job->levels, 8u);
  request = Valid();
  request.set_kind(v1::LOAD_KIND_FLAT_WARPS);
  EXPECT_EQ(ToLoad(request)->kind, synthetic::SyntheticKind::kFlatWarps);
}

TEST(ToLoad, RefusesWhatIsWrongAndNamesTheField) {
  using Break = std::function<void(v1::RunLoadRequest&)>;
  const std::vector<std::pair<std::string, Break>> cases = {
      {"kind: unknown value 9",
       [](v1::RunLoadRequest& r) { r.set_kind(static_cast<v1::LoadKind>(9)); }},
      {"work.kind: unknown value 5",
       [](v1::RunLoadRequest& r) { r.mutable_work()->set_kind(static_cast<v1::LoadWorkKind>(5)); }},
      {"elements: 0", [](v1::RunLoadRequest& r) { r.clear_elements(); }},
      {"stages: 5", [](v1::RunLoadRequest& r) { r.set_stages(5); }},
      {"total: 1", [](v1::RunLoadRequest& r) { r.set_total(1); }},
      {"levels: 1", [](v1::RunLoadRequest& r) { r.set_levels(1); }},
      {"growth.depths: 65", [](v1::RunLoadRequest& r) { r.mutable_growth()->set_depths(65); }},
      {"work.amount: 7", [](v1::RunLoadRequest& r) { r.mutable_work()->set_amount(7); }},
      {"work.memory_words: 7",
       [](v1::RunLoadRequest& r) { r.mutable_work()->set_memory_words(7); }}};
  for (const auto& [part, break_it] : cases) {
    v1::RunLoadRequest request = Valid();
    break_it(request);
    const auto job = ToLoad(request);
    EXPECT_EQ(job.status().code(), absl::StatusCode::kInvalidArgument) << part;
    EXPECT_THAT(std::string(job.status().message()), HasSubstr(part));
  }
}

TEST(ToProto, TellsWhatALoadJobDid) {
  synthetic::SyntheticResult result;
  result.executed = 3000;
  result.checksum = 17;
  result.queue = absl::Seconds(1);
  result.prepare = absl::Seconds(2);
  result.run = absl::Milliseconds(1500);
  v1::RunLoadResponse response;
  ToProto(result, &response);
  EXPECT_EQ(response.executed_elements(), 3000u);
  EXPECT_EQ(response.checksum(), 17u);
  EXPECT_EQ(response.elements_per_second(), 2000);
  ASSERT_EQ(response.phases_size(), 3);
  EXPECT_EQ(response.phases(2).phase(), "run");
  EXPECT_EQ(response.phases(2).duration().nanos(), 500'000'000);
  result.run = absl::ZeroDuration();
  ToProto(result, &response);
  EXPECT_EQ(response.elements_per_second(), 0);
}

}  // namespace
}  // namespace warpyard::server
