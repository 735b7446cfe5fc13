// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A batch of instances as a piece of a streamed result.
#ifndef WARPYARD_SERVER_GRAMMAR_STREAMS_BATCH_PIECE_H_
#define WARPYARD_SERVER_GRAMMAR_STREAMS_BATCH_PIECE_H_

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <utility>

#include "core/workload/grammar/grammar_types.h"
#include "grpcpp/support/byte_buffer.h"
#include "server/admission/byte_budget.h"
#include "server/admission/unread_window.h"
#include "server/grammar/part_bytes.h"
#include "server/rpc/part_stream.h"

namespace warpyard::server {

/// Cuts a batch into messages. @shape Part: the message, with a field `instances`
template <class Part>
class BatchPiece final : public ResultPiece {
 public:
  /// Sets the other fields of the message that begins with this instance of the batch.
  using Label = std::function<void(std::size_t begin, Part& part)>;

  /// @shape hold: of the batch's bytes, while the client has not read all; window: outlives the
  /// piece
  BatchPiece(grammar::Instances instances, Label label, ByteBudget::Hold hold, UnreadWindow& window)
      : instances_(std::make_shared<const grammar::Instances>(std::move(instances))),
        label_(std::move(label)),
        hold_(std::move(hold)),
        window_(window) {}

  grpc::ByteBuffer Next() override {
    // The client has taken the part before.
    window_.Progress();
    constexpr std::size_t kMost = kMaxPartBytes / sizeof(grammar::Instance);
    const std::size_t count = std::min(kMost, instances_->size() - begin_);
    const InstanceRun run = {instances_, std::span(*instances_).subspan(begin_, count)};
    Part rest;
    label_(begin_, rest);
    begin_ += count;
    return PartBytes({&run, 1}, rest);
  }
  bool done() const override { return begin_ == instances_->size(); }

 private:
  const std::shared_ptr<const grammar::Instances> instances_;
  const Label label_;
  const ByteBudget::Hold hold_;
  UnreadWindow& window_;
  std::size_t begin_ = 0;  // of the next part
};

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_GRAMMAR_STREAMS_BATCH_PIECE_H_
