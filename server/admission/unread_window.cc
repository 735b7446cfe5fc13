// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/admission/unread_window.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "server/errors/error_details.h"

namespace warpyard::server {
namespace {

/// A token does not tell when it is cancelled, nor other calls when they give bytes back to the
/// account. So a job that waits looks at both after this time.
constexpr absl::Duration kLookAgain = absl::Milliseconds(10);

}  // namespace

struct UnreadWindow::State {
  std::mutex mutex;
  std::condition_variable changed;
  std::size_t unread = 0;              // guarded by mutex
  absl::Time progress;                 // of the client; guarded by mutex
  std::optional<absl::Status> closed;  // guarded by mutex
};

UnreadWindow::UnreadWindow(ByteBudget& results, std::size_t bytes, absl::Duration patience)
    : results_(results), bytes_(bytes), patience_(patience), state_(std::make_shared<State>()) {}

absl::StatusOr<ByteBudget::Hold> UnreadWindow::Take(std::size_t bytes,
                                                    const procedure::CancelToken& token) {
  std::unique_lock lock(state_->mutex);
  const absl::Time begin = absl::Now();
  while (true) {
    if (state_->closed) return *state_->closed;
    const std::size_t unread = state_->unread;
    if (unread == 0 || (unread < bytes_ && bytes <= bytes_ - unread)) {
      absl::StatusOr<ByteBudget::Hold> taken = results_.Take(bytes);
      if (taken.ok()) {
        state_->unread += bytes;
        return ByteBudget::Hold(taken->get(),
                                [state = state_, taken = *taken, bytes](void*) mutable {
                                  taken.reset();
                                  {
                                    const std::lock_guard guard(state->mutex);
                                    state->unread -= bytes;
                                  }
                                  state->changed.notify_all();
                                });
      }
      if (bytes > results_.limit()) return taken.status();
    }
    if (token.Cancelled()) {
      return absl::CancelledError("the job was cancelled while it waited for its client to read");
    }
    // The job keeps a thread of the engine, which jobs of other clients need.
    if (unread != 0 && absl::Now() - std::max(begin, state_->progress) > patience_) {
      return MakeError(
          ErrorReason::kSlowReader,
          absl::StrCat("results: the client has read none for ", absl::FormatDuration(patience_)));
    }
    state_->changed.wait_until(lock, absl::ToChronoTime(absl::Now() + kLookAgain));
  }
}

void UnreadWindow::Progress() {
  const std::lock_guard lock(state_->mutex);
  state_->progress = absl::Now();
}

void UnreadWindow::Close(const absl::Status& why) {
  {
    const std::lock_guard lock(state_->mutex);
    if (!state_->closed) state_->closed = why;
  }
  state_->changed.notify_all();
}

}  // namespace warpyard::server
