// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Every metric and label of the server, once.
#ifndef WARPYARD_SERVER_METRICS_METRIC_NAMES_H_
#define WARPYARD_SERVER_METRICS_METRIC_NAMES_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace warpyard::server {

struct MetricName {
  const char* name;
  const char* help;
};

// Counted by the server. What a client asks for is either rejected (the engine never gets it) or
// submitted and, in the end, finished.
inline constexpr MetricName kJobsSubmitted = {"warpyard_jobs_submitted_total",
                                              "Jobs that were handed to the engine."};
inline constexpr MetricName kJobsRejected = {
    "warpyard_jobs_rejected_total", "Jobs that were refused before they reached the engine."};
inline constexpr MetricName kJobsFinished = {"warpyard_jobs_finished_total",
                                             "Jobs that the engine ended, by how they ended."};
inline constexpr MetricName kJobDuration = {
    "warpyard_job_duration_seconds", "Time from a job's hand-over to the engine to its end."};
inline constexpr MetricName kJobPhaseDuration = {"warpyard_job_phase_duration_seconds",
                                                 "Time of each phase of jobs that ended well."};
inline constexpr MetricName kRpcCompleted = {"warpyard_rpc_completed_total",
                                             "Calls that ended, by gRPC status code."};
inline constexpr MetricName kBuildInfo = {"warpyard_build_info",
                                          "Always 1; the labels say what runs."};

// Read from the engine when scraped.
inline constexpr MetricName kQueueItems = {"warpyard_queue_items", "Items that wait in a queue."};
inline constexpr MetricName kQueueCapacity = {"warpyard_queue_capacity_items",
                                              "Items that a queue can hold."};
inline constexpr MetricName kProcedureItems = {"warpyard_procedure_items_total",
                                               "Items that a procedure has executed."};
inline constexpr MetricName kProcedureBusy = {
    "warpyard_procedure_busy_seconds_total",
    "Time that workers spent in a procedure, summed over workers."};
inline constexpr MetricName kJobsRunning = {"warpyard_jobs_running", "Jobs that run now."};
inline constexpr MetricName kScenes = {"warpyard_scenes", "Scenes that are open."};
inline constexpr MetricName kMemory = {"warpyard_memory_bytes",
                                       "Memory that scenes and jobs take on the device."};
inline constexpr MetricName kMemoryLimit = {"warpyard_memory_limit_bytes",
                                            "Memory that scenes and jobs may take."};

// Values of the label "kind".
enum class JobKind : std::size_t { kOpenScene, kStep };
inline constexpr std::array<const char*, 2> kJobKindNames = {"collision_open_scene",
                                                             "collision_step"};

// Values of the label "priority": in the order of warpyard::Priority.
inline constexpr std::array<const char*, 4> kPriorityNames = {"low", "normal", "high", "urgent"};

// Values of the label "reason".
enum class RejectReason : std::size_t { kInvalid, kNotFound, kDraining };
inline constexpr std::array<const char*, 3> kRejectReasonNames = {"invalid", "not_found",
                                                                  "draining"};

// Values of the label "outcome".
enum class JobOutcome : std::size_t { kOk, kCancelled, kExpired, kExhausted, kFailed };
inline constexpr std::array<const char*, 5> kJobOutcomeNames = {"ok", "cancelled", "expired",
                                                                "exhausted", "failed"};

// Values of the label "method".
enum class RpcMethod : std::size_t { kOpenScene, kStep, kStreamSteps, kDetect, kCloseScene };
inline constexpr std::array<const char*, 5> kRpcMethodNames = {
    "warpyard.v1.CollisionService/OpenScene", "warpyard.v1.CollisionService/Step",
    "warpyard.v1.CollisionService/StreamSteps", "warpyard.v1.CollisionService/Detect",
    "warpyard.v1.CollisionService/CloseScene"};

// Values of the label "code": in the order of their numbers.
inline constexpr std::array<const char*, 17> kStatusCodeNames = {
    "OK",        "CANCELLED",      "UNKNOWN",           "INVALID_ARGUMENT",   "DEADLINE_EXCEEDED",
    "NOT_FOUND", "ALREADY_EXISTS", "PERMISSION_DENIED", "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION",
    "ABORTED",   "OUT_OF_RANGE",   "UNIMPLEMENTED",     "INTERNAL",           "UNAVAILABLE",
    "DATA_LOSS", "UNAUTHENTICATED"};

// Values of the label "phase", by kind.
inline constexpr std::array<std::string_view, 3> kOpenScenePhases = {"queue", "copy_in", "build"};
inline constexpr std::array<std::string_view, 6> kStepPhases = {"queue", "copy_in", "refit",
                                                                "broad", "narrow",  "copy_out"};

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_METRICS_METRIC_NAMES_H_
