// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// All metrics and labels of the server.
#ifndef WARPYARD_SERVER_METRICS_METRIC_NAMES_H_
#define WARPYARD_SERVER_METRICS_METRIC_NAMES_H_

#include <array>
#include <cstddef>
#include <cstdint>

namespace warpyard::server {

struct MetricName {
  const char* name;
  const char* help;
};

// Counted by the server. A client's request is either rejected, before the engine gets a job, or
// its job is submitted and, in the end, finished.
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
inline constexpr MetricName kConnections = {
    "warpyard_connections", "Connections to the gRPC port, half a second ago at most."};
inline constexpr MetricName kConnectionsLimit = {"warpyard_connections_limit",
                                                 "Connections that may be open at once."};
inline constexpr MetricName kConnectionsAccepted = {"warpyard_connections_accepted_total",
                                                    "Connections that were handed to gRPC."};
inline constexpr MetricName kConnectionsRefused = {"warpyard_connections_refused_total",
                                                   "Connections that were closed at once."};
inline constexpr MetricName kBuildInfo = {"warpyard_build_info",
                                          "Always 1; the labels say what runs."};

// Read from the engine at each scrape. The metrics of a device have the label "device".
inline constexpr MetricName kDeviceLost = {"warpyard_device_lost",
                                           "1 once a device is lost, for good; else 0."};
inline constexpr MetricName kDeviceResident = {
    "warpyard_device_resident", "1 while a device's workers run or wait for work; else 0."};
inline constexpr MetricName kDeviceIdle = {"warpyard_device_idle",
                                           "1 while no job runs on a device; else 0."};
inline constexpr MetricName kDeviceWorkers = {"warpyard_device_workers",
                                              "Workers of a device: warps, or threads."};
inline constexpr MetricName kDeviceEvents = {"warpyard_device_events",
                                             "Parts of jobs that a device works on now."};
inline constexpr MetricName kDeviceJobs = {"warpyard_device_jobs_running",
                                           "Jobs that a device has been given."};
inline constexpr MetricName kDeviceResidents = {
    "warpyard_device_residents", "Scenes and other residents that live on a device."};
inline constexpr MetricName kDeviceLaunches = {"warpyard_device_launches_total",
                                               "Times that a device's workers were started."};
inline constexpr MetricName kDeviceSpills = {"warpyard_device_spilled_items_total",
                                             "Items that workers of a device gave to others."};
inline constexpr MetricName kDeviceLooks = {
    "warpyard_device_looks_total", "Times that a device's workers looked for items to execute."};
inline constexpr MetricName kDeviceClaims = {"warpyard_device_claims_total",
                                             "Claims by which workers got items of a stage."};
inline constexpr MetricName kDeviceMissedClaims = {
    "warpyard_device_missed_claims_total", "Claims that came too late: no items were left."};
inline constexpr MetricName kDeviceBackOffs = {"warpyard_device_back_offs_total",
                                               "Pauses of workers that found no work."};
inline constexpr MetricName kDeviceBusy = {
    "warpyard_device_busy_seconds_total",
    "Time that workers of a device executed, summed over workers."};
inline constexpr MetricName kTenantBusy = {
    "warpyard_tenant_busy_seconds_total",
    "Time that workers executed on a tenant's account, summed over workers."};
inline constexpr MetricName kQueueItems = {"warpyard_queue_items",
                                           "Items that wait for a procedure."};
inline constexpr MetricName kQueueCapacity = {"warpyard_queue_capacity_items",
                                              "Items that a queue can hold."};
inline constexpr MetricName kProcedureItems = {"warpyard_procedure_items_total",
                                               "Items that a procedure has executed."};
inline constexpr MetricName kProcedureBusy = {
    "warpyard_procedure_busy_seconds_total",
    "Time that workers spent in a procedure, summed over workers."};
inline constexpr MetricName kProcedureSpawned = {"warpyard_procedure_spawned_items_total",
                                                 "Items that a procedure has made."};
inline constexpr MetricName kProcedureShortest = {
    "warpyard_procedure_shortest_seconds",
    "Shortest time of items executed together; 0: none yet."};
inline constexpr MetricName kProcedureLongest = {"warpyard_procedure_longest_seconds",
                                                 "Longest time of items executed together."};
inline constexpr MetricName kJobsPending = {"warpyard_jobs_pending",
                                            "Jobs that wait to be given to a device."};
inline constexpr MetricName kJobsPendingLimit = {"warpyard_jobs_pending_limit",
                                                 "Jobs that may wait."};
inline constexpr MetricName kRequests = {"warpyard_request_bytes",
                                         "Requests that are held for jobs that have not ended."};
inline constexpr MetricName kRequestsLimit = {"warpyard_request_limit_bytes",
                                              "Requests that may be held."};
inline constexpr MetricName kJobsRunning = {"warpyard_jobs_running", "Jobs that run now."};
inline constexpr MetricName kResidents = {"warpyard_residents",
                                          "Scenes and other residents that are open."};
inline constexpr MetricName kResults = {"warpyard_result_bytes",
                                        "Results that wait to be read by clients."};
inline constexpr MetricName kResultsLimit = {"warpyard_result_limit_bytes",
                                             "Results that may wait to be read."};
inline constexpr MetricName kUploads = {"warpyard_uploads", "Uploads that are kept."};
inline constexpr MetricName kUploadBytes = {"warpyard_upload_bytes",
                                            "Memory that is set aside for uploads."};
inline constexpr MetricName kUploadBytesLimit = {"warpyard_upload_limit_bytes",
                                                 "Memory that uploads may take."};
inline constexpr MetricName kMemory = {"warpyard_memory_bytes",
                                       "Memory that residents and jobs take on a device."};
inline constexpr MetricName kMemoryLimit = {"warpyard_memory_limit_bytes",
                                            "Memory that residents and jobs may take."};

// Values of the label "priority": in the order of warpyard::Priority.
inline constexpr std::array<const char*, 4> kPriorityNames = {"low", "normal", "high", "urgent"};

// Values of the label "reason".
enum class RejectReason : std::size_t {
  kInvalid,
  kNotFound,
  kExhausted,
  kDraining,
  kUnauthenticated,
  kNoRight
};
inline constexpr std::array<const char*, 6> kRejectReasonNames = {
    "invalid", "not_found", "exhausted", "draining", "unauthenticated", "no_right"};

// Values of the label "outcome".
enum class JobOutcome : std::size_t { kOk, kCancelled, kExpired, kExhausted, kFailed };
inline constexpr std::array<const char*, 5> kJobOutcomeNames = {"ok", "cancelled", "expired",
                                                                "exhausted", "failed"};

// Values of the label "code": in the order of their numbers.
inline constexpr std::array<const char*, 17> kStatusCodeNames = {
    "OK",        "CANCELLED",      "UNKNOWN",           "INVALID_ARGUMENT",   "DEADLINE_EXCEEDED",
    "NOT_FOUND", "ALREADY_EXISTS", "PERMISSION_DENIED", "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION",
    "ABORTED",   "OUT_OF_RANGE",   "UNIMPLEMENTED",     "INTERNAL",           "UNAVAILABLE",
    "DATA_LOSS", "UNAUTHENTICATED"};

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_METRICS_METRIC_NAMES_H_
