// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/grammar/language/parser.h"

#include <algorithm>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/workload/grammar/language/step_parser.h"
#include "core/workload/grammar/language/token_list.h"
#include "core/workload/grammar/limits.h"

namespace warpyard::grammar {
namespace {

constexpr double kVersion = 1;

/// Reads the declarations of all files. Functions return false after an error, which they have
/// told.
class Parser {
 public:
  Parser(absl::Span<const SourceFile> files, Diagnostics& diagnostics)
      : files_(files), diagnostics_(diagnostics), read_(files.size(), false) {}

  Tree Run() {
    for (const SourceFile& file : files_) tree_.files.push_back(file.name);
    ReadFile(0);
    return std::move(tree_);
  }

 private:
  /// One file after the other: files that import each other are read once.
  void ReadFile(std::size_t file) {
    read_[file] = true;
    const auto number = static_cast<std::uint32_t>(file);
    TokenList tokens(files_[file].text, number, diagnostics_);
    TokenList* const outer = std::exchange(tokens_, &tokens);
    if (!ReadVersion(file == 0)) tokens.SkipDeclaration();
    while (tokens.Peek().kind != Token::Kind::kEnd) {
      if (!ReadDeclaration()) tokens.SkipDeclaration();
    }
    tokens_ = outer;
  }

  bool ReadVersion(bool is_needed) {
    if (!tokens_->AcceptName("wyg")) {
      if (!is_needed) return true;
      tokens_->TellExpected("E005", "'wyg 1;' at the head of the file");
      // The rest may be right.
      return true;
    }
    const Token version = tokens_->Take();
    if (version.kind != Token::Kind::kNumber || version.number != kVersion) {
      diagnostics_.Add("E005", version.place,
                       absl::StrCat("the version of the language is ", kVersion, ", not '",
                                    std::string(version.text.substr(0, 40)), "'"));
    }
    return tokens_->Expect(";", "the version");
  }

  bool ReadDeclaration() {
    std::vector<Annotation> annotations;
    if (!ReadAnnotations(&annotations)) return false;
    Token keyword;
    if (!tokens_->ExpectName("a declaration", &keyword)) return false;
    const std::string_view kind = keyword.text;
    if (kind == "rule") return ReadRule(std::move(annotations));
    if (!annotations.empty()) {
      diagnostics_.Add("E013", keyword.place, "annotations stand before a rule");
      return false;
    }
    if (kind == "import") return ReadImport();
    if (kind == "stage") return ReadStages();
    if (kind == "start") return ReadStart();
    if (kind == "attr") return ReadAttribute();
    if (kind == "const") return ReadConstant(&tree_.constants.emplace_back());
    if (kind == "fn") return ReadFunction();
    if (kind == "style") return ReadStyle();
    if (kind == "mesh") return ReadMesh();
    diagnostics_.AddUnknown(
        "E013", keyword.place,
        absl::StrCat("unknown declaration '", std::string(kind.substr(0, 40)), "'"), kind, [] {
          return std::vector<std::string_view>(std::begin(kDeclarations), std::end(kDeclarations));
        });
    return false;
  }

  bool ReadAnnotations(std::vector<Annotation>* annotations) {
    while (tokens_->Accept("@")) {
      Token name;
      if (!tokens_->ExpectName("the name of an annotation after '@'", &name)) return false;
      Annotation& annotation = annotations->emplace_back();
      annotation.place = name.place;
      annotation.name = std::string(name.text);
      if (!Steps().ReadArguments(&annotation.arguments)) return false;
    }
    return true;
  }

  bool End(std::string_view after) { return tokens_->Expect(";", after); }
  StepParser Steps() { return StepParser(*tokens_); }

  /// The name of what is declared.
  template <class Declaration>
  bool ReadName(std::string_view what, Declaration* declaration) {
    Token name;
    if (!tokens_->ExpectName(what, &name)) return false;
    declaration->place = name.place;
    declaration->name = std::string(name.text);
    return true;
  }

  bool ReadImport() {
    const Token name = tokens_->Peek();
    if (name.kind != Token::Kind::kText) {
      tokens_->TellExpected("E014", "the name of a file in quotes");
      return false;
    }
    tokens_->Take();
    const auto found = std::find_if(files_.begin(), files_.end(),
                                    [&](const SourceFile& file) { return file.name == name.text; });
    if (found == files_.end()) TellNoFile(name);
    if (!End("the import")) return false;
    const auto file = static_cast<std::size_t>(found - files_.begin());
    if (found != files_.end() && !read_[file]) ReadFile(file);
    return true;
  }

  void TellNoFile(const Token& name) {
    diagnostics_.AddUnknown("E014", name.place,
                            absl::StrCat("no file '", std::string(name.text.substr(0, 255)),
                                         "' is among the files of the grammar"),
                            name.text, [&] {
                              std::vector<std::string_view> names;
                              for (std::size_t file = 0; file < files_.size(); ++file) {
                                // Nobody means to import the file that has the import.
                                if (file != name.place.file) names.emplace_back(files_[file].name);
                              }
                              return names;
                            });
  }

  bool ReadStages() {
    do {
      if (!ReadName("the name of a stage", &tree_.stages.emplace_back())) return false;
    } while (tokens_->Accept(","));
    return End("the stages");
  }

