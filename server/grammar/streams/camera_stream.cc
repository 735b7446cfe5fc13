// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/grammar/streams/camera_stream.h"

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "core/base/macros.h"
#include "server/grammar/convert.h"
#include "server/grammar/derive_request.h"
#include "server/grammar/part_bytes.h"
#include "server/grammar/streams/batch_piece.h"

namespace warpyard::server {
namespace {

using Numbers = std::vector<std::uint32_t>;

/// The buildings that a view changes.
class ChangePiece final : public ResultPiece {
 public:
  ChangePiece(const grammar::ViewChange& change, std::uint64_t view, ByteBudget::Hold hold,
              UnreadWindow& window)
      : hidden_(change.hidden),
        changed_(change.changed),
        view_(view),
        hold_(std::move(hold)),
        window_(window) {}

  grpc::ByteBuffer Next() override {
    window_.Progress();
    v1::FollowCameraPart part;
    part.set_view(view_);
    std::size_t room = kMostNumbers;
    Move(hidden_, hidden_begin_, room, part.mutable_hidden());
    Move(changed_, changed_begin_, room, part.mutable_changed());
    return PartBytes({}, part);
  }
  bool done() const override {
    return hidden_begin_ == hidden_.size() && changed_begin_ == changed_.size();
  }

 private:
  /// A number takes five bytes at most.
  static constexpr std::size_t kMostNumbers = kMaxPartBytes / 5;

  static void Move(const Numbers& from, std::size_t& begin, std::size_t& room,
                   google::protobuf::RepeatedField<std::uint32_t>* to) {
    const std::size_t count = std::min(room, from.size() - begin);
    const auto first = from.begin() + static_cast<std::ptrdiff_t>(begin);
    to->Add(first, first + static_cast<std::ptrdiff_t>(count));
    begin += count;
    room -= count;
  }

  const Numbers hidden_, changed_;
  const std::uint64_t view_;
  const ByteBudget::Hold hold_;
  UnreadWindow& window_;
  std::size_t hidden_begin_ = 0, changed_begin_ = 0;  // of the next part
};

/// The last part of a view.
class ViewEndPiece final : public ResultPiece {
 public:
  ViewEndPiece(const grammar::DeriveStatistics& statistics, std::uint64_t view,
               ByteBudget::Hold hold, std::function<void()> sent)
      : hold_(std::move(hold)), sent_(std::move(sent)) {
    part_.set_view(view);
    ToProto(statistics, part_.mutable_statistics());
  }
  ViewEndPiece(const ViewEndPiece&) = delete;
  ViewEndPiece& operator=(const ViewEndPiece&) = delete;
  ~ViewEndPiece() override { sent_(); }

  grpc::ByteBuffer Next() override {
    done_ = true;
    return PartBytes({}, part_);
  }
  bool done() const override { return done_; }

