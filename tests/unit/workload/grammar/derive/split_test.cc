// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Splits against the text reference, in doubles.

#include "core/workload/grammar/derive/split.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace warpyard {
namespace {

using grammar::Instruction;
using grammar::kFloating;
using grammar::kGroupBegin;
using grammar::kRelative;
using grammar::kRepeats;
using grammar::Op;
using grammar::SplitPart;

/// A part as it is written. @shape flags: of the instruction
struct AskedPart {
  std::uint8_t flags;
  float size;
};

/// How long a part is, and how often it is there.
struct Divided {
  std::vector<SplitPart> parts;
  std::uint32_t cells;

  double Sum() const {
    double sum = 0;
    for (const SplitPart& part : parts) sum += double{part.size} * part.count;
    return sum;
  }
};

Divided DivideOf(const std::vector<AskedPart>& asked, float length) {
  std::vector<Instruction> code;
  Divided divided{{}, 0};
  for (const AskedPart& part : asked) {
    code.push_back({Op::kPart, part.flags});
    divided.parts.push_back({part.size, 0});
  }
  divided.cells = grammar::DivideLength(code.data(), static_cast<std::uint32_t>(asked.size()),
                                        length, divided.parts.data());
  return divided;
}

std::vector<float> SizesOf(const Divided& divided) {
  std::vector<float> sizes;
  for (const SplitPart& part : divided.parts) sizes.push_back(part.size);
  return sizes;
}

constexpr std::uint8_t kFirst = kRepeats | kGroupBegin;

TEST(DivideLength, GivesAbsolutePartsWhatTheySayUntilNothingIsLeft) {
  EXPECT_EQ(SizesOf(DivideOf({{0, 2}, {0, 3}, {0, 1}}, 10)), (std::vector<float>{2, 3, 1}));
  EXPECT_EQ(SizesOf(DivideOf({{0, 2}, {0, 3}, {0, 1}}, 4)), (std::vector<float>{2, 2, 0}));
}

TEST(DivideLength, TakesRelativePartsOfTheWholeLength) {
  EXPECT_EQ(SizesOf(DivideOf({{0, 6}, {kRelative, 0.25f}, {kRelative, 0.25f}}, 10)),
            (std::vector<float>{6, 2.5f, 1.5f}));
}

TEST(DivideLength, SharesTheRestByWeights) {
  EXPECT_EQ(SizesOf(DivideOf({{kFloating, 1}, {0, 2}, {kFloating, 3}}, 10)),
            (std::vector<float>{2, 2, 6}));
  // Nothing is left for them.
  EXPECT_EQ(SizesOf(DivideOf({{kFloating, 1}, {0, 12}}, 10)), (std::vector<float>{0, 10}));
  EXPECT_EQ(SizesOf(DivideOf({{kFloating, 0}, {0, 2}}, 10)), (std::vector<float>{0, 2}));
}

TEST(DivideLength, StretchesGroupsThatFillTheRest) {
  const Divided divided = DivideOf({{0, 1}, {kFirst, 2}, {kRepeats, 1}, {0, 1}}, 12);
  EXPECT_EQ(divided.parts[1].count, 3u);
  EXPECT_FLOAT_EQ(divided.parts[1].size, 20.0f / 9);
  EXPECT_FLOAT_EQ(divided.parts[2].size, 10.0f / 9);
  EXPECT_EQ(divided.cells, 8u);
}

TEST(DivideLength, HasAGroupAtLeastOnce) {
  const Divided divided = DivideOf({{kFirst, 2}, {kRepeats, 2}}, 1);
  EXPECT_EQ(divided.cells, 2u);
  EXPECT_EQ(SizesOf(divided), (std::vector<float>{0.5f, 0.5f}));
}

TEST(DivideLength, LeavesGroupsTheirSizesBesideFloatingParts) {
  const Divided divided = DivideOf({{kFloating, 1}, {kFirst, 3}, {kFloating, 1}}, 10);
  EXPECT_EQ(SizesOf(divided), (std::vector<float>{0.5f, 3, 0.5f}));
  EXPECT_EQ(divided.parts[1].count, 3u);
  // One that does not fit is left out.
  const Divided large = DivideOf({{kFloating, 1}, {kFirst, 30}}, 10);
  EXPECT_EQ(large.parts[0].size, 10);
  EXPECT_EQ(large.parts[1].count, 0u);
  EXPECT_EQ(large.cells, 1u);
}

TEST(DivideLength, TakesFloatingPartsOfGroupsAsMetres) {
  const Divided divided = DivideOf({{kFirst | kFloating, 2}, {kRepeats | kRelative, 0.1f}}, 30);
  EXPECT_EQ(divided.parts[0].count, 6u);
  EXPECT_FLOAT_EQ(divided.parts[0].size, 2);
  EXPECT_FLOAT_EQ(divided.parts[1].size, 3);
}

TEST(DivideLength, SharesTheRestEvenlyAmongGroups) {
  const Divided divided = DivideOf({{kFirst, 2}, {0, 2}, {kFirst, 5}}, 22);
  EXPECT_EQ(divided.parts[0].count, 5u);
  EXPECT_EQ(divided.parts[2].count, 2u);
  EXPECT_EQ(SizesOf(divided), (std::vector<float>{2, 2, 5}));
}

TEST(DivideLength, HasAGroupOfNothingOnce) {
  const Divided divided = DivideOf({{kFirst, 0}, {kRepeats, 0}, {0, 1}}, 10);
  EXPECT_EQ(divided.cells, 3u);
  EXPECT_EQ(SizesOf(divided), (std::vector<float>{0, 0, 1}));
}

TEST(DivideLength, BoundsCells) {
  for (const std::uint32_t width : {1u, 2u, 15u}) {
    std::vector<AskedPart> asked(width, {kRepeats, 0.001f});
    asked[0].flags = kFirst;
    const Divided divided = DivideOf(asked, 1e6f);
    EXPECT_LE(divided.cells, grammar::kMostCells);
    EXPECT_NEAR(divided.Sum(), 1e6, 100);
  }
}

/// Parts with random flags and sizes, up to 16.
std::vector<AskedPart> RandomParts(std::mt19937& random) {
  std::uniform_real_distribution<float> size(0, 3);
  std::vector<AskedPart> parts;
  const std::size_t count = 1 + random() % grammar::kMostParts;
  while (parts.size() < count) {
    const bool in_group = random() % 3 == 0;
    const std::size_t width = in_group ? 1 + random() % 3 : 1;
    for (std::size_t i = 0; i < width && parts.size() < count; ++i) {
      static constexpr std::uint8_t kKinds[] = {0, kRelative, kFloating};
      std::uint8_t flags = kKinds[random() % 3];
      if (in_group) flags |= i == 0 ? kFirst : kRepeats;
      const float share = (flags & kRelative) != 0 ? 0.05f : 1;
      parts.push_back({flags, size(random) * share});
    }
  }
  return parts;
}

/// What the reference says of the parts: first what is not in groups, then groups, then the rest.
class ReferenceSplit {
 public:
  ReferenceSplit(const std::vector<AskedPart>& asked, double length)
      : asked_(asked), sizes_(asked.size()), counts_(asked.size(), 1), rest_(length) {
    for (std::size_t p = 0; p < asked.size(); ++p) {
      sizes_[p] = double{asked[p].size} * (Has(p, kRelative) ? length : 1);
      groups_ += Has(p, kGroupBegin);
      if (Has(p, kRepeats)) continue;
      if (Has(p, kFloating)) {
        weights_ += sizes_[p];
      } else {
        sizes_[p] = std::min(sizes_[p], rest_);
        rest_ -= sizes_[p];
      }
    }
    const double share = rest_ / static_cast<double>(groups_);
    for (std::size_t p = 0; p < asked.size(); ++p) {
      if (Has(p, kGroupBegin)) Fill(p, share);
    }
    for (std::size_t p = 0; p < asked.size(); ++p) {
      if (Has(p, kRepeats) || !Has(p, kFloating)) continue;
      sizes_[p] = weights_ > 0 ? std::max(rest_, 0.0) * sizes_[p] / weights_ : 0;
    }
  }

