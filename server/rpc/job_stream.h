// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// One call that sends the results of one job in parts.
#ifndef WARPYARD_SERVER_RPC_JOB_STREAM_H_
#define WARPYARD_SERVER_RPC_JOB_STREAM_H_

#include <memory>
#include <mutex>
#include <optional>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "grpcpp/server_context.h"
#include "grpcpp/support/byte_buffer.h"
#include "grpcpp/support/server_callback.h"
#include "server/rpc/service_context.h"

namespace warpyard::server {

/// Base class of the calls whose job makes results while it runs. Results wait as the core's lists,
/// and become messages only when their turn comes, one after the client has taken the one before.
///
/// The call ends when the job has ended and the client has its results, or when the job has ended
/// after the client went away. All events change the state under the lock and then call Advance.
class JobStream : public grpc::ServerWriteReactor<grpc::ByteBuffer>,
                  public CallListener,
                  public std::enable_shared_from_this<JobStream> {
 public:
  /// Answers one call with `Stream`, a class derived from this one.
  /// @shape request: belongs to gRPC; it is parsed, and its bytes are freed
  template <class Stream, class Own>
  static grpc::ServerWriteReactor<grpc::ByteBuffer>* Start(Own& own,
                                                           grpc::CallbackServerContext* context,
                                                           const grpc::ByteBuffer* request) {
    const auto stream = std::make_shared<Stream>(own, *context);
    stream->self_ = stream;
    stream->StartJob(const_cast<grpc::ByteBuffer*>(request));
    return stream.get();
  }

 protected:
  /// How metrics count a call: its method and the kind of its job.
  struct Kind {
    MethodSeries& method;
    JobSeries& job;
  };

  JobStream(ServiceContext& service, grpc::CallbackServerContext& context, Kind kind);
  ~JobStream() override = default;

  /// Checks the request and submits its job. @errors what is wrong with it
  virtual absl::Status Begin(grpc::ByteBuffer* request) = 0;

  // Called with the lock held.
  /// Makes the next message; false: none is ready.
  virtual bool NextPart(grpc::ByteBuffer* part) = 0;
  /// The client has taken the message.
  virtual void PartIsTaken() = 0;
  /// Whether results wait that the client does not have in full.
  virtual bool HasResults() const = 0;
  /// Drops the results that wait.
  virtual void DropResults() = 0;

  /// The job has ended.
  void OnJobDone(const absl::Status& status);
  /// Drops the results and ends the job.
  void Fail(const absl::Status& why);
  /// Sends the next message, or ends the call.
  void Advance();

  ServiceContext& service() { return service_; }
  JobTicket Ticket(const JobOptions& options) const { return {kind_.job, options, handle_}; }
  CallTimes Times() const { return TimesOf(context_); }
  std::mutex& mutex() { return mutex_; }
  /// Why no result is sent any more. Call with the lock held.
  const std::optional<absl::Status>& failure() const { return state_.failure; }

 private:
  /// The state of the call.
  struct State {
    bool writing = false;
    absl::Time writing_since;  ///< when the write began
    bool aborting = false;     ///< a thread makes the write fail
    bool finished = false;
    std::optional<absl::Status> failure;
    std::optional<absl::Status> job;  ///< how the job ended
  };

  void StartJob(grpc::ByteBuffer* request);
  void OnWriteDone(bool ok) final;
  void OnCancel() final;
  void OnDone() final;
  void OnDrain() final {}  // an accepted job goes on
  void OnLook() final;
  /// What ends the call now, if anything does. Call with the lock held.
  std::optional<absl::Status> FindEnd() const;

  ServiceContext& service_;
  grpc::CallbackServerContext& context_;
  const Kind kind_;
  CallTracker::Admission admission_;
  const std::shared_ptr<JobHandle> handle_;
  std::shared_ptr<JobStream> self_;  // keeps the call until gRPC is done
  grpc::ByteBuffer outgoing_;        // gRPC reads it during a write

  std::mutex mutex_;
  State state_;  // guarded by mutex_
};

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_RPC_JOB_STREAM_H_
