// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Where the pieces of blocks are: by sampled points of the scope, in doubles.

#include "core/workload/grammar/derive/place.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <random>
#include <set>
#include <vector>

#include "core/workload/grammar/derive/split.h"
#include "tests/support/grammar/derive_memory.h"
#include "tests/support/grammar/symbol_matrix.h"

namespace warpyard {
namespace {

using geometry::Vector3d;
using grammar::At;
using grammar::Instruction;
using grammar::Op;
using grammar::Symbol;
using test_support::DeriveMemory;
using test_support::InverseOf;
using test_support::MatrixOf;
using test_support::PointOf;
using test_support::RandomSymbol;
using test_support::SizeOf;

/// A symbol of a block, and the position of its body.
struct PlacedSymbol {
  Symbol symbol;
  std::uint32_t body;
};

/// A block at the beginning of the code.
class Block {
 public:
  /// @shape block: with its flags, but for the number of parts
  explicit Block(Instruction block, std::vector<Instruction> parts = {}) {
    block.flags = static_cast<std::uint8_t>(block.flags | parts.size());
    memory.code = {block};
    memory.code.insert(memory.code.end(), parts.begin(), parts.end());
  }

  /// All pieces of a scope.
  std::vector<PlacedSymbol> Place(const Symbol& symbol, std::uint32_t count, std::uint32_t given) {
    const grammar::DeriveJob job = memory.Job();
    std::vector<PlacedSymbol> placed;
    for (std::uint32_t n = 0; n < count; ++n) {
      placed.push_back({symbol, 0});
      placed.back().body = PlaceInBlock(job, {0, count, given}, n, placed.back().symbol);
    }
    return placed;
  }

