// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Trees of grammars as text in which parentheses show the shape, for tests of the parser.
#ifndef WARPYARD_TESTS_SUPPORT_GRAMMAR_TREE_TEXT_H_
#define WARPYARD_TESTS_SUPPORT_GRAMMAR_TREE_TEXT_H_

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/workload/grammar/language/tree.h"

namespace warpyard::test_support {

inline std::string TextOf(const grammar::Expression& expression);
inline std::string TextOf(const grammar::Case& one);
inline std::string TextOf(const grammar::Part& part);
inline std::string TextOf(const grammar::Step& step);
inline std::string TextOf(const grammar::Sequence& sequence);

/// Texts of a list of nodes, with a sign between them.
template <class Node>
std::string JoinedText(const std::vector<Node>& nodes, const char* between) {
  std::string text;
  for (const Node& node : nodes) {
    absl::StrAppend(&text, &node == nodes.data() ? "" : between, TextOf(node));
  }
  return text;
}

/// "(+ a (* b 2))", "f(a, b)", "\"text\"".
inline std::string TextOf(const grammar::Expression& expression) {
  static constexpr const char* kSigns[] = {
      "!", "-", "*", "/", "+", "-", "<", "<=", ">", ">=", "==", "!=", "&&", "||", "?"};
  switch (expression.kind) {
    case grammar::Expression::Kind::kNumber:
      return absl::StrCat(expression.number);
    case grammar::Expression::Kind::kText:
      return absl::StrCat("\"", expression.text, "\"");
    case grammar::Expression::Kind::kName:
      return expression.text;
    case grammar::Expression::Kind::kCall:
      return absl::StrCat(expression.text, "(", JoinedText(expression.operands, ", "), ")");
    case grammar::Expression::Kind::kOperator:
      break;
  }
  return absl::StrCat("(", kSigns[static_cast<int>(expression.op)], " ",
                      JoinedText(expression.operands, " "), ")");
}

/// "when c: steps", "30%: steps", "else: steps".
inline std::string TextOf(const grammar::Case& one) {
  using Kind = grammar::Case::Kind;
  const std::string head = one.kind == Kind::kWhen      ? absl::StrCat("when ", TextOf(one.value))
                           : one.kind == Kind::kPercent ? absl::StrCat(TextOf(one.value), "%")
                                                        : "else";
  return absl::StrCat(head, ": ", TextOf(one.body));
}

/// "steps", "name: steps", "'size: steps", "(parts)*".
inline std::string TextOf(const grammar::Part& part) {
  static constexpr const char* kSizes[] = {"", "'", "~"};
  switch (part.kind) {
    case grammar::Part::Kind::kPlain:
      return TextOf(part.body);
    case grammar::Part::Kind::kNamed:
      return absl::StrCat(part.name, ": ", TextOf(part.body));
    case grammar::Part::Kind::kSized:
      return absl::StrCat(kSizes[static_cast<int>(part.size_kind)], TextOf(part.size), ": ",
                          TextOf(part.body));
    case grammar::Part::Kind::kRepeated:
      break;
  }
  return absl::StrCat("(", JoinedText(part.parts, " | "), ")*");
}

/// "name(arguments) { parts }", "[steps]", "{cases}", "let name = value".
inline std::string TextOf(const grammar::Step& step) {
  switch (step.kind) {
    case grammar::Step::Kind::kSaved:
      return absl::StrCat("[", TextOf(step.body), "]");
    case grammar::Step::Kind::kCases:
      return absl::StrCat("{", JoinedText(step.cases, " | "), "}");
    case grammar::Step::Kind::kLet:
      return absl::StrCat("let ", step.name, " = ", JoinedText(step.arguments, ", "));
    case grammar::Step::Kind::kCall:
      break;
  }
  std::string text = step.name;
  if (!step.arguments.empty()) absl::StrAppend(&text, "(", JoinedText(step.arguments, ", "), ")");
  if (step.has_block) absl::StrAppend(&text, " { ", JoinedText(step.parts, " | "), " }");
  return text;
}

inline std::string TextOf(const grammar::Sequence& sequence) {
  return JoinedText(sequence.steps, " ");
}

}  // namespace warpyard::test_support

#endif  // WARPYARD_TESTS_SUPPORT_GRAMMAR_TREE_TEXT_H_
