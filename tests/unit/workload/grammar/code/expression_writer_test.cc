// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/grammar/code/expression_writer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "tests/support/grammar/derive_driver.h"

namespace warpyard {
namespace {

using grammar::Instruction;
using grammar::Op;
using test_support::CompiledText;
using test_support::Derived;
using test_support::DeriveDriver;

/// The instructions of an expression.
std::vector<Instruction> CodeOf(const std::string& expression) {
  const CompiledText compiled = test_support::CompileText(
      "wyg 1; start A; attr a = 3; const two = 2; fn half(x) = x / two; fn same(x, y) = x + x;\n"
      "rule A = report(r, " +
      expression + ");");
  EXPECT_EQ(compiled.Summary(), "") << expression;
  const auto& code = compiled.code.code;
  const auto begin = code.instructions.begin() + code.rules[0].begin;
  return {begin, std::find_if(begin, code.instructions.end(),
                              [](const Instruction& in) { return in.op == Op::kReport; })};
}

/// A constant expression, and its value.
struct FoldedCase {
  const char* text;
  float value;
};

TEST(ExpressionWriter, FoldsConstants) {
  for (const FoldedCase& one : {
           FoldedCase{"1 + 2 * 3 - 4 / 5", 1 + 2 * 3 - 4.0f / 5},
           {"-(2 - 5) * !0", 3},
           {"1 / 3", 1.0f / 3},
           {"0.1 + 0.2", 0.1f + 0.2f},
           {"3 > 2", 1},
           {"2 >= 3", 0},
           {"(1 < 2) + (2 <= 2) + (1 == 1) + (1 != 1)", 3},
           {"floor(-1.5) + ceil(1.5) + round(2.5) + abs(-7)", 10},
           {"sqrt(2)", std::sqrt(2.0f)},
           {"sin(30) + cos(60)", 1},
           {"min(1, 2) + 10 * max(1, 2)", 21},
           {"mod(-1, 5)", 4},
           {"pow(2, 10)", 1024},
           {"clamp(9, 1, 4)", 4},
           {"front + 10 * right + 100 * back + 1000 * left", 3210},
           {"10 * top + bottom", 45},
           {"two * 3", 6},
           {"half(half(10))", 2.5f},
           {"same(4, sx)", 8},
       }) {
    const std::vector<Instruction> code = CodeOf(one.text);
    ASSERT_EQ(code.size(), 1u) << one.text;
    EXPECT_EQ(code[0].op, Op::kNumber) << one.text;
    EXPECT_EQ(code[0].Number(), one.value) << one.text;
  }
}

TEST(ExpressionWriter, FoldsDivisionsByZero) {
  EXPECT_TRUE(std::isinf(CodeOf("1 / 0")[0].Number()));
  EXPECT_TRUE(std::isnan(CodeOf("0 / 0")[0].Number()));
  EXPECT_TRUE(std::isnan(CodeOf("sqrt(-1)")[0].Number()));
}

TEST(ExpressionWriter, FoldsTheConstantPartsOfOtherExpressions) {
  EXPECT_EQ(CodeOf("sx * (2 + 3)").size(), 3u);
  EXPECT_EQ(CodeOf("2 * 3 + a").size(), 3u);
  // From the left: (sx + 2) + 3.
  EXPECT_EQ(CodeOf("sx + 2 + 3").size(), 5u);
}

TEST(ExpressionWriter, DoesNotFoldWhatDiffersFromSymbolToSymbol) {
  for (const char* const text : {"sx", "i", "depth", "face", "a", "rand()"}) {
    const std::vector<Instruction> code = CodeOf(text);
    ASSERT_EQ(code.size(), 1u) << text;
    EXPECT_NE(code[0].op, Op::kNumber) << text;
  }
}

TEST(ExpressionWriter, ComparesTheOtherWayRoundWithSwappedOperands) {
  const std::vector<Instruction> code = CodeOf("sx >= a");
  ASSERT_EQ(code.size(), 3u);
  EXPECT_EQ(code[0].op, Op::kAttribute);
  EXPECT_EQ(code[1].op, Op::kVariable);
  EXPECT_EQ(code[2].op, Op::kAtMost);
}

/// Random expressions of sx, sy and sz, and their values by an interpreter of their own.
class RandomExpressions {
 public:
  explicit RandomExpressions(unsigned seed) : random_(seed) {}

