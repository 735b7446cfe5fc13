// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Makes a job wait while its client reads too slowly.
#ifndef WARPYARD_SERVER_ADMISSION_UNREAD_WINDOW_H_
#define WARPYARD_SERVER_ADMISSION_UNREAD_WINDOW_H_

#include <cstddef>
#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/procedure/event_runner.h"
#include "server/admission/byte_budget.h"

namespace warpyard::server {

/// Bytes of one call that its client has not read yet. Thread-safe.
///
/// A job that makes large results takes its bytes here, and so waits for its client. Each wait has
/// an end: the client reads, the call closes the window, or the engine cancels the job, which it
/// does at the job's deadline and at its own time limit of jobs.
class UnreadWindow {
 public:
  /// @shape results: the account of all calls; outlives the holds. bytes: that one call may leave
  ///     unread. patience: the longest wait for a client that takes nothing
  UnreadWindow(ByteBudget& results, std::size_t bytes, absl::Duration patience);

  /// Takes bytes of the window and of the account, and waits until there is room in both. More
  /// bytes than the window has find room when nothing else is unread.
  /// @errors CANCELLED: by the token; those of Close; RESOURCE_EXHAUSTED: the account is not so
  ///     large, or the client takes nothing
  absl::StatusOr<ByteBudget::Hold> Take(std::size_t bytes, const procedure::CancelToken& token);

  /// The client has taken a part of what is unread.
  void Progress();

  /// Ends all waits, also later ones, with `why`. Only the first call has an effect.
  void Close(const absl::Status& why);

 private:
  struct State;

  ByteBudget& results_;
  const std::size_t bytes_;
  const absl::Duration patience_;
  const std::shared_ptr<State> state_;  // holds share it
};

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_ADMISSION_UNREAD_WINDOW_H_
