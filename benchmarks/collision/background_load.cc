// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "benchmarks/collision/background_load.h"

#include <fstream>
#include <future>
#include <sstream>
#include <utility>

#include "absl/strings/str_format.h"
#include "benchmarks/meshes/procedural_mesh.h"
#include "benchmarks/support/engine_runs.h"
#include "core/api/grammar.h"
#include "core/api/simplify.h"
#include "core/api/synthetic.h"

namespace warpyard::collision_bench {
namespace {

constexpr int kLanes = 2;

BackgroundLoad Packages(Engine& engine, std::uint32_t fma) {
  synthetic::SyntheticJob job;
  job.kind = synthetic::SyntheticKind::kFlat;
  job.elements = 200'000;
  job.work = {synthetic::WorkKind::kFma, fma, 0, 0, nullptr};
  BackgroundLoad load{{}, absl::StrFormat("\"package_fma\": %u", fma), "packages"};
  for (int i = 0; i < kLanes; ++i) {
    load.lanes.push_back([&engine, job](std::function<void(std::uint64_t)> done) {
      synthetic::Run(engine, job, {},
                     [done = std::move(done)](absl::StatusOr<synthetic::SyntheticResult> result) {
                       done(OrExit(std::move(result)).executed);
                     });
    });
  }
  return load;
}

/// A model for each lane: jobs of one model run one at a time.
BackgroundLoad Simplifications(Engine& engine, const std::string& name) {
  const meshes::TriangleMesh mesh = OrExit(meshes::MakeMesh(name));
  const std::vector<float> positions(mesh.positions.begin(), mesh.positions.end());
  simplify::ResultDescription wanted;
  wanted.options.triangles = 100'000;
  BackgroundLoad load{{}, absl::StrFormat("\"simplify\": \"%s\"", name), "meshes"};
  for (int i = 0; i < kLanes; ++i) {
    std::promise<absl::StatusOr<simplify::ModelInfo>> promise;
    simplify::OpenModel(
        engine,
        {{geometry::ScalarType::kFloat32, positions.data(), positions.size() / 3}, mesh.triangles},
        {}, [&](auto info) { promise.set_value(std::move(info)); });
    const ResidentId model = OrExit(promise.get_future().get()).id;
    load.lanes.push_back([&engine, wanted, model](std::function<void(std::uint64_t)> done) {
      simplify::Simplify(engine, model, wanted, {},
                         [done = std::move(done)](absl::StatusOr<simplify::SimplifiedMesh> result) {
                           OrExit(std::move(result));
                           done(1);
                         });
    });
  }
  return load;
}

/// 1,024 parcels, each large enough for a building of any of the recorded grammars.
grammar::DeriveOptions City() {
  constexpr std::uint32_t kSide = 32;
  grammar::DeriveOptions options;
  for (std::uint32_t i = 0; i < kSide * kSide; ++i) {
    grammar::Parcel parcel;
    parcel.position[0] = static_cast<float>(i % kSide) * 45;
    parcel.position[2] = static_cast<float>(i / kSide) * 45;
    parcel.size[0] = parcel.size[2] = 38;
    parcel.size[1] = 56;
    parcel.id = i;
    options.parcels.push_back(parcel);
  }
  return options;
}

/// Each lane derives a grammar of its own, since jobs of one grammar run one at a time.
BackgroundLoad Derivations(Engine& engine, const std::string& file) {
  std::ifstream stream(file);
  std::ostringstream text;
  text << stream.rdbuf();
  BackgroundLoad load{
      {}, absl::StrFormat("\"derive\": \"%s\"", file.substr(file.rfind('/') + 1)), "instances"};
  for (int i = 0; i < kLanes; ++i) {
    std::promise<absl::StatusOr<grammar::CompiledGrammar>> promise;
    grammar::Compile(engine, {{"city.wyg", text.str()}}, {},
                     [&](auto compiled) { promise.set_value(std::move(compiled)); });
    const ResidentId city = OrExit(promise.get_future().get()).id;
    load.lanes.push_back([&engine, city](std::function<void(std::uint64_t)> done) {
      grammar::Derive(engine, city, City(), {},
                      [done = std::move(done)](absl::StatusOr<grammar::DeriveStatistics> result) {
                        done(OrExit(std::move(result)).terminals);
                      });
    });
  }
  return load;
}

}  // namespace

BackgroundLoad MakeLoad(Engine& engine, const LoadChoice& choice) {
  if (!choice.mesh.empty()) return Simplifications(engine, choice.mesh);
  if (!choice.grammar.empty()) return Derivations(engine, choice.grammar);
  return Packages(engine, choice.package_fma);
}

}  // namespace warpyard::collision_bench
