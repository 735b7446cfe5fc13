// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "benchmarks/scheduler/session.h"

#include <functional>
#include <utility>

#include "core/base/macros.h"

namespace warpyard::bench {

absl::StatusOr<Counters> Counters::Create(device::Backend& backend) {
  Counters counters;
  counters.backend_ = &backend;
  WY_ASSIGN_OR_RETURN(counters.array_,
                      memory::DeviceArray<synthetic::SyntheticResults>::Create(backend, 1));
  WY_RETURN_IF_ERROR(counters.Clear());
  return counters;
}

absl::Status Counters::Clear() {
  const synthetic::SyntheticResults zero{};
  return backend_->CopyIn(array_.data(), &zero, sizeof zero);
}

absl::StatusOr<synthetic::SyntheticTotals> Counters::Read() const {
  synthetic::SyntheticResults results{};
  WY_RETURN_IF_ERROR(backend_->CopyOut(&results, array_.data(), sizeof results));
  return synthetic::TotalOf(results);
}

absl::StatusOr<std::unique_ptr<Session>> Session::Create(Machine& machine,
                                                         const model::ResidentOptions& options) {
  WY_ASSIGN_OR_RETURN(std::unique_ptr<LoadModel> model, machine.CreateModel(options));
  return Adopt(machine, std::move(model));
}

absl::StatusOr<std::unique_ptr<Session>> Session::Adopt(Machine& machine,
                                                        std::unique_ptr<LoadModel> model) {
  std::unique_ptr<Session> session(new Session(machine, std::move(model)));
  WY_ASSIGN_OR_RETURN(session->counters_, Counters::Create(machine.backend()));
  return session;
}

Session::Session(Machine& machine, std::unique_ptr<LoadModel> model)
    : machine_(machine), model_(std::move(model)) {
  machine_.backend().SetQuietRunner(
      [this](const std::function<absl::Status()>& work) { return model_->RunQuietly(work); });
}

Session::~Session() { machine_.backend().SetQuietRunner(nullptr); }

double Session::WorkersBusySeconds() const {
  const model::ModelStatistics statistics = model_->Statistics();
  double busy_ns = 0;
  for (const model::ProcedureCounters& procedure : statistics.procedures) {
    busy_ns += static_cast<double>(procedure.busy_ns);
  }
  return busy_ns * 1e-9 / static_cast<double>(statistics.workers);
}

absl::StatusOr<procedure::StageTimes> Session::Run(const synthetic::SyntheticJob& job) {
  const procedure::CancelToken never;
  return model_->Run(job, {}, never);
}

absl::StatusOr<bool> Session::IsRight(synthetic::SyntheticJob job) {
  WY_RETURN_IF_ERROR(counters_.Clear());
  job.counting = synthetic::Counting::kElements;
  job.results = counters_.device();
  WY_RETURN_IF_ERROR(Run(job).status());
  WY_ASSIGN_OR_RETURN(const synthetic::SyntheticTotals totals, counters_.Read());
  return totals == synthetic::CountNodes(job);
}

}  // namespace warpyard::bench
