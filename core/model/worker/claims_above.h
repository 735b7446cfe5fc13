// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// What a worker claims of an event that comes first, on top of its own stack.
#ifndef WARPYARD_CORE_MODEL_WORKER_CLAIMS_ABOVE_H_
#define WARPYARD_CORE_MODEL_WORKER_CLAIMS_ABOVE_H_

#include <cstdint>

#include "core/base/macros.h"
#include "core/exec/bits.h"
#include "core/model/worker/account.h"
#include "core/model/worker/block_range.h"
#include "core/model/worker/board/board.h"
#include "core/model/worker/board/choice.h"
#include "core/model/worker/board/choice_above.h"
#include "core/model/worker/worker_parts.h"
#include "core/model/worker/workspace.h"
#include "core/policy/share.h"
#include "core/procedure/element.h"

namespace warpyard::model {

/// Claims elements of the event that comes first, for a worker whose stack has elements of other
/// events. The worker does not look around before: a look takes longer than many elements of an
/// urgent event. Parts: see WorkerParts.
/// @scope all members: the group of the worker
template <class Parts>
class ClaimsAbove {
 public:
  ClaimsAbove() = delete;
  using Group = typename Parts::Group;
  using Space = typename Parts::Space;

  /// Chooses the event that comes first, after the board has shown something new. Returns false if
  /// the choice is not simple: then the worker has to look around.
  /// @shape the stack is not empty; news: of the board; chosen: gets the event of which the worker
  ///     has to claim, unless that is its own event or its block has drawn elements of that event
  WY_INLINED WY_HD static bool Choose(Parts& self, const BoardNews& news, OpenStage& chosen) {
    const procedure::Element newest = self.stack.Newest();
    self.now.SetUrgent(news.HasUrgent(), KeptBlocks<Space>::Has(self.own.place));
    if (self.now.IsKept() || newest.Bucket() >= procedure::kEventBuckets) return false;
    if (news.Levels() != 0 || news.Queued() != 0) return false;
    self.now.first = newest.Event();
    self.now.range_first = false;
    if (HasNothingElse(self, news, newest.Event())) {
      self.now.Know(news);
      return true;
    }
    const ChoiceAbove choice = ChooseAbove(self.group, self.own);
    if (!choice.is_simple) return false;
    self.now.Know(choice.news);
    self.now.running = choice.running;
    self.now.range_first = choice.is_ranged;
    if (choice.is_ranged) self.now.first = choice.event;
    if (choice.is_ranged || choice.event == kNoEvent) return true;
    chosen = {choice.event, choice.hint};
    // If other workers claim all of this stage first, this worker has to choose again: it may not
    // notice when the next stage opens.
    self.now.first = kNoEvent;
    return true;
  }

  /// Claims more of the event that came first at the last choice. Returns whether it has claimed
  /// something. Between two stages of an event with a deadline it waits a little, if an element of
  /// the others may take longer than such a pause: the next stage would wait for it. It does not
  /// wait while a team with an urgent package waits for it, nor while it has a package for which it
  /// could not post a team. @shape the stack is not empty; done: see Account::TurnTo; wanted: gets
  ///     whether such a team waits for it
  template <class Done>
  WY_INLINED WY_HD static bool Claim(Parts& self, Done& done, bool& wanted) {
    const std::uint32_t event = self.now.first;
    if (event >= procedure::kEventBuckets || self.now.shares) return false;
    if (event == self.stack.Newest().Event()) return false;
    const std::uint32_t most_reads = ReadsBetweenStages(self);
    bool has = false, waits = true;
    for (std::uint32_t reads = 0; waits && !has && reads < most_reads; ++reads) {
      const std::uint32_t sights = self.Sights();  // before it reads the board
      // These accesses are under way together.
      const BoardNews read = self.own.space.board.Read();
      const EventOrder order = self.own.space.board.ReadOrder(self.group);
      const bool urgent = self.own.space.board.IsUrgent(event);
      const bool runs = self.own.space.events.IsRunning(event);
      const BoardNews news = self.group.Broadcast(read);
      const bool held = news.HasHeld() && !urgent;  // perhaps: a look tells
      if (self.group.Any(held || MustLook(self, news, event))) return false;
      if (news.IsOpen(event)) {
        const StageHint hint = self.own.space.board.HintIn(self.group, order, event);
        has = ClaimOf(self, event, hint);
        // Another team of the block may gather, and wait for this worker.
        const bool may_gather = HasPackages<Space>(self.own.block, hint) && !self.executor.Leads();
        if (!has && may_gather) return false;
      } else if (self.memory.account.serves != 0) {
        // The next stage may wait for what this worker has finished.
        Account<Group, Space>::TurnTo(self.group, self.own, kNoEvent, done);
      }
      waits = self.group.Any(urgent && runs) && !self.executor.Wants();
      wanted = !has && waits && self.executor.YieldToUrgent();
      if (wanted) return false;
      if (self.group.Rank() == 0) self.memory.sight.count = sights;
    }
    return has;
  }

