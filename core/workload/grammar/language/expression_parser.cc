// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Expressions, by precedence climbing.

#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/workload/grammar/language/step_parser.h"
#include "core/workload/grammar/limits.h"

namespace warpyard::grammar {
namespace {

struct BinarySign {
  std::string_view sign;
  Operator op;
  int precedence;  ///< more binds tighter
};

constexpr BinarySign kBinarySigns[] = {
    {"||", Operator::kOr, 1},      {"&&", Operator::kAnd, 2},     {"==", Operator::kEqual, 3},
    {"!=", Operator::kUnequal, 3}, {"<", Operator::kLess, 4},     {">", Operator::kGreater, 4},
    {"<=", Operator::kAtMost, 4},  {">=", Operator::kAtLeast, 4}, {"+", Operator::kAdd, 5},
    {"-", Operator::kSubtract, 5}, {"*", Operator::kMultiply, 6}, {"/", Operator::kDivide, 6},
};

const BinarySign* BinaryOf(const Token& token) {
  if (token.kind != Token::Kind::kSign) return nullptr;
  for (const BinarySign& binary : kBinarySigns) {
    if (token.text == binary.sign) return &binary;
  }
  return nullptr;
}

Expression Made(Operator op, Place place) {
  Expression expression;
  expression.kind = Expression::Kind::kOperator;
  expression.op = op;
  expression.place = place;
  return expression;
}

}  // namespace

bool StepParser::Enter() {
  if (++depth_ <= kMostNesting) return true;
  tokens_.diagnostics().Add(
      "E015", tokens_.Peek().place,
      absl::StrCat("more than ", kMostNesting, " parentheses and blocks, one in the other"));
  return false;
}

bool StepParser::ReadExpression(Expression* expression) {
  if (open_++ == 0) operators_ = 0;
  if (!Enter() || !ReadBinary(1, expression)) return false;
  const Place place = tokens_.Peek().place;
  if (tokens_.Accept("?")) {
    Expression choose = Made(Operator::kChoose, place);
    choose.operands.resize(3);
    choose.operands[0] = std::move(*expression);
    if (!ReadExpression(&choose.operands[1]) || !tokens_.Expect(":", "the first choice of '?'") ||
        !ReadExpression(&choose.operands[2])) {
      return false;
    }
    *expression = std::move(choose);
  }
  --depth_;
  --open_;
  return true;
}

bool StepParser::ReadBinary(int least, Expression* expression) {
  if (!ReadUnary(expression)) return false;
  while (true) {
    const BinarySign* const binary = BinaryOf(tokens_.Peek());
    if (binary == nullptr || binary->precedence < least) return true;
    // A long sum is a tree as deep as it is long, which others walk by recursion.
    if (++operators_ > kMostOperators) {
      tokens_.diagnostics().Add(
          "E015", tokens_.Peek().place,
          absl::StrCat("more than ", kMostOperators, " operators in an expression"));
      return false;
    }
    Expression made = Made(binary->op, tokens_.Take().place);
    made.operands.resize(2);
    made.operands[0] = std::move(*expression);
    if (!ReadBinary(binary->precedence + 1, &made.operands[1])) return false;
    *expression = std::move(made);
  }
}

bool StepParser::ReadUnary(Expression* expression) {
  const Token sign = tokens_.Peek();
  if (!sign.Is("-") && !sign.Is("!")) return ReadPrimary(expression);
  tokens_.Take();
  *expression = Made(sign.Is("-") ? Operator::kNegate : Operator::kNot, sign.place);
  expression->operands.resize(1);
  if (!Enter() || !ReadUnary(&expression->operands[0])) return false;
  --depth_;
  return true;
}

bool StepParser::ReadPrimary(Expression* expression) {
  const Token token = tokens_.Peek();
  expression->place = token.place;
  if (tokens_.Accept("(")) {
    return ReadExpression(expression) && tokens_.Expect(")", "an expression in parentheses");
  }
  switch (token.kind) {
    case Token::Kind::kNumber:
      expression->number = token.number;
      break;
    case Token::Kind::kText:
      expression->kind = Expression::Kind::kText;
      break;
    case Token::Kind::kName:
      expression->kind = Expression::Kind::kName;
      break;
    default:
      tokens_.TellExpected("E012", "a number, a name or '('");
      return false;
  }
  expression->text = std::string(token.text);
  tokens_.Take();
  if (token.kind != Token::Kind::kName || !tokens_.Peek().Is("(")) return true;
  expression->kind = Expression::Kind::kCall;
  return ReadArguments(&expression->operands);
}

bool StepParser::ReadArguments(std::vector<Expression>* arguments) {
  if (!tokens_.Accept("(") || tokens_.Accept(")")) return true;
  do {
    if (!ReadExpression(&arguments->emplace_back())) return false;
  } while (tokens_.Accept(","));
  return tokens_.Expect(")", "the arguments");
}

}  // namespace warpyard::grammar
