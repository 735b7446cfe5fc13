// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// One call of GrammarService.FollowCamera.
#ifndef WARPYARD_SERVER_GRAMMAR_STREAMS_CAMERA_STREAM_H_
#define WARPYARD_SERVER_GRAMMAR_STREAMS_CAMERA_STREAM_H_

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/clock.h"
#include "core/api/grammar.h"
#include "grpcpp/server_context.h"
#include "grpcpp/support/byte_buffer.h"
#include "server/admission/unread_window.h"
#include "server/grammar/grammar_context.h"
#include "server/rpc/part_stream.h"

namespace warpyard::server {

/// Answers the views of a camera, one after the other. It reads views all the time, and keeps only
/// the newest one that waits: so its memory has a bound, and an answer is never older than the view
/// before it. All that waits for a client that does not read is bounded as in DeriveStream.
class CameraStream final : public DuplexPartStream {
 public:
  /// Call Start instead.
  CameraStream(GrammarContext& own, grpc::CallbackServerContext& context)
      : DuplexPartStream(own.service, context, {own.follow_camera, own.follow_jobs}),
        window_(own.service.results, kMostUnreadBytes, own.service.unread_timeout) {}

 private:
  /// The client may leave so much unread before a job waits. One batch may be larger.
  static constexpr std::size_t kMostUnreadBytes = std::size_t{8} << 20;

  struct Waiting {
    grammar::View view;
    std::uint64_t number;
    absl::Time received;
  };

  struct City {
    ResidentTable::Use<GrammarFacts> grammar;  // stays open until the call ends
    std::shared_ptr<grammar::Walk> walk;
    v1::JobOptions job;
    std::size_t parcels = 0;
    ByteBudget::Hold request, volumes;
  };

  absl::Status Run(grpc::ByteBuffer*) override { return absl::OkStatus(); }
  void OnAdmitted() override { StartRead(&incoming_); }
  void OnReadDone(bool ok) override;
  void OnDrain() override;
  void OnLook() override;
  void OnFail(const absl::Status& why) override;

  /// Takes the message that was read. @errors INVALID_ARGUMENT, NOT_FOUND, RESOURCE_EXHAUSTED
  absl::StatusOr<Waiting> Receive(std::uint64_t number);
  absl::StatusOr<Waiting> ReceiveCity();
  /// Starts the job of the view that waits, or ends the call if none will come.
  void GoOn();
  void Show(Waiting next);
  absl::Status TakeChange(const grammar::ViewChange& change, const procedure::CancelToken& token,
                          std::uint64_t number);
  absl::Status TakeBatch(grammar::DerivedBatch batch, const procedure::CancelToken& token,
                         std::uint64_t number);
  void OnShown(const absl::StatusOr<grammar::DeriveStatistics>& statistics, std::uint64_t number);
  /// The client has the answer, or will never get it.
  void OnAnswered(const absl::Status& status);
  /// No further view is answered.
  void End(const absl::Status& why);

  UnreadWindow window_;
  grpc::ByteBuffer incoming_;  // gRPC writes it during a read
  City city_;                  // set by the first message
  bool is_unread_ = false;     // the job has ended because the client did not read

  std::mutex state_mutex_;
  // state_mutex_ guards the rest.
  std::uint64_t received_ = 0;       // messages
  std::optional<Waiting> waiting_;   // the newest view
  std::optional<absl::Status> end_;  // why no further view is answered
  absl::Time active_ = absl::Now();  // when a view came or was answered
  bool shows_ = false;               // a view is being answered
  bool has_ended_ = false;           // OnJobDone was called
};

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_GRAMMAR_STREAMS_CAMERA_STREAM_H_
