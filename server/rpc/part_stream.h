// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// One call that streams the result of its job while the job still runs.
#ifndef WARPYARD_SERVER_RPC_PART_STREAM_H_
#define WARPYARD_SERVER_RPC_PART_STREAM_H_

#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "grpcpp/server_context.h"
#include "grpcpp/support/byte_buffer.h"
#include "grpcpp/support/server_callback.h"
#include "server/identity/call_identity.h"
#include "server/rpc/admission.h"
#include "server/rpc/service_context.h"

namespace warpyard::server {

/// A piece of a result. It is destroyed when the client has all of it.
class ResultPiece {
 public:
  /// Limit of the lists in one message.
  static constexpr std::size_t kMaxPartBytes = std::size_t{1} << 20;

  virtual ~ResultPiece() = default;
  /// The next message.
  virtual grpc::ByteBuffer Next() = 0;
  /// Whether Next has given all messages.
  virtual bool done() const = 0;
};

/// Base class of the calls with a stream of responses. Reactor: ServerWriteReactor where there is
/// one request; ServerBidiReactor where the client streams, too.
///
/// The job gives pieces of its result. A piece becomes messages only when its turn comes, one after
/// the client has taken the one before. The call ends when the job has ended and the client has all
/// pieces, or when the job has ended after the client went away. All events change the state under
/// the lock and then call Advance.
template <class Reactor>
class PartStreamOf : public Reactor,
                     public CallListener,
                     public std::enable_shared_from_this<PartStreamOf<Reactor>> {
 public:
  using Piece = ResultPiece;
  static constexpr std::size_t kMaxPartBytes = ResultPiece::kMaxPartBytes;

  /// Answers one call with `Stream`, a class derived from this one.
  /// @shape Own: what the workload's calls work with; Stream(Own&, context). request: belongs to
  ///     gRPC; it is parsed, and its bytes are freed. Null: the client streams, and the stream
  ///     reads in OnAdmitted
  template <class Stream, class Own>
  static Reactor* Start(Own& own, grpc::CallbackServerContext* context,
                        const grpc::ByteBuffer* request) {
    const auto stream = std::make_shared<Stream>(own, *context);
    stream->self_ = stream;
    stream->Begin(const_cast<grpc::ByteBuffer*>(request));
    return stream.get();
  }

 protected:
  /// How metrics count a call: its method and the kind of its job.
  struct Kind {
    MethodSeries& method;
    JobSeries& job;
  };

  PartStreamOf(ServiceContext& service, grpc::CallbackServerContext& context, Kind kind);
  ~PartStreamOf() override = default;

  /// Checks the request and starts the job. @errors what is wrong with the request
  virtual absl::Status Run(grpc::ByteBuffer* request) = 0;
  /// Called instead where the client streams.
  virtual void OnAdmitted() {}
  /// Called when no further piece can be sent. @scope without a lock, maybe more than once
  virtual void OnFail(const absl::Status&) {}

  /// Takes a piece from the job. @errors why the call ends
  absl::Status Add(std::unique_ptr<Piece> piece);
  /// Must be called once, after the last piece. @shape status: of the job, or of the last one
  void OnJobDone(const absl::Status& status);
  /// Drops the pieces and ends the job. A client that reads nothing learns why.
  void Abort(const absl::Status& why);
  void OnCancel() override;
  void OnLook() override;

  ServiceContext& service() { return service_; }
  grpc::CallbackServerContext& context() { return context_; }
  MethodSeries& method() { return kind_.method; }
  const CallFacts& facts() const { return facts_; }
  ResidentTable::Owner owner() const { return facts_.caller.owner(); }
  JobTicket Ticket(const JobOptions& options) const {
    return {kind_.job, options, handle_, identity_};
  }

 private:
  /// The state of the call.
  struct State {
    bool writing = false;
    absl::Time writing_since;  ///< when the write began
    bool aborting = false;     ///< a thread makes the write fail
    bool finished = false;
    std::optional<absl::Status> failure;  ///< why nothing is sent any more
    std::optional<absl::Status> job;      ///< how the job ended
  };

  void OnWriteDone(bool ok) override;
  void OnDone() override;
  void OnDrain() override {}  // an accepted job goes on

  void Begin(grpc::ByteBuffer* request);
  absl::Status Admit(grpc::ByteBuffer* request);
  void AbortLocked(std::unique_lock<std::mutex> lock, const absl::Status& why);
  /// Drops the pieces and ends the job.
  void Fail(const absl::Status& why);

  void Advance();
  /// What ends the call now, if anything does. Call with the lock held.
  std::optional<absl::Status> FindEnd() const;

  ServiceContext& service_;
  grpc::CallbackServerContext& context_;
  const Kind kind_;
  const std::shared_ptr<const CallIdentity> identity_;
  Admission admission_;
  const CallFacts facts_;
  const std::shared_ptr<JobHandle> handle_;
  std::shared_ptr<PartStreamOf> self_;  // keeps the call until gRPC is done
  grpc::ByteBuffer outgoing_;           // gRPC reads it during a write

  std::mutex mutex_;
  // mutex_ guards the rest.
  ByteBudget::Hold request_hold_;  // held until the job ends
  std::deque<std::unique_ptr<Piece>> pieces_;
  State state_;
};

using PartStream = PartStreamOf<grpc::ServerWriteReactor<grpc::ByteBuffer>>;
using DuplexPartStream = PartStreamOf<grpc::ServerBidiReactor<grpc::ByteBuffer, grpc::ByteBuffer>>;
extern template class PartStreamOf<grpc::ServerWriteReactor<grpc::ByteBuffer>>;
extern template class PartStreamOf<grpc::ServerBidiReactor<grpc::ByteBuffer, grpc::ByteBuffer>>;

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_RPC_PART_STREAM_H_
