// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// All metrics and labels of the server.
#ifndef WARPYARD_SERVER_METRICS_METRIC_NAMES_H_
#define WARPYARD_SERVER_METRICS_METRIC_NAMES_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "absl/status/status.h"

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
inline constexpr MetricName kJobsQueued = {
    "warpyard_queue_jobs", "Jobs of the engine that have not got their place on a device yet."};
inline constexpr MetricName kJobQueueWait = {
    "warpyard_job_queue_wait_seconds",
    "Time from a job's hand-over until it started, or ended without a start."};
inline constexpr MetricName kDeadlineJobs = {"warpyard_deadline_jobs_total",
                                             "Jobs with a deadline that ended."};
inline constexpr MetricName kDeadlineMisses = {"warpyard_deadline_misses_total",
                                               "Jobs that had not ended at their deadline."};
inline constexpr MetricName kDeadlineSlack = {
    "warpyard_deadline_slack_seconds",
    "Time left to the deadline at the end of a job, less than 0 if it was late."};
inline constexpr MetricName kCancellations = {
    "warpyard_cancellations_total", "Jobs that ended cancelled, by where the cancel met them."};
inline constexpr MetricName kCancelLatency = {"warpyard_cancel_latency_seconds",
                                              "Time from a client's cancel to the end of its job."};
inline constexpr MetricName kCallersRefused = {
    "warpyard_callers_refused_total",
    "Calls over TLS whose caller is not known: refused before their request was read."};
inline constexpr MetricName kResidentsExpired = {
    "warpyard_residents_expired_total",
    "Residents that were closed because nobody used them for long."};
inline constexpr MetricName kUploadsExpired = {
    "warpyard_uploads_expired_total",
    "Uploads that were dropped because nobody used them for long."};
inline constexpr MetricName kRpcStarted = {"warpyard_rpc_started_total", "Calls that arrived."};
inline constexpr MetricName kRpcCompleted = {"warpyard_rpc_completed_total",
                                             "Calls that ended, by gRPC status code."};
inline constexpr MetricName kRpcDuration = {
    "warpyard_rpc_duration_seconds",
    "Time from a call's arrival until its status was handed to gRPC."};
inline constexpr MetricName kRpcReceived = {"warpyard_rpc_received_bytes_total",
                                            "Messages received, before they are parsed."};
inline constexpr MetricName kRpcSent = {"warpyard_rpc_sent_bytes_total",
                                        "Messages handed to gRPC."};
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
inline constexpr MetricName kReady = {"warpyard_ready", "1 while health is SERVING; else 0."};

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
inline constexpr MetricName kDeviceHeld = {"warpyard_device_held_seconds_total",
                                           "Time in which jobs with more time, or without a "
                                           "deadline, waited for one with a near deadline."};
inline constexpr MetricName kDeviceProgressAge = {
    "warpyard_device_progress_age_seconds",
    "Time since the workers of a device with running events were last seen to do anything."};
inline constexpr MetricName kAdmissionJobs = {
    "warpyard_admission_jobs_total",
    "Jobs with a deadline, by what a device's admission has decided of them."};
inline constexpr MetricName kAdmissionBacklog = {
    "warpyard_admission_backlog_seconds",
    "Expected time until a device has done all accepted jobs with a deadline."};
inline constexpr MetricName kAdmissionSafety = {
    "warpyard_admission_safety_ratio",
    "Factor of expected work: it grows while accepted jobs are late."};
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
inline constexpr MetricName kProcedureLongest = {"warpyard_procedure_longest_seconds",
                                                 "Longest time of items executed together."};
inline constexpr MetricName kJobsPending = {"warpyard_jobs_pending",
                                            "Jobs that wait to be given to a device."};
inline constexpr MetricName kJobsPendingOldest = {
    "warpyard_jobs_pending_oldest_age_seconds",
    "How long the oldest job has waited for a device; 0: none waits."};
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

// Read from the tenants at each scrape, where the server knows tenants.
inline constexpr MetricName kTenantInfo = {"warpyard_tenant_info",
                                           "Always 1; the labels name the tenant of a number."};
inline constexpr MetricName kTenantCalls = {"warpyard_tenant_calls",
                                            "Calls of a tenant that are being served."};
inline constexpr MetricName kTenantRequests = {"warpyard_tenant_request_bytes",
                                               "Requests of a tenant whose jobs have not ended."};
inline constexpr MetricName kTenantResidents = {"warpyard_tenant_residents",
                                                "Residents of a tenant that are open."};
inline constexpr MetricName kTenantRefused = {"warpyard_tenant_refused_total",
                                              "Times that a limit of a tenant refused something."};

// Read from the operating system at each scrape. The names are those of other programs.
inline constexpr MetricName kProcessCpu = {"process_cpu_seconds_total",
                                           "Time of the processors, in user and system mode."};
inline constexpr MetricName kProcessResident = {"process_resident_memory_bytes",
                                                "Memory of the process that is resident."};
inline constexpr MetricName kProcessVirtual = {"process_virtual_memory_bytes",
                                               "Address space of the process."};
inline constexpr MetricName kProcessOpenFiles = {"process_open_fds",
                                                 "File descriptors that are open."};
inline constexpr MetricName kProcessMaxFiles = {"process_max_fds",
                                                "File descriptors that may be open."};
inline constexpr MetricName kProcessThreads = {"process_threads", "Threads of the process."};
inline constexpr MetricName kProcessStart = {"process_start_time_seconds",
                                             "When the process started, since 1970."};

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
enum class JobOutcome : std::size_t { kOk, kCancelled, kExpired, kExhausted, kFailed, kRefused };
inline constexpr std::array<const char*, 6> kJobOutcomeNames = {
    "ok", "cancelled", "expired", "exhausted", "failed", "refused"};

// Values of the label "stage": where a cancel met its job.
enum class CancelStage : std::size_t { kQueued, kRunning };
inline constexpr std::array<const char*, 2> kCancelStageNames = {"queued", "running"};

// Values of the label "code": those that the server gives. UNKNOWN stands for all others.
inline constexpr std::array<const char*, 12> kStatusCodeNames = {"UNKNOWN",
                                                                 "OK",
                                                                 "CANCELLED",
                                                                 "INVALID_ARGUMENT",
                                                                 "DEADLINE_EXCEEDED",
                                                                 "NOT_FOUND",
                                                                 "PERMISSION_DENIED",
                                                                 "RESOURCE_EXHAUSTED",
                                                                 "FAILED_PRECONDITION",
                                                                 "INTERNAL",
                                                                 "UNAVAILABLE",
                                                                 "UNAUTHENTICATED"};
inline constexpr std::array<absl::StatusCode, 12> kStatusCodes = {
    absl::StatusCode::kUnknown,
    absl::StatusCode::kOk,
    absl::StatusCode::kCancelled,
    absl::StatusCode::kInvalidArgument,
    absl::StatusCode::kDeadlineExceeded,
    absl::StatusCode::kNotFound,
    absl::StatusCode::kPermissionDenied,
    absl::StatusCode::kResourceExhausted,
    absl::StatusCode::kFailedPrecondition,
    absl::StatusCode::kInternal,
    absl::StatusCode::kUnavailable,
    absl::StatusCode::kUnauthenticated};

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_METRICS_METRIC_NAMES_H_
