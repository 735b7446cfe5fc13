// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Local buffer: the elements that a block has spawned and keeps for itself. [Steinberger §5.1.4]
//
// When to use: in the memory of a block, in front of the global queues.
// Order: newest first for the block itself, which keeps a recursion's memory small; oldest first
// for spills to others, since old elements stand for more work. [SilvaThesis Alg. 3.7-3.13]
// Elements that are drawn together belong to one procedure, so that the threads of a block do the
// same thing. They are the newest elements of the newest element's procedure, even where elements
// of other procedures lie between. A caller that may mix procedures takes the newest elements of
// all.
// Progress: one group uses the stack, so it needs no atomics.
#ifndef WARPYARD_CORE_STRATEGY_LOCAL_STACK_H_
#define WARPYARD_CORE_STRATEGY_LOCAL_STACK_H_

#include <cstdint>

#include "core/base/macros.h"
#include "core/exec/bits.h"
#include "core/exec/lane_sets.h"
#include "core/exec/scope.h"

namespace warpyard::strategy {

/// @shape room for kCapacity elements of kProcedures procedures; Reset before use
/// @scope all members: the one group that owns it, all threads together
template <class ElementType, std::uint32_t kCapacity, std::uint32_t kProcedures>
class LocalStack {
 public:
  using Element = ElementType;
  static_assert((kCapacity & (kCapacity - 1)) == 0, "places wrap by a mask");

  template <class Group>
  WY_HD void Reset(Group& group) {
    group.Barrier();
    if (group.Rank() == 0) {
      oldest_ = size_ = 0;
      for (std::uint32_t& count : counts_) count = 0;
    }
    group.Barrier();
  }

  WY_HD std::uint32_t Size() const { return size_; }
  WY_HD std::uint32_t Free() const { return kCapacity - size_; }
  WY_HD const Element& Newest() const { return At(size_ - 1); }

  /// The procedure with the most elements, the later one of equals.
  WY_HD std::uint32_t FullestProcedure() const {
    std::uint32_t fullest = 0;
    for (std::uint32_t p = 1; p < kProcedures; ++p) {
      if (counts_[p] >= counts_[fullest]) fullest = p;
    }
    return fullest;
  }
  WY_HD std::uint32_t CountOf(std::uint32_t procedure) const { return counts_[procedure]; }

  /// Adds the elements of the threads that have one. Call Free first, to see whether there is room.
  template <exec::LaneScope Group>
  WY_HD void Push(Group& group, bool mine, const Element& element) {
    const std::uint32_t lanes = group.Ballot(mine);
    if (mine) At(size_ + exec::PlaceAmong(lanes, group.Rank())) = element;
    Count(group, mine, element, 1);
    Resize(group, oldest_, size_ + exec::CountBits(lanes));
  }

  /// Takes up to `wanted` of the newest elements of a procedure; returns how many.
  /// @shape out: room for `wanted`
  template <exec::LaneScope Group>
  WY_HD std::uint32_t TakeNewest(Group& group, std::uint32_t procedure, std::uint32_t wanted,
                                 Element* out) {
    const std::uint32_t have = counts_[procedure];
    const std::uint32_t taken = wanted < have ? wanted : have;
    if (!CopyNewest(group, procedure, taken, out)) {
      Extract(group, procedure, have - taken, out);
    }
    if (group.Rank() == 0) counts_[procedure] -= taken;
    Resize(group, oldest_, size_ - taken);
    return taken;
  }

  /// Takes the newest elements if take(element) holds for all of them; returns how many.
  /// @shape wanted: taken if there are as many; out: room for them
  template <exec::LaneScope Group, class Take>
  WY_HD std::uint32_t TakeNewestIf(Group& group, std::uint32_t wanted, Element* out, Take&& take) {
    const std::uint32_t taken = wanted < size_ ? wanted : size_;
    bool other = false;
    for (std::uint32_t i = group.Rank(); i < taken; i += group.Size()) {
      const Element element = At(size_ - taken + i);
      other |= !take(element);
      out[i] = element;
    }
    if (group.Any(other)) return 0;
    for (std::uint32_t first = 0; first < taken; first += group.Size()) {
      const std::uint32_t i = first + group.Rank();
      Count(group, i < taken, i < taken ? At(size_ - taken + i) : Element{}, ~0u);
    }
    Resize(group, oldest_, size_ - taken);
    return taken;
  }