  double Size(std::size_t p) const { return sizes_[p]; }
  double Count(std::size_t p) const { return counts_[p]; }
  /// Rounding decides how often a group is there.
  bool IsClose() const { return close_; }

 private:
  bool Has(std::size_t p, std::uint8_t flag) const { return (asked_[p].flags & flag) != 0; }

  void Fill(std::size_t first, double share) {
    std::size_t end = first + 1;
    while (end < asked_.size() && Has(end, kRepeats) && !Has(end, kGroupBegin)) ++end;
    double together = 0;
    for (std::size_t p = first; p < end; ++p) together += sizes_[p];
    const bool stretches = weights_ == 0;
    const double times = share / together;
    close_ =
        close_ || together < 0.01 || std::fabs(times - std::round(times)) < 1e-3 || share < 0.001;
    const double count = std::max(std::floor(times), stretches ? 1.0 : 0.0);
    for (std::size_t p = first; p < end; ++p) {
      counts_[p] = count;
      if (stretches) sizes_[p] *= share / (count * together);
    }
    rest_ -= stretches ? share : count * together;
  }

  const std::vector<AskedPart>& asked_;
  std::vector<double> sizes_;
  std::vector<double> counts_;
  double rest_;
  double weights_ = 0;
  std::size_t groups_ = 0;
  bool close_ = false;
};

TEST(DivideLength, IsThatOfTheReference) {
  std::mt19937 random(1);
  std::uniform_real_distribution<float> lengths(1, 60);
  int compared = 0;
  for (int run = 0; run < 5000; ++run) {
    const std::vector<AskedPart> asked = RandomParts(random);
    const float length = lengths(random);
    const ReferenceSplit reference(asked, length);
    if (reference.IsClose()) continue;
    ++compared;
    const Divided divided = DivideOf(asked, length);
    double cells = 0;
    for (std::size_t p = 0; p < asked.size(); ++p) {
      EXPECT_EQ(divided.parts[p].count, reference.Count(p)) << run << " " << p;
      EXPECT_NEAR(divided.parts[p].size, reference.Size(p), 1e-3) << run << " " << p;
      cells += reference.Count(p);
    }
    EXPECT_EQ(divided.cells, cells);
    EXPECT_LE(divided.Sum(), length * 1.00001 + 1e-3);
  }
  EXPECT_GT(compared, 3000);
}

TEST(DivideLength, FillsTheLengthWithGroupsOrFloatingParts) {
  std::mt19937 random(2);
  for (int run = 0; run < 1000; ++run) {
    std::vector<AskedPart> asked = RandomParts(random);
    if (asked.size() == grammar::kMostParts) asked.pop_back();
    // At least one more, and not of a group before it.
    asked.push_back({run % 2 == 0 ? kFirst : kFloating, 1});
    EXPECT_NEAR(DivideOf(asked, 50).Sum(), 50, 5e-3) << run;
  }
}

}  // namespace
}  // namespace warpyard
