// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The syntax tree of a grammar: what the parser makes of the text, and the compiler reads.
#ifndef WARPYARD_CORE_WORKLOAD_GRAMMAR_LANGUAGE_TREE_H_
#define WARPYARD_CORE_WORKLOAD_GRAMMAR_LANGUAGE_TREE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace warpyard::grammar {

/// A place in the source. @shape line, column: from 1 on; file: position in the list of files
struct Place {
  std::uint32_t file = 0;
  std::uint32_t line = 1;
  std::uint32_t column = 1;
};

enum class Operator : std::uint8_t {
  kNot,
  kNegate,
  kMultiply,
  kDivide,
  kAdd,
  kSubtract,
  kLess,
  kAtMost,
  kGreater,
  kAtLeast,
  kEqual,
  kUnequal,
  kAnd,
  kOr,
  kChoose,  ///< a ? b : c
};

struct Expression {
  enum class Kind : std::uint8_t { kNumber, kText, kName, kCall, kOperator };

  Kind kind = Kind::kNumber;
  Operator op = Operator::kNot;      ///< kOperator
  Place place;                       ///< kOperator: of the operator's sign
  double number = 0;                 ///< kNumber
  std::string text;                  ///< kText: without quotes; kName, kCall: the name, as "up.i"
  std::vector<Expression> operands;  ///< kCall: the arguments
};

struct Step;
struct Part;

/// Steps one after the other.
struct Sequence {
  std::vector<Step> steps;
};

/// One of the choices between braces.
struct Case {
  enum class Kind : std::uint8_t { kWhen, kPercent, kElse };
  Kind kind = Kind::kElse;
  Place place;
  Expression value;  ///< kWhen: the condition; kPercent: the chance
  Sequence body;
};

/// Something that a rule does.
struct Step {
  enum class Kind : std::uint8_t {
    kCall,   ///< an operator, with a block or without, or a rule
    kSaved,  ///< [ ]: the steps of `body` in a copy of the scope
    kCases,  ///< { when ... | else ... }
    kLet,    ///< let name = arguments[0]
  };
  Kind kind = Kind::kCall;
  Place place;
  std::string name;
  std::vector<Expression> arguments;
  bool has_block = false;
  std::vector<Part> parts;  ///< of the block
  Sequence body;            ///< kSaved
  std::vector<Case> cases;  ///< kCases
};

/// What a block makes of its scope: one choice between its bars.
struct Part {
  enum class Kind : std::uint8_t {
    kPlain,     ///< steps alone: of repeat, copies and scatter
    kNamed,     ///< name : steps: of comp, border, offset and roof
    kSized,     ///< size : steps: of split
    kRepeated,  ///< ( parts )*: of split
  };
  /// @shape absolute: metres; relative: a fraction of the scope; floating: a weight
  enum class Size : std::uint8_t { kAbsolute, kRelative, kFloating };

  Kind kind = Kind::kPlain;
  Size size_kind = Size::kAbsolute;
  Place place;
  std::string name;         ///< kNamed
  Expression size;          ///< kSized
  Sequence body;            ///< but for kRepeated
  std::vector<Part> parts;  ///< kRepeated: all of kSized
};

/// An interval of numbers, both ends included.
struct Interval {
  Expression least;
  Expression most;
};

struct Import {
  Place place;
  std::string file;
};
struct StageName {
  Place place;
  std::string name;
};
struct Start {
  Place place;
  std::string rule;
  std::vector<Expression> arguments;
};
struct Attribute {
  Place place;
  std::string name;
  Expression value;
  std::optional<Interval> range;
};
struct Constant {
  Place place;
  std::string name;
  Expression value;
};
struct Function {
  Place place;
  std::string name;
  std::vector<std::string> parameters;
  Expression value;
};
/// Values for attributes that a request can name together.
struct Style {
  Place place;
  std::string name;
  std::vector<Constant> values;
};
/// @shape asset: a file's name, or empty for a placeholder with so many vertices and triangles
struct MeshName {
  Place place;
  std::string name;
  std::string asset;
  double vertices = 0;
  double triangles = 0;
};
struct Annotation {
  Place place;
  std::string name;
  std::vector<Expression> arguments;
};
struct Rule {
  Place place;
  std::string name;
  std::vector<std::string> parameters;
  std::string stage;  ///< or empty
  Place stage_place;
  std::vector<Annotation> annotations;
  Sequence body;  ///< of one kCases step where it has cases
};

/// The declarations of all files of a grammar, each kind in the order of the text; those of an
/// imported file come where it is imported, once.
struct Tree {
  std::vector<std::string> files;  ///< names, the main file first
  std::vector<StageName> stages;
  std::vector<Start> starts;
  std::vector<Attribute> attributes;
  std::vector<Constant> constants;
  std::vector<Function> functions;
  std::vector<Style> styles;
  std::vector<MeshName> meshes;
  std::vector<Rule> rules;
};

}  // namespace warpyard::grammar

#endif  // WARPYARD_CORE_WORKLOAD_GRAMMAR_LANGUAGE_TREE_H_