 private:
  v1::FollowCameraPart part_;
  const ByteBudget::Hold hold_;
  const std::function<void()> sent_;
  bool done_ = false;
};

}  // namespace

void CameraStream::OnReadDone(bool ok) {
  if (!ok) return End(absl::OkStatus());
  method().Received(incoming_.Length());
  std::uint64_t number = 0;
  {
    const std::lock_guard lock(state_mutex_);
    number = received_++;
  }
  absl::StatusOr<Waiting> next = Receive(number);
  if (!next.ok()) {
    if (number == 0) Ticket({}).series.Rejected(next.status());
    return End(next.status());
  }
  {
    const std::lock_guard lock(state_mutex_);
    waiting_ = *std::move(next);
    active_ = absl::Now();
  }
  GoOn();
  const std::lock_guard lock(state_mutex_);
  // gRPC takes no read after the end of the call.
  if (!has_ended_) StartRead(&incoming_);
}

absl::StatusOr<CameraStream::Waiting> CameraStream::Receive(std::uint64_t number) {
  absl::StatusOr<Waiting> next = Waiting{{}, number, absl::Now()};
  if (number == 0) {
    next = ReceiveCity();
  } else {
    WY_ASSIGN_OR_RETURN(next->view, ReadView(&incoming_));
  }
  incoming_.Clear();
  if (next.ok() && next->view.hide_occluded && city_.volumes == nullptr) {
    WY_ASSIGN_OR_RETURN(city_.volumes, TakeVolumes(service(), facts().caller, city_.parcels));
  }
  return next;
}

absl::StatusOr<CameraStream::Waiting> CameraStream::ReceiveCity() {
  WY_ASSIGN_OR_RETURN(city_.request, TakeRequest(service(), facts().caller, incoming_.Length()));
  WY_ASSIGN_OR_RETURN(CityRequest request,
                      ReadCityRequest(service(), FactsOf(context(), facts().caller), &incoming_));
  city_.grammar = std::move(request.grammar);
  city_.job = std::move(request.job);
  city_.parcels = request.city.parcels.size();
  city_.walk = grammar::MakeWalk(std::move(request.city));
  return Waiting{std::move(request.view), 0, absl::Now()};
}

void CameraStream::GoOn() {
  std::optional<Waiting> next;
  std::optional<absl::Status> end;
  {
    const std::lock_guard lock(state_mutex_);
    if (shows_ || has_ended_) return;
    // The client has sent its last view and waits for the answer.
    const bool answers = waiting_ && (!end_ || end_->ok());
    if (answers) {
      next = std::exchange(waiting_, std::nullopt);
      shows_ = true;
    } else if (end_) {
      end = end_;
      has_ended_ = true;
    }
  }
  if (next) Show(*std::move(next));
  if (end) OnJobDone(*end);
}

void CameraStream::Show(Waiting next) {
  CallFacts view_facts = facts();
  view_facts.received = next.received;
  const std::uint64_t number = next.number;
  const absl::StatusOr<JobOptions> options = ToJobOptions(city_.job, view_facts);
  if (!options.ok()) return OnShown(options.status(), number);
  const auto self = std::static_pointer_cast<CameraStream>(shared_from_this());
  grammar::TakeView take = {
      [this, self, number](const grammar::ViewChange& change, const procedure::CancelToken& token) {
        return TakeChange(change, token, number);
      },
      [this, self, number](grammar::DerivedBatch batch, const procedure::CancelToken& token) {
        return TakeBatch(std::move(batch), token, number);
      }};
  service().jobs.Run<grammar::DeriveStatistics>(
      Ticket(*options),
      [&](Engine& engine, const JobOptions& its_options, grammar::DeriveDone done) {
        return grammar::Follow(engine, city_.grammar->id,
                               {city_.walk, std::move(next.view), std::move(take)}, its_options,
                               std::move(done));
      },
      [this, self, number](const absl::StatusOr<grammar::DeriveStatistics>& statistics) {
        OnShown(statistics, number);
      });
}

absl::Status CameraStream::TakeChange(const grammar::ViewChange& change,
                                      const procedure::CancelToken& token, std::uint64_t number) {
  const std::size_t buildings = change.hidden.size() + change.changed.size();
  if (buildings == 0) return absl::OkStatus();
  absl::StatusOr<ByteBudget::Hold> hold = window_.Take(buildings * sizeof(std::uint32_t), token);
  is_unread_ = !hold.ok();
  WY_RETURN_IF_ERROR(hold.status());
  return Add(std::make_unique<ChangePiece>(change, number, *std::move(hold), window_));
}

absl::Status CameraStream::TakeBatch(grammar::DerivedBatch batch,
                                     const procedure::CancelToken& token, std::uint64_t number) {
  if (batch.instances.empty()) return absl::OkStatus();
  absl::StatusOr<ByteBudget::Hold> hold =
      window_.Take(batch.instances.size() * sizeof(grammar::Instance), token);
  is_unread_ = !hold.ok();
  WY_RETURN_IF_ERROR(hold.status());
  return Add(std::make_unique<BatchPiece<v1::FollowCameraPart>>(
      std::move(batch.instances),
      [number](std::size_t, v1::FollowCameraPart& part) { part.set_view(number); },
      *std::move(hold), window_));
}

void CameraStream::OnShown(const absl::StatusOr<grammar::DeriveStatistics>& statistics,
                           std::uint64_t number) {
  absl::Status status = statistics.status();
  if (status.ok()) {
    const std::size_t bytes = StatisticsBytes(city_.grammar->facts.info, statistics->buildings);
    absl::StatusOr<ByteBudget::Hold> hold = service().results.Take(bytes);
    status = hold.status();
    if (hold.ok()) {
      // The next view begins when the client has this one: then it is the newest.
      return static_cast<void>(Add(std::make_unique<ViewEndPiece>(
          *statistics, number, *std::move(hold), [weak = weak_from_this()] {
            const auto self = std::static_pointer_cast<CameraStream>(weak.lock());
            if (self != nullptr) self->OnAnswered(absl::OkStatus());
          })));
    }
  }
  // The client would not get the status behind parts that it does not read.
  if (is_unread_ || absl::IsDeadlineExceeded(status)) Abort(status);
  OnAnswered(status);
}

void CameraStream::OnAnswered(const absl::Status& status) {
  {
    const std::lock_guard lock(state_mutex_);
    shows_ = false;
    active_ = absl::Now();
    if (!status.ok() && (!end_ || end_->ok())) end_ = status;
  }
  GoOn();
}

void CameraStream::OnLook() {
  DuplexPartStream::OnLook();
  const absl::Duration ttl = service().residents.ttl();
  {
    const std::lock_guard lock(state_mutex_);
    if (shows_ || waiting_ || end_ || absl::Now() - active_ < ttl) return;
  }
  End(absl::DeadlineExceededError(
      absl::StrCat("no view came for ", absl::FormatDuration(ttl), " (--resident-ttl)")));
}

void CameraStream::OnDrain() { End(ShuttingDown()); }

void CameraStream::OnFail(const absl::Status& why) {
  window_.Close(why);
  End(why);
}

void CameraStream::End(const absl::Status& why) {
  {
    const std::lock_guard lock(state_mutex_);
    if (!end_ || end_->ok()) end_ = why;
  }
  GoOn();
}

}  // namespace warpyard::server