  DeriveMemory memory;
};

std::uint32_t Bits(float number) { return std::bit_cast<std::uint32_t>(number); }

/// Whether a point of the parcel is in a scope.
bool Has(const Symbol& symbol, const Vector3d& point) {
  const Vector3d own = test_support::Applied(InverseOf(MatrixOf(symbol)), point);
  const Vector3d size = SizeOf(symbol);
  return own.x >= 0 && own.x < size.x && own.y >= 0 && own.y < size.y && own.z >= 0 &&
         own.z < size.z;
}

/// How many pieces have no point, one, and more: of random points of the scope. At the borders
/// rounding decides.
void ExpectPartition(const Symbol& whole, const std::vector<PlacedSymbol>& pieces) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> part(0.001, 0.999);
  int wrong = 0;
  for (int i = 0; i < 300; ++i) {
    const Vector3d point = PointOf(whole, {part(random), part(random), part(random)});
    int found = 0;
    for (const PlacedSymbol& piece : pieces) found += Has(piece.symbol, point);
    wrong += found != 1;
  }
  EXPECT_LE(wrong, 1);
}

TEST(PlaceInBlock, RepeatsCellsThatFillTheScope) {
  std::mt19937 random(2);
  for (int run = 0; run < 60; ++run) {
    const Symbol whole = RandomSymbol(random);
    const auto axis = static_cast<std::uint16_t>(run % 3);
    const auto count = static_cast<std::uint32_t>(1 + random() % 40);
    Block block({Op::kRepeat, 0, axis, 17});
    const std::vector<PlacedSymbol> cells = block.Place(whole, count, 0);
    ExpectPartition(whole, cells);
    for (const PlacedSymbol& cell : cells) {
      EXPECT_NEAR(At(cell.symbol.scope.size, axis),
                  At(whole.scope.size, axis) / static_cast<float>(count), 1e-4);
      EXPECT_EQ(cell.body, 17u);
    }
  }
}

TEST(PlaceInBlock, NumbersPiecesAndGivesThemKeysOfTheirOwn) {
  Block block({Op::kRepeat, 0, 0, 1});
  std::mt19937 random(3);
  Symbol whole = RandomSymbol(random);
  whole.own = {3, 7};
  std::set<std::uint64_t> keys = {whole.key};
  const std::vector<PlacedSymbol> cells = block.Place(whole, 1000, 0);
  for (std::uint32_t n = 0; n < 1000; ++n) {
    const Symbol& cell = cells[n].symbol;
    EXPECT_EQ(cell.own.index, n);
    EXPECT_EQ(cell.own.last, 999);
    EXPECT_EQ(cell.up.index, 3);
    EXPECT_EQ(cell.up.last, 7);
    keys.insert(cell.key);
  }
  EXPECT_EQ(keys.size(), 1001u);
}

TEST(PlaceInBlock, MovesBordersToSnapLinesButNotTheEnds) {
  std::mt19937 random(4);
  std::uniform_real_distribution<float> step(0.3f, 4), offset(0, 4);
  for (int run = 0; run < 100; ++run) {
    Block block({Op::kRepeat, grammar::kSnaps, 0, 1});
    Symbol whole;
    whole.scope = {{0, 0, 0}, {0, 0, 0, 1}, {20, 3, 3}};
    whole.rule = 1;
    const float distance = step(random), origin = offset(random);
    block.memory.AddSnapLines({origin, 0, 0}, {1, 0, 0}, distance, 0);
    const auto count = static_cast<std::uint32_t>(2 + random() % 10);
    const double cell = 20.0 / count;
    double end = 0;
    for (const PlacedSymbol& piece : block.Place(whole, count, 0)) {
      const auto& scope = piece.symbol.scope;
      EXPECT_NEAR(scope.position.x, end, 1e-4);
      EXPECT_GE(scope.size.x, -1e-5);
      end = double{scope.position.x} + double{scope.size.x};
      // On a line, or farther than half a cell from all of them.
      const double place = std::round(end / cell) * cell;
      const double lines = (end - origin) / distance;
      const bool on_line = std::fabs(lines - std::round(lines)) * distance < 1e-3;
      const double away = (place - origin) / distance;
      const bool is_far = std::fabs(away - std::round(away)) * distance > cell / 2 - 1e-3;
      EXPECT_TRUE(on_line || is_far || end > 19.999) << run << " " << end;
    }
    EXPECT_NEAR(end, 20, 1e-4);
  }
}

/// The body of a part is its position, so that tests know whose piece it is.
Instruction PartAt(std::uint8_t flags, std::uint16_t which, std::uint32_t body) {
  return {Op::kPart, flags, which, body};
}

TEST(PlaceInBlock, SplitsIntoPartsInTheirOrder) {
  using grammar::kGroupBegin;
  using grammar::kRepeats;
  std::mt19937 random(5);
  for (int run = 0; run < 60; ++run) {
    const auto axis = static_cast<std::uint16_t>(run % 3);
    Block block({Op::kSplit, 0, axis},
                {PartAt(0, 0, 0), PartAt(kRepeats | kGroupBegin, 0, 1), PartAt(kRepeats, 0, 2),
                 PartAt(grammar::kFloating, 0, 3), PartAt(kRepeats | kGroupBegin, 0, 4)});
    const Symbol whole = RandomSymbol(random);
    auto& sizes = block.memory.Made<grammar::SplitParts>();
    const float asked[] = {0.3f, 0.25f, 0.4f, 1, 0.2f};
    for (std::size_t p = 0; p < std::size(asked); ++p) sizes.parts[p] = {asked[p], 0};
    const float length = At(whole.scope.size, axis);
    const std::uint32_t count =
        grammar::DivideLength(block.memory.code.data() + 1, 5, length, sizes.parts);
    std::vector<std::uint32_t> expected = {0};
    for (std::uint32_t i = 0; i < sizes.parts[1].count; ++i) {
      expected.push_back(1);
      expected.push_back(2);
    }
    expected.push_back(3);
    expected.insert(expected.end(), sizes.parts[4].count, 4);
    const std::vector<PlacedSymbol> cells = block.Place(whole, count, block.memory.LastUnit());
    std::vector<std::uint32_t> bodies;
    for (const PlacedSymbol& cell : cells) bodies.push_back(cell.body);
    EXPECT_EQ(bodies, expected);
    ExpectPartition(whole, cells);
  }
}

TEST(PlaceInBlock, HasStripsAndTheRestOfARectangle) {
  std::mt19937 random(6);
  // The last width is more than half of every side.
  for (const float width : {0.1f, 0.4f, 100.0f}) {
    for (const Op op : {Op::kBorder, Op::kOffset}) {
      const Symbol whole = RandomSymbol(random);
      Block block({op}, {PartAt(0, grammar::kInsidePart, 7), PartAt(0, grammar::kEdgePart, 8)});
      const std::vector<PlacedSymbol> pieces = block.Place(whole, 5, Bits(width));
      ExpectPartition(whole, pieces);
      EXPECT_EQ(pieces[0].body, 7u);
      for (int n = 1; n < 5; ++n) EXPECT_EQ(pieces[static_cast<std::size_t>(n)].body, 8u);
      // The first two strips have the whole length, in the plane of x and the other axis.
      const std::uint32_t other = op == Op::kBorder ? 1 : 2;
      const auto& size = whole.scope.size;
      const float strip = std::min(width, std::min(size.x, At(size, other)) / 2);
      EXPECT_EQ(pieces[1].symbol.scope.size.x, size.x);
      EXPECT_NEAR(At(pieces[1].symbol.scope.size, other), strip, 1e-5);
      EXPECT_NEAR(pieces[3].symbol.scope.size.x, strip, 1e-5);
    }
  }
}

TEST(PlaceInBlock, TakesPartsOfFacesInTheirOrder) {
  Block block({Op::kComp}, {PartAt(0, 4, 10), PartAt(0, 0, 11), PartAt(0, 3, 12)});
  std::mt19937 random(7);
  const std::vector<PlacedSymbol> faces = block.Place(RandomSymbol(random), 3, 0);
  EXPECT_EQ(faces[0].symbol.face, 4);
  EXPECT_EQ(faces[1].symbol.face, 0);
  EXPECT_EQ(faces[2].symbol.face, 3);
  EXPECT_EQ(faces[2].body, 12u);
}

TEST(PlaceInBlock, TakesPartsOfARoofInTheirOrder) {
  // A gable roof has no hips.
  Block block({Op::kRoof, 0, static_cast<std::uint16_t>(grammar::RoofKind::kGable)},
              {PartAt(0, grammar::kHipPart, 1), PartAt(0, grammar::kGablePart, 2),
               PartAt(0, grammar::kPlanePart, 3)});
  block.memory.Made<grammar::RoofNumbers>() = {30, 0};
  std::mt19937 random(8);
  std::vector<std::uint32_t> bodies;
  for (const PlacedSymbol& piece : block.Place(RandomSymbol(random), 4, block.memory.LastUnit())) {
    bodies.push_back(piece.body);
  }
  EXPECT_EQ(bodies, (std::vector<std::uint32_t>{2, 2, 3, 3}));
}

TEST(PlaceInBlock, CopiesTheWholeScope) {
  Block block({Op::kCopies, 0, 0, 5});
  std::mt19937 random(9);
  const Symbol whole = RandomSymbol(random);
  for (const PlacedSymbol& copy : block.Place(whole, 3, 0)) {
    EXPECT_EQ(test_support::DifferenceOf(MatrixOf(copy.symbol), MatrixOf(whole)), 0);
    EXPECT_EQ(copy.symbol.scope.size.x, whole.scope.size.x);
    EXPECT_EQ(copy.body, 5u);
  }
}

TEST(PlaceInBlock, ScattersWithinTheScope) {
  Block block({Op::kScatter, 0, 0, 5});
  std::mt19937 random(10);
  for (int run = 0; run < 40; ++run) {
    Symbol whole = RandomSymbol(random);
    whole.key = random();
    const Vector3d size = SizeOf(whole);
    const test_support::Matrix4 to_whole = InverseOf(MatrixOf(whole));
    // The last extent is larger than every scope.
    const float extent = run % 3 == 0 ? 0.0f : run % 3 == 1 ? 0.7f : 25.0f;
    Vector3d sum{0, 0, 0};
    constexpr std::uint32_t kCount = 500;
    for (const PlacedSymbol& piece : block.Place(whole, kCount, Bits(extent))) {
      const Vector3d least = test_support::Applied(to_whole, PointOf(piece.symbol, {0, 0, 0}));
      const Vector3d most = test_support::Applied(to_whole, PointOf(piece.symbol, {1, 1, 1}));
      EXPECT_GE(std::min(least.x, least.z), -1e-4);
      EXPECT_LE(std::max(most.x - size.x, most.z - size.z), 1e-4);
      EXPECT_NEAR(most.y - least.y, size.y, 1e-4);
      EXPECT_NEAR(most.x - least.x, std::min<double>(extent, size.x), 1e-4);
      EXPECT_NEAR(most.z - least.z, std::min<double>(extent, size.z), 1e-4);
      sum = sum + (1.0 / kCount) * (least + most);
    }
    // The mean is the middle, to 5 times its standard deviation.
    EXPECT_NEAR(sum.x / 2, size.x / 2, size.x * 0.065);
    EXPECT_NEAR(sum.z / 2, size.z / 2, size.z * 0.065);
  }
}

}  // namespace
}  // namespace warpyard