 private:
  using Scope = typename Space::Scope;
  static constexpr std::uint32_t kMostReads = 100;  // some 60 us on a device
  static constexpr std::uint32_t kLeastReads = 40;  // longer than it takes until a stage opens
  static constexpr std::uint32_t kReadCycles = 1'000;

  /// How often the worker reads the board between two stages: for 24 us, and for about a round of
  /// its newest elements. For the longest time above packages and with a team of its own, since a
  /// team would have to gather again.
  WY_HD static std::uint32_t ReadsBetweenStages(Parts& self) {
    const std::uint32_t procedure = self.stack.Newest().Procedure();
    // Other workers of the block learn meanwhile, and all lanes must read equally often.
    const std::uint32_t each = self.group.Broadcast(
        Scope::BlockWord(self.own.block.element_cycles[procedure]).LoadRelaxed());
    const ProcedureTraits& traits = self.own.block.traits[procedure];
    if (each == 0 || traits.lanes == 0 || self.executor.Leads()) return kMostReads;
    const std::uint32_t reads = exec::Least(each, kMostReads * kReadCycles) / kReadCycles;
    return exec::Least(kLeastReads + traits.groups * reads, kMostReads);
  }

  /// Whether there is something that may come first now. @scope any lane
  WY_INLINED WY_HD static bool MustLook(Parts& self, const BoardNews& news, std::uint32_t event) {
    return self.IsGiven() || !HasLooked<Scope>(self.own.block.sight) ||
           self.now.HasNewOnes(news, event) || news.IsLeaving(self.own.place.launch);
  }

  /// Whether there is nothing to draw but elements of one event, which shares with no account.
  /// @shape news: neither levels nor queues have elements
  WY_INLINED WY_HD static bool HasNothingElse(Parts& self, const BoardNews& news,
                                              std::uint32_t event) {
    // These accesses are under way together.
    const std::uint32_t share = self.own.space.board.ShareOf(event);
    const std::uint32_t running = Scope::Word(self.own.space.event_counts.running).LoadRelaxed();
    std::uint32_t open = 0;
    for (std::uint32_t w = 0; w < 2; ++w) {
      open |= news.open[w] & ~(event / 32 == w ? 1u << event % 32 : 0u);
    }
    const bool has = open != 0 || policy::UnpackShare(share).group != 0 ||
                     BlockRange<Scope>::HasMore(self.own.block.range);
    if (self.group.Any(has)) return false;
    self.now.running = self.group.Broadcast(running == 0 ? 1 : running);
    return true;
  }

  /// Takes what the block has drawn of an event, or claims of it if there is room.
  WY_INLINED WY_HD static bool ClaimOf(Parts& self, std::uint32_t event, const StageHint& hint) {
    auto& range = self.own.block.range;
    const bool ranged =
        BlockRange<Scope>::HasMore(range) && BlockRange<Scope>::Event(range) == event;
    if (self.group.Any(ranged)) return self.TakeOfRange();
    if (!self.stack.HasRoomToNest(self.own.block.traits, hint)) return false;
    if (self.stack.MakeRoom(1, kGivenElements + 1) == 0) return false;
    return self.Claim(event, hint, false);
  }
};

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_WORKER_CLAIMS_ABOVE_H_