  bool ReadStart() {
    Token name;
    if (!tokens_->ExpectName("the name of a rule", &name)) return false;
    Start& start = tree_.starts.emplace_back();
    start.place = name.place;
    start.rule = std::string(name.text);
    return Steps().ReadArguments(&start.arguments) && End("the start");
  }

  bool ReadAttribute() {
    Attribute& attribute = tree_.attributes.emplace_back();
    if (!ReadName("the name of an attribute", &attribute) ||
        !tokens_->Expect("=", "the name of an attribute") ||
        !Steps().ReadExpression(&attribute.value)) {
      return false;
    }
    if (tokens_->AcceptName("in")) {
      Interval& range = attribute.range.emplace();
      if (!tokens_->Expect("[", "'in'") || !Steps().ReadExpression(&range.least) ||
          !tokens_->Expect("..", "the least value") || !Steps().ReadExpression(&range.most) ||
          !tokens_->Expect("]", "the most value")) {
        return false;
      }
    }
    return End("the attribute");
  }

  bool ReadConstant(Constant* constant) {
    return ReadName("the name of a value", constant) &&
           tokens_->Expect("=", "the name of a value") &&
           Steps().ReadExpression(&constant->value) && End("the value");
  }

  bool ReadParameters(std::vector<std::string>* parameters) {
    if (!tokens_->Accept("(") || tokens_->Accept(")")) return true;
    do {
      Token name;
      if (!tokens_->ExpectName("the name of a parameter", &name)) return false;
      parameters->emplace_back(name.text);
    } while (tokens_->Accept(","));
    return tokens_->Expect(")", "the parameters");
  }

  bool ReadFunction() {
    Function& function = tree_.functions.emplace_back();
    return ReadName("the name of a function", &function) && ReadParameters(&function.parameters) &&
           tokens_->Expect("=", "the parameters") && Steps().ReadExpression(&function.value) &&
           End("the function");
  }

  bool ReadStyle() {
    Style& style = tree_.styles.emplace_back();
    if (!ReadName("the name of a style", &style) || !tokens_->Expect("{", "the name of a style")) {
      return false;
    }
    while (!tokens_->Accept("}")) {
      if (!ReadConstant(&style.values.emplace_back())) return false;
    }
    // A semicolon is allowed, as everywhere.
    tokens_->Accept(";");
    return true;
  }

  bool ReadMesh() {
    MeshName& mesh = tree_.meshes.emplace_back();
    if (!ReadName("the name of a mesh", &mesh) || !tokens_->Expect("(", "the name of a mesh")) {
      return false;
    }
    if (tokens_->Peek().kind == Token::Kind::kText) {
      mesh.asset = std::string(tokens_->Take().text);
    } else if (!ReadCount(&mesh.vertices) || !tokens_->Expect(",", "the number of vertices") ||
               !ReadCount(&mesh.triangles)) {
      return false;
    }
    return tokens_->Expect(")", "the mesh") && End("the mesh");
  }

  bool ReadCount(double* count) {
    constexpr double kMost = 1e9;
    const Token& number = tokens_->Peek();
    if (number.kind != Token::Kind::kNumber || number.number > kMost ||
        number.number != static_cast<double>(static_cast<std::int64_t>(number.number))) {
      tokens_->TellExpected("E012", "a file in quotes, or numbers of vertices and triangles");
      return false;
    }
    *count = tokens_->Take().number;
    return true;
  }

  bool ReadRule(std::vector<Annotation> annotations) {
    Rule& rule = tree_.rules.emplace_back();
    rule.annotations = std::move(annotations);
    if (!ReadName("the name of a rule", &rule) || !ReadParameters(&rule.parameters)) return false;
    if (tokens_->Accept(":")) {
      Token stage;
      if (!tokens_->ExpectName("the name of a stage after ':'", &stage)) return false;
      rule.stage = std::string(stage.text);
      rule.stage_place = stage.place;
    }
    if (!tokens_->Expect("=", "the head of a rule")) return false;
    if (!Steps().ReadSequence(&rule.body)) return false;
    if (!tokens_->IsDeclarationAhead()) return End("the steps of a rule");
    tokens_->TellMissing(";");
    return false;
  }

  const absl::Span<const SourceFile> files_;
  Diagnostics& diagnostics_;
  std::vector<bool> read_;  ///< of each file
  TokenList* tokens_ = nullptr;
  Tree tree_;
};

}  // namespace

Tree Parse(absl::Span<const SourceFile> files, Diagnostics& diagnostics) {
  std::size_t bytes = 0;
  for (const SourceFile& file : files) bytes += file.text.size();
  if (files.empty() || files.size() > kMostFiles) {
    diagnostics.Add("E301", {}, absl::StrCat(files.size(), " files, expected 1 to ", kMostFiles));
    return {};
  }
  if (bytes > kMostSourceBytes) {
    diagnostics.Add(
        "E302", {},
        absl::StrCat("the files have ", bytes, " bytes, expected ", kMostSourceBytes, " at most"));
    return {};
  }
  return Parser(files, diagnostics).Run();
}

}  // namespace warpyard::grammar
