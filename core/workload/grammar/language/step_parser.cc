// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/grammar/language/step_parser.h"

#include <string>
#include <utility>

#include "absl/strings/str_cat.h"

namespace warpyard::grammar {

bool StepParser::ReadSequence(Sequence* sequence) {
  if (!Enter()) return false;
  while (true) {
    const Token& token = tokens_.Peek();
    const bool begins = token.kind == Token::Kind::kName || token.Is("[") || token.Is("{");
    if (!begins || IsCaseAhead() || tokens_.IsDeclarationAhead()) break;
    if (!ReadStep(&sequence->steps.emplace_back())) return false;
  }
  --depth_;
  return true;
}

bool StepParser::ReadStep(Step* step) {
  step->place = tokens_.Peek().place;
  if (tokens_.Accept("[")) {
    step->kind = Step::Kind::kSaved;
    return ReadSequence(&step->body) && tokens_.Expect("]", "the steps of '['");
  }
  if (tokens_.Peek().Is("{")) {
    step->kind = Step::Kind::kCases;
    return ReadCases(&step->cases);
  }
  if (!tokens_.AcceptName("let")) return ReadCall(step);
  step->kind = Step::Kind::kLet;
  Token name;
  if (!tokens_.ExpectName("the name of a variable after 'let'", &name) ||
      !tokens_.Expect("=", "the name of a variable")) {
    return false;
  }
  step->name = std::string(name.text);
  return ReadExpression(&step->arguments.emplace_back());
}

bool StepParser::ReadCall(Step* step) {
  const Token name = tokens_.Take();
  step->name = std::string(name.text);
  if (!ReadArguments(&step->arguments)) return false;
  const OperatorInfo* const info = FindOperator(name.text);
  if (!tokens_.Peek().Is("{")) return true;
  if (info != nullptr && info->block != BlockKind::kNone) return ReadBlock(info->block, step);
  // Cases may follow as a step of their own. Another block means that the name is wrong.
  if (AreCasesAhead(1)) return true;
  if (info != nullptr) {
    tokens_.diagnostics().Add("E020", tokens_.Peek().place,
                              absl::StrCat("'", step->name, "' takes no block"));
  } else {
    tokens_.diagnostics().AddUnknown(
        "E020", name.place, absl::StrCat("unknown operator '", step->name, "'"), name.text, [] {
          std::vector<std::string_view> candidates;
          for (const OperatorInfo& one : kOperators) {
            if (one.block != BlockKind::kNone) candidates.push_back(one.name);
          }
          return candidates;
        });
  }
  // What the block means is unknown: it is left out, and the rest is read.
  tokens_.Skip(tokens_.ToClosing(0) + 1);
  return true;
}

bool StepParser::AreCasesAhead(std::size_t ahead) const {
  if (tokens_.Peek(ahead).IsName("when") || tokens_.Peek(ahead).IsName("else")) return true;
  // The chance of the first case ends with '%' and ':'.
  for (; tokens_.Peek(ahead).kind != Token::Kind::kEnd; ++ahead) {
    const Token& token = tokens_.Peek(ahead);
    if (token.Is("(")) ahead = tokens_.ToClosing(ahead);
    if (token.Is("%")) return tokens_.Peek(ahead + 1).Is(":");
    if (token.Is(":") || token.Is("|") || token.Is("{") || token.Is("}") || token.Is(";")) break;
  }
  return false;
}

bool StepParser::IsCaseAhead() const {
  if (tokens_.Peek().IsName("else")) return tokens_.Peek(1).Is(":");
  if (!tokens_.Peek().IsName("when")) return false;
  // A rule may have this name, but what follows its call is no ':' before the next bar. Looks at
  // the tokens of a usual condition alone: a text may consist of this word.
  constexpr std::size_t kMostTokens = 256;
  for (std::size_t ahead = 1; ahead < kMostTokens; ++ahead) {
    if (tokens_.Peek(ahead).Is("(")) ahead = tokens_.ToClosing(ahead);
    const Token& token = tokens_.Peek(ahead);
    if (token.Is(":")) return true;
    if (token.kind == Token::Kind::kEnd) break;
    if (token.Is("|") || token.Is("{") || token.Is("}") || token.Is(";")) break;
  }
  return false;
}

bool StepParser::ReadCases(std::vector<Case>* cases) {
  const Place place = tokens_.Take().place;
  do {
    if (!ReadCase(&cases->emplace_back())) return false;
  } while (tokens_.Accept("|"));
  if (IsCaseAhead()) {
    tokens_.TellMissing("|");
    return false;
  }
  return tokens_.Expect("}", "the cases") && CheckCases(*cases, place);
}

bool StepParser::ReadCase(Case* one) {
  one->place = tokens_.Peek().place;
  if (tokens_.AcceptName("else")) {
    one->kind = Case::Kind::kElse;
    return tokens_.Expect(":", "'else'") && ReadSequence(&one->body);
  }
  one->kind = tokens_.AcceptName("when") ? Case::Kind::kWhen : Case::Kind::kPercent;
  if (!ReadExpression(&one->value)) return false;
  if (one->kind == Case::Kind::kPercent &&
      !tokens_.Expect("%", "the chance of a case; a condition begins with 'when'")) {
    return false;
  }
  return tokens_.Expect(":", "the head of a case") && ReadSequence(&one->body);
}

bool StepParser::CheckCases(const std::vector<Case>& cases, Place place) {
  double percent = 0;
  bool has_percent = false;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const Case& one = cases[i];
    if (one.kind == Case::Kind::kPercent) {
      has_percent = true;
      if (one.value.kind == Expression::Kind::kNumber) percent += one.value.number;
    }
    if (one.kind == Case::Kind::kElse && i + 1 < cases.size()) {
      tokens_.diagnostics().Add("E021", one.place, "'else' must be the last case");
    }
  }
  if (has_percent && cases.back().kind != Case::Kind::kElse) {
    tokens_.diagnostics().Add("E022", place, "cases with chances need a final 'else'");
  }
  if (percent > 100) {
    tokens_.diagnostics().Add("E023", place,
                              absl::StrCat("the chances are ", percent, " % together"));
  }
  return true;
}

