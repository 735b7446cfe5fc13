// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Derivations on a CUDA device: the same bytes as on CPU threads.

#include "core/api/grammar.h"

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/engine/engine.h"
#include "tests/support/grammar/derive_driver.h"
#include "tests/support/grammar/scene_text.h"
#include "tests/support/grammar/showcase.h"
#include "tests/unit/engine/engine_driver.h"

namespace warpyard::test_support {
namespace {

using grammar::CompiledGrammar;
using grammar::DeriveOptions;
using grammar::DeriveStatistics;

class GrammarOnDevice : public ::testing::Test {
 protected:
  void SetUp() override {
    EngineOptions options;
    options.backend = BackendChoice::kCuda;
    auto engine = Engine::Create(options);
    if (!engine.ok()) GTEST_SKIP() << engine.status();
    cuda_ = *std::move(engine);
  }

  absl::StatusOr<Derived> DeriveOnDevice(const std::string& text, DeriveOptions options) {
    Completion<CompiledGrammar> compiled;
    grammar::Compile(*cuda_, {{"test.wyg", text}}, {}, compiled.Callback());
    WY_ASSIGN_OR_RETURN(const CompiledGrammar opened, compiled.Await());
    if (!opened.compiled) return absl::InvalidArgumentError("the text has errors");
    Derived derived;
    Completion<DeriveStatistics> done;
    options.take = [&](grammar::DerivedBatch batch, const procedure::CancelToken&) {
      derived.instances.insert(derived.instances.end(), batch.instances.begin(),
                               batch.instances.end());
      return absl::OkStatus();
    };
    grammar::Derive(*cuda_, opened.id, std::move(options), {}, done.Callback());
    WY_ASSIGN_OR_RETURN(derived.statistics, done.Await());
    WY_RETURN_IF_ERROR(cuda_->Close(opened.id));
    return derived;
  }

  /// Expects the same bytes of both backends. `found` gets the statistics, if it is not null.
  void Compare(const std::string& text, const DeriveOptions& options,
               DeriveStatistics* found = nullptr) {
    const auto on_cuda = DeriveOnDevice(text, options);
    ASSERT_TRUE(on_cuda.ok()) << on_cuda.status();
    DeriveDriver cpu(4);
    ASSERT_TRUE(cpu.Open(text).ok());
    const auto on_cpu = cpu.Derive(options);
    ASSERT_TRUE(on_cpu.ok()) << on_cpu.status();
    EXPECT_GT(on_cpu->instances.size(), 0u);
    EXPECT_EQ(on_cuda->statistics.nodes, on_cpu->statistics.nodes);
    EXPECT_EQ(on_cuda->statistics.checksum, on_cpu->statistics.checksum);
    EXPECT_EQ(on_cuda->statistics.occluded, on_cpu->statistics.occluded);
    EXPECT_EQ(on_cuda->statistics.reports, on_cpu->statistics.reports);
    if (found != nullptr) *found = on_cuda->statistics;
    ASSERT_EQ(on_cuda->instances.size(), on_cpu->instances.size());
    EXPECT_EQ(std::memcmp(on_cuda->instances.data(), on_cpu->instances.data(),
                          on_cpu->instances.size() * sizeof(grammar::Instance)),
              0);
  }

  std::unique_ptr<Engine> cuda_;
};

TEST_F(GrammarOnDevice, GivesTheBytesOfCpuThreads) {
  DeriveOptions options = Lots(300, 24, 12, 30);
  for (const std::uint64_t seed : {0u, 1u, 7u}) {
    options.seed = seed;
    Compare(kShowcase, options);
  }
}

TEST_F(GrammarOnDevice, GivesTheBytesOfCpuThreadsForAllScenes) {
  const std::pair<const char*, DeriveOptions> scenes[] = {
      {"tree", Lots(1, 0.4f, 3, 0.4f)},         {"residential", Lots(40, 20, 6, 26)},
      {"cross_towers", Lots(2, 113, 214, 80)},  {"skyscraper", Lots(20, 39, 230, 39)},
      {"city_overview", Lots(300, 38, 56, 31)}, {"suburban", Lots(300, 22, 8, 34)}};
  for (const auto& [name, lots] : scenes) {
    const std::string text = SceneText(name);
    if (text.empty()) GTEST_SKIP() << "there is no ../shared/data/grammars";
    DeriveOptions options = lots;
    for (const std::uint64_t seed : {0u, 1u, 7u}) {
      SCOPED_TRACE(absl::StrCat(name, ", seed ", seed));
      options.seed = seed;
      Compare(text, options);
    }
  }
}

TEST_F(GrammarOnDevice, GivesTheBytesOfCpuThreadsInAView) {
  DeriveOptions options = Lots(300, 24, 12, 30);
  grammar::View& view = options.view.emplace();
  view.position[0] = 2000;
  view.pixels = 900;
  view.planes.push_back({1, 0, 0, -500});
  Compare(kShowcase, options);
}

TEST_F(GrammarOnDevice, HidesTheSameBuildings) {
  DeriveOptions options = Lots(300, 24, 12, 30);
  grammar::View& view = options.view.emplace();
  view.position[0] = -40;
  view.position[1] = 2;
  view.position[2] = 12;
  view.hide_occluded = true;
  for (const std::uint64_t seed : {0u, 1u, 7u}) {
    SCOPED_TRACE(absl::StrCat("seed ", seed));
    options.seed = seed;
    DeriveStatistics found;
    Compare(kShowcase, options, &found);
    EXPECT_GT(found.occluded, 0u);
  }
}

TEST_F(GrammarOnDevice, GivesTheBytesOfCpuThreadsWithLittleMemory) {
  DeriveOptions options = Lots(4000, 24, 12, 30);
  options.max_bytes = 16 << 20;
  Compare(kShowcase, options);
}

TEST_F(GrammarOnDevice, EndsRecursionWithoutEnd) {
  const char* const kEndless = "wyg 1; start A; rule A = A;";
  const auto endless = DeriveOnDevice(kEndless, Lots(3, 5, 5, 5));
  EXPECT_EQ(endless.status().code(), absl::StatusCode::kResourceExhausted) << endless.status();
  const char* const kExplosion = "wyg 1; start A; rule A = A A A;";
  DeriveOptions options = Lots(3, 5, 5, 5);
  options.max_bytes = 64 << 20;
  const auto explosion = DeriveOnDevice(kExplosion, options);
  EXPECT_EQ(explosion.status().code(), absl::StatusCode::kResourceExhausted) << explosion.status();
  // The device is as good as before.
  Compare(kShowcase, Lots(10, 24, 12, 30));
}

}  // namespace
}  // namespace warpyard::test_support
