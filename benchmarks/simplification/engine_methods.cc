// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "benchmarks/simplification/engine_methods.h"

#include <future>
#include <utility>

#include "absl/time/clock.h"
#include "core/base/macros.h"

namespace warpyard::simplification_bench {
namespace {

/// Runs a job and waits. @shape start: gets the completion
template <class T, class Start>
absl::StatusOr<T> Await(Start&& start) {
  std::promise<absl::StatusOr<T>> promise;
  start([&](absl::StatusOr<T> result) { promise.set_value(std::move(result)); });
  return promise.get_future().get();
}

}  // namespace

absl::StatusOr<std::unique_ptr<EngineModel>> EngineModel::Open(
    std::span<const float> positions, std::span<const std::uint32_t> triangles) {
  EngineOptions options;
  options.backend = BackendChoice::kCpu;
  options.threads = 1;
  WY_ASSIGN_OR_RETURN(std::unique_ptr<Engine> engine, Engine::Create(options));
  std::unique_ptr<EngineModel> model(new EngineModel(std::move(engine)));
  const simplify::ModelDescription description{
      {geometry::ScalarType::kFloat32, positions.data(), positions.size() / 3}, triangles};
  const absl::Time begin = absl::Now();
  WY_ASSIGN_OR_RETURN(const simplify::ModelInfo info, Await<simplify::ModelInfo>([&](auto done) {
                        simplify::OpenModel(*model->engine_, description, {}, std::move(done));
                      }));
  model->build_milliseconds_ = absl::ToDoubleMilliseconds(absl::Now() - begin);
  model->model_ = info.id;
  return model;
}

absl::StatusOr<simplify::SimplifiedMesh> EngineModel::Simplify(std::uint64_t triangles,
                                                               simplify::Finish finish) {
  simplify::ResultDescription wanted;
  wanted.options.triangles = triangles;
  wanted.options.finish = finish;
  return Await<simplify::SimplifiedMesh>(
      [&](auto done) { simplify::Simplify(*engine_, model_, wanted, {}, std::move(done)); });
}

}  // namespace warpyard::simplification_bench