bool StepParser::ReadBlock(BlockKind kind, Step* step) {
  step->has_block = true;
  const bool has_cases = kind == BlockKind::kPlain && AreCasesAhead(1);
  if (has_cases) {
    Step& cases = step->parts.emplace_back().body.steps.emplace_back();
    cases.kind = Step::Kind::kCases;
    cases.place = tokens_.Peek().place;
    step->parts.back().place = cases.place;
    return ReadCases(&cases.cases);
  }
  tokens_.Take();
  do {
    if (!ReadPart(kind, &step->parts.emplace_back())) return false;
  } while (tokens_.Accept("|"));
  return tokens_.Expect("}", absl::StrCat("the block of '", step->name, "'"));
}

bool StepParser::ReadPart(BlockKind kind, Part* part) {
  part->place = tokens_.Peek().place;
  if (kind == BlockKind::kPlain) return ReadSequence(&part->body);
  if (kind == BlockKind::kSplit) {
    return IsRepeatedAhead() ? ReadRepeated(part) : ReadSizedPart(part);
  }
  part->kind = Part::Kind::kNamed;
  Token name;
  if (!tokens_.ExpectName("the name of a part", &name)) return false;
  part->name = std::string(name.text);
  return tokens_.Expect(":", "the name of a part") && ReadSequence(&part->body);
}

bool StepParser::ReadSizedPart(Part* part) {
  part->kind = Part::Kind::kSized;
  if (tokens_.Accept("'")) part->size_kind = Part::Size::kRelative;
  if (tokens_.Accept("~")) part->size_kind = Part::Size::kFloating;
  return ReadExpression(&part->size) && tokens_.Expect(":", "the size of a part") &&
         ReadSequence(&part->body);
}

bool StepParser::IsRepeatedAhead() const {
  if (!tokens_.Peek().Is("(")) return false;
  const std::size_t closing = tokens_.ToClosing(0);
  if (!tokens_.Peek(closing + 1).Is("*")) return false;
  const Token& after = tokens_.Peek(closing + 2);
  return after.Is("|") || after.Is("}");
}

bool StepParser::ReadRepeated(Part* part) {
  part->kind = Part::Kind::kRepeated;
  tokens_.Take();
  do {
    Part& one = part->parts.emplace_back();
    one.place = tokens_.Peek().place;
    if (!ReadSizedPart(&one)) return false;
  } while (tokens_.Accept("|"));
  return tokens_.Expect(")", "the parts that repeat") && tokens_.Expect("*", "')'");
}

}  // namespace warpyard::grammar