  /// Takes the oldest elements, one for each thread, at most `wanted`; returns how many. Threads
  /// whose rank is less than that number get one.
  template <exec::LaneScope Group>
  WY_HD std::uint32_t TakeOldest(Group& group, std::uint32_t wanted, Element& mine) {
    std::uint32_t taken = wanted < size_ ? wanted : size_;
    if (taken > group.Size()) taken = group.Size();
    if (group.Rank() < taken) mine = At(group.Rank());
    Count(group, group.Rank() < taken, mine, ~0u);
    Resize(group, oldest_ + taken, size_ - taken);
    return taken;
  }

 private:
  WY_HD Element& At(std::uint32_t i) { return elements_[(oldest_ + i) % kCapacity]; }
  WY_HD const Element& At(std::uint32_t i) const { return elements_[(oldest_ + i) % kCapacity]; }

  /// Copies the newest elements. Returns false if some of them belong to other procedures.
  template <class Group>
  WY_HD bool CopyNewest(Group& group, std::uint32_t procedure, std::uint32_t count,
                        Element* out) const {
    bool other = false;
    for (std::uint32_t i = group.Rank(); i < count; i += group.Size()) {
      const Element element = At(size_ - count + i);
      other |= element.Procedure() != procedure;
      out[i] = element;
    }
    return !group.Any(other);
  }

  /// Copies the elements of a procedure except the `skipped` oldest ones, and closes the gaps.
  template <class Group>
  WY_DEVICE_CALL WY_HD void Extract(Group& group, std::uint32_t procedure, std::uint32_t skipped,
                                    Element* out) {
    group.Barrier();
    std::uint32_t seen = 0, kept = 0;
    for (std::uint32_t first = 0; first < size_; first += group.Size()) {
      const std::uint32_t i = first + group.Rank();
      Element element{};
      if (i < size_) element = At(i);
      const bool alike = i < size_ && element.Procedure() == procedure;
      const std::uint32_t alike_lanes = group.Ballot(alike);
      const std::uint32_t before = seen + exec::PlaceAmong(alike_lanes, group.Rank());
      const bool take = alike && before >= skipped;
      const std::uint32_t kept_lanes = group.Ballot(i < size_ && !take);
      if (take) out[before - skipped] = element;
      group.Barrier();  // all threads have read the places that are overwritten now
      if (i < size_ && !take) At(kept + exec::PlaceAmong(kept_lanes, group.Rank())) = element;
      seen += exec::CountBits(alike_lanes);
      kept += exec::CountBits(kept_lanes);
      group.Barrier();
    }
  }

  /// Adds `change` to the counts of the procedures of the threads' elements.
  template <class Group>
  WY_HD void Count(Group& group, bool mine, const Element& element, std::uint32_t change) {
    const auto add = [&](std::uint32_t procedure, std::uint32_t peers) {
      if (group.Rank() == 0) counts_[procedure] += change * exec::CountBits(peers);
    };
    exec::ForEachPeerSet(group, mine, element.Procedure(), add);
  }

  template <class Group>
  WY_HD void Resize(Group& group, std::uint32_t oldest, std::uint32_t size) {
    group.Barrier();  // all threads have read what changes here
    if (group.Rank() == 0) {
      oldest_ = oldest % kCapacity;
      size_ = size;
    }
    group.Barrier();
  }

  std::uint32_t oldest_;
  std::uint32_t size_;
  std::uint32_t counts_[kProcedures];
  Element elements_[kCapacity];
};

}  // namespace warpyard::strategy

#endif  // WARPYARD_CORE_STRATEGY_LOCAL_STACK_H_
