// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// warpyard simplify IN OUT: coarser meshes of a file.

#include "client_examples/cpp/command.h"

#include <algorithm>
#include <cstddef>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "client_examples/cpp/simplify/flags.h"
#include "client_examples/cpp/simplify/level.h"
#include "client_examples/cpp/simplify/out_paths.h"
#include "client_examples/cpp/simplify/plan.h"
#include "client_examples/cpp/simplify/remote/model.h"
#include "client_examples/cpp/simplify/report.h"
#include "client_examples/cpp/simplify/run_jobs.h"
#include "client_examples/cpp/simplify/verify.h"
#include "client_examples/mesh_io/files.h"
#include "client_examples/mesh_io/model_io.h"
#include "client_examples/support/connection.h"

namespace warpyard::cli {
namespace {

/// Meshes that are at the service together: a few keep it busy between the calls of one.
constexpr std::size_t kInFlight = 4;

void PrintMeshNotes(const std::vector<std::string>& notes) {
  for (const std::string& note : notes) std::cerr << "warpyard: " << note << "\n";
}

absl::StatusOr<JobLevels> Simplify(const SimplifyArguments& arguments, std::vector<MeshJob>& jobs) {
  const auto channel = client_support::Connect(arguments.server);
  if (!channel.ok()) return channel.status();
  RemoteService service(*channel);
  service.keep_uploads = arguments.keep_upload;
  // A job with a deadline shares the device with no other one of this file.
  return RunJobs(
      service,
      {std::max<std::size_t>(1, arguments.lods), arguments.deadline_ms > 0 ? 1 : kInFlight}, jobs);
}

/// Writes the levels of a file and tells of them.
class LevelWriter {
 public:
  LevelWriter(const SimplifyArguments& arguments, const mesh_io::Model& input)
      : arguments_(arguments), input_(input) {}

  /// @shape model: what the plan is of; the input, or what is left of it without attributes
  absl::Status Write(const mesh_io::Model& model, const FilePlan& plan,
                     const JobLevels& responses) {
    const std::vector<std::string> paths = OutPaths(arguments_);
    for (std::size_t i = 0; i < paths.size(); ++i) {
      std::vector<const v1::SimplifyResponse*> of_level;
      for (const auto& levels : responses) of_level.push_back(&levels[i]);
      absl::StatusOr<FileLevel> level = MakeLevel(model, plan, of_level);
      if (!level.ok()) return mesh_io::InFile(paths[i], level.status());
      PrintMeshNotes(level->notes);
      absl::Status status =
          mesh_io::WriteModel(paths[i], level->model, {arguments_.meshopt_compression});
      if (!status.ok()) return status;
      reports_.push_back({paths[i], std::move(level->meshes), plan.kept, {}});
      status = Tell(reports_.back());
      if (!status.ok()) return status;
    }
    return absl::OkStatus();
  }

  absl::Status WriteStatistics() const {
    if (arguments_.statistics.empty() || reports_.empty()) return absl::OkStatus();
    const std::string json =
        arguments_.lods == 0 ? StatisticsJson(reports_[0]) : StatisticsJson(reports_);
    return mesh_io::WriteFile(arguments_.statistics, json + "\n");
  }

 private:
  /// Prints what is in a file, and measures it if that is asked for.
  absl::Status Tell(FileReport& report) const {
    if (arguments_.lods > 0) std::cout << report.path << ": ";
    std::cout << TextOf(report) << std::endl;
    if (!arguments_.verify) return absl::OkStatus();
    const absl::StatusOr<mesh_io::Model> written = mesh_io::ReadModel(report.path);
    if (!written.ok()) return written.status();
    const absl::StatusOr<Verification> verification = Verify(input_, *written);
    if (!verification.ok()) return mesh_io::InFile(report.path, verification.status());
    report.verification = *verification;
    std::cout << TextOf(*verification) << std::endl;
    return absl::OkStatus();
  }

  const SimplifyArguments& arguments_;
  const mesh_io::Model& input_;
  std::vector<FileReport> reports_;
};

}  // namespace

int RunSimplify(const std::vector<std::string>& words) {
  SimplifyArguments arguments;
  absl::Status status = ParseSimplify(words, arguments);
  if (status.ok()) status = CheckOutPaths(arguments);
  if (!status.ok()) return FailUsage(status, "simplify");
  const std::string& path = arguments.files[0];
  const absl::StatusOr<mesh_io::Model> input = mesh_io::ReadModel(path);
  if (!input.ok()) return Fail(input.status(), kExitUsage);
  absl::StatusOr<mesh_io::Model> bare = mesh_io::Model();
  if (arguments.drop_attributes) bare = DropAttributes(*input);
  if (!bare.ok()) return Fail(mesh_io::InFile(path, bare.status()), kExitUsage);
  const mesh_io::Model& model = arguments.drop_attributes ? *bare : *input;
  absl::StatusOr<FilePlan> plan = PlanFile(model, arguments);
  if (!plan.ok()) return Fail(mesh_io::InFile(path, plan.status()), kExitUsage);
  PrintMeshNotes(plan->notes);
  const absl::StatusOr<JobLevels> responses = Simplify(arguments, plan->jobs);
  if (!responses.ok()) return Fail(responses.status(), kExitRefused);
  LevelWriter writer(arguments, *input);
  status = writer.Write(model, *plan, *responses);
  if (status.ok()) status = writer.WriteStatistics();
  return status.ok() ? 0 : Fail(status, kExitUsage);
}

}  // namespace warpyard::cli
