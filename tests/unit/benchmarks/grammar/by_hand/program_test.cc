// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Rules by hand have to make the bytes of the interpreter. They know places of the compiled code,
// so a compiler that numbers them in another way breaks these tests: then write the places anew.
#include "benchmarks/grammar/by_hand/program.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "benchmarks/grammar/by_hand/skyscraper.h"
#include "benchmarks/grammar/by_hand/tree.h"
#include "benchmarks/grammar/scene.h"
#include "core/model/cpu/cpu_workers.h"
#include "tests/support/grammar/derive_driver.h"

namespace warpyard::grammar_by_hand {
namespace {

template <class Program>
class HandWorkers final : public grammar::GrammarRunner {
 public:
  absl::StatusOr<procedure::StageTimes> Run(const grammar::DeriveJob& job,
                                            const procedure::CancelToken& token) override {
    return workers_.Run(typename Program::Job{job}, policy::EventAttributes{}, token);
  }

 private:
  model::CpuWorkers<Program> workers_{2};
};

/// Derives by the interpreter, and then by hand. @shape scene: in the folder of scenes
template <class Rules, Grouping kGrouping>
void ExpectSame(const std::string& scene_word) {
  const std::string folder = WARPYARD_SOURCES "/../shared/data/grammars/";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "there is no ../shared/data/grammars";
  const auto scene = grammar_bench::ReadScene(folder + scene_word);
  ASSERT_TRUE(scene.ok()) << scene.status();
  const auto text = grammar_bench::ReadText(scene->file);
  ASSERT_TRUE(text.ok()) << text.status();
  test_support::DeriveDriver driver(2);
  ASSERT_TRUE(driver.Open(*text).ok());
  grammar::DeriveOptions options = OptionsOf(*scene, driver.grammar().info());
  HandWorkers<HandProgram<Rules, kGrouping>> by_hand;
  for (options.seed = 0; options.seed < 3; ++options.seed) {
    const auto expected = driver.grammar().Derive(driver.runner(), options, driver.token());
    const auto made = driver.grammar().Derive(by_hand, options, driver.token());
    ASSERT_TRUE(expected.ok() && made.ok()) << expected.status() << made.status();
    EXPECT_GT(made->terminals, 0u);
    EXPECT_EQ(made->terminals, expected->terminals);
    EXPECT_EQ(made->checksum, expected->checksum) << scene_word;
    for (std::size_t rule = 0; rule < expected->rules.size(); ++rule) {
      EXPECT_EQ(made->rules[rule].symbols, expected->rules[rule].symbols) << rule;
      EXPECT_EQ(made->rules[rule].dropped, expected->rules[rule].dropped) << rule;
    }
  }
}

template <class Rules>
void ExpectSameInAllGroupings(const std::string& scene) {
  ExpectSame<Rules, Grouping::kByLanes>(scene);
  ExpectSame<Rules, Grouping::kByBlock>(scene);
  ExpectSame<Rules, Grouping::kOneByOne>(scene);
}

TEST(RulesByHand, GrowTheTreesOfTheGrammar) {
  for (const char* const values : {"levels=0", "levels=4,fan=2", "levels=5", "levels=3,fan=4"}) {
    ExpectSameInAllGroupings<Tree>(std::string("tree.wyg:2:0.4x3x0.4:") + values);
  }
}

TEST(RulesByHand, BuildTheSkyscrapersOfTheGrammar) {
  ExpectSameInAllGroupings<Skyscraper>("skyscraper.wyg:3:39x230x39");
  ExpectSameInAllGroupings<Skyscraper>("skyscraper.wyg:2:20x61x7:floor_h=4,bay=2,setback=0.4");
}

TEST(RulesByHand, DropWhatIsTooThinAsTheGrammarDoes) {
  ExpectSameInAllGroupings<Skyscraper>("skyscraper.wyg:1:39x9x39");
  ExpectSameInAllGroupings<Skyscraper>("skyscraper.wyg:1:0.2x40x39");
}

TEST(RulesByHand, TakeUpSmallFramesWhereThereAreManyBuildings) {
  ExpectSameInAllGroupings<Skyscraper>("skyscraper.wyg:400:9x20x9");
}

}  // namespace
}  // namespace warpyard::grammar_by_hand