  struct Made {
    std::string text;
    float value;
  };

  Made Make(int depth) {
    if (depth == 0) return MakeLeaf();
    switch (random_() % 4) {
      case 0:
        return MakeOne(Make(depth - 1));
      case 1:
        return MakeChoice(Make(depth - 1), Make(depth - 1), Make(depth - 1));
      default:
        return MakeTwo(Make(depth - 1), Make(depth - 1));
    }
  }

  static constexpr float kSizes[3] = {2, 5, 0.5f};

 private:
  Made MakeLeaf() {
    const std::size_t which = random_() % 6;
    if (which < 3) return {std::string("s") + "xyz"[which], kSizes[which]};
    const auto number = static_cast<float>(random_() % 9) / 2;
    return {absl::StrCat(number), number};
  }

  Made MakeOne(const Made& x) {
    switch (random_() % 4) {
      case 0:
        return {"-" + x.text, -x.value};
      case 1:
        return {"!" + x.text, x.value == 0 ? 1.0f : 0.0f};
      case 2:
        return {"floor(" + x.text + ")", std::floor(x.value)};
      default:
        return {"abs(" + x.text + ")", std::fabs(x.value)};
    }
  }

  Made MakeTwo(const Made& x, const Made& y) {
    const auto made = [&](const char* sign, float value) {
      return Made{absl::StrCat("(", x.text, sign, y.text, ")"), value};
    };
    const auto truth = [](bool value) { return value ? 1.0f : 0.0f; };
    const float a = x.value, b = y.value;
    switch (random_() % 12) {
      case 0:
        return made(" - ", a - b);
      case 1:
        return made(" * ", a * b);
      case 2:
        return made(" && ", truth(a != 0 && b != 0));
      case 3:
        return made(" || ", truth(a != 0 || b != 0));
      case 4:
        return made(" < ", truth(a < b));
      case 5:
        return made(" > ", truth(a > b));
      case 6:
        return made(" <= ", truth(a <= b));
      case 7:
        return made(" >= ", truth(a >= b));
      case 8:
        return made(" == ", truth(a == b));
      case 9:
        return made(" != ", truth(a != b));
      case 10:
        return {absl::StrCat("min(", x.text, ", ", y.text, ")"), b < a ? b : a};
      default:
        return made(" + ", a + b);
    }
  }

  static Made MakeChoice(const Made& x, const Made& y, const Made& z) {
    return {absl::StrCat("(", x.text, " ? ", y.text, " : ", z.text, ")"),
            x.value != 0 ? y.value : z.value};
  }

  std::mt19937 random_;
};

TEST(ExpressionWriter, WritesCodeWithTheValueOfTheExpression) {
  constexpr std::size_t kExpressions = 12;
  for (unsigned seed = 0; seed < 60; ++seed) {
    RandomExpressions random(seed);
    std::string text = "wyg 1; start A; rule A = ";
    std::vector<RandomExpressions::Made> made;
    for (std::size_t e = 0; e < kExpressions; ++e) {
      made.push_back(random.Make(static_cast<int>(1 + e % 5)));
      absl::StrAppend(&text, "report(r", e, ", ", made.back().text, ")\n");
    }
    DeriveDriver driver;
    ASSERT_TRUE(driver.Open(text + ";").ok()) << driver.Open(text + ";");
    const auto& size = RandomExpressions::kSizes;
    const absl::StatusOr<Derived> derived =
        driver.Derive(test_support::Lots(1, size[0], size[1], size[2]));
    ASSERT_TRUE(derived.ok()) << derived.status();
    for (std::size_t e = 0; e < kExpressions; ++e) {
      const double value = made[e].value;
      // Reports count in 2^-16.
      EXPECT_NEAR(derived->statistics.reports[e], value, 1e-5 + 1e-7 * std::fabs(value))
          << made[e].text;
    }
  }
}

}  // namespace
}  // namespace warpyard
