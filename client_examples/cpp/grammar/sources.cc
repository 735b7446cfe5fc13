// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/cpp/grammar/sources.h"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <optional>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "client_examples/city_io/unit_mesh.h"
#include "client_examples/mesh_io/files.h"

namespace warpyard::cli {
namespace {

namespace fs = std::filesystem;

/// More than the service takes, so that it is the one to refuse them.
constexpr std::size_t kMostFiles = 40;

/// How many bytes follow the first one of a character; none where no character begins so.
std::optional<std::size_t> FollowersOf(unsigned char first) {
  if (first < 0x80) return 0;
  if (first >= 0xC2 && first < 0xE0) return 1;
  if (first >= 0xE0 && first < 0xF0) return 2;
  if (first >= 0xF0 && first < 0xF5) return 3;
  return std::nullopt;
}

bool IsUtf8(absl::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const std::optional<std::size_t> followers = FollowersOf(static_cast<unsigned char>(text[i++]));
    if (!followers || *followers > text.size() - i) return false;
    for (std::size_t end = i + *followers; i < end; ++i) {
      if ((static_cast<unsigned char>(text[i]) & 0xC0) != 0x80) return false;
    }
  }
  return true;
}

bool IsInName(char c) { return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '_'; }

/// Where the token at the beginning of a text ends: a comment, a text in quotes, a name or a
/// letter.
std::size_t EndOfToken(absl::string_view text) {
  const auto after = [text](absl::string_view end, std::size_t from) {
    const std::size_t found = text.find(end, from);
    return found == absl::string_view::npos ? text.size() : found + end.size();
  };
  if (text.substr(0, 2) == "//") return after("\n", 0);
  if (text.substr(0, 2) == "/*") return after("*/", 2);
  // Texts end in their lines.
  if (text[0] == '"') return std::min(after("\"", 1), after("\n", 1));
  std::size_t end = 0;
  while (end < text.size() && IsInName(text[end])) ++end;
  return std::max<std::size_t>(1, end);
}

bool IsSpaceOrComment(absl::string_view token) {
  return absl::ascii_isspace(static_cast<unsigned char>(token[0])) || token.substr(0, 2) == "//" ||
         token.substr(0, 2) == "/*";
}

}  // namespace

std::vector<std::string> ImportsOf(absl::string_view text) {
  std::vector<std::string> names;
  bool is_import = false;
  while (!text.empty()) {
    const absl::string_view token = text.substr(0, EndOfToken(text));
    text.remove_prefix(token.size());
    if (IsSpaceOrComment(token)) continue;
    if (is_import && token.size() > 2 && token[0] == '"' && token.back() == '"') {
      const std::string name(token.substr(1, token.size() - 2));
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
    is_import = token == "import";
  }
  return names;
}

std::string FolderOf(const std::string& path) { return fs::path(path).parent_path().string(); }

absl::StatusOr<v1::CompileGrammarRequest> ReadSources(const std::string& path) {
  absl::StatusOr<std::string> text = mesh_io::ReadFile(path);
  if (!text.ok()) return text.status();
  v1::CompileGrammarRequest request;
  std::vector<std::string> names{fs::path(path).filename().string()};
  for (std::size_t i = 0; i < names.size() && i < kMostFiles; ++i) {
    if (i > 0) {
      const std::string file = (fs::path(FolderOf(path)) / names[i]).string();
      if (!city_io::StaysInFolder(names[i])) {
        return absl::InvalidArgumentError(absl::StrCat(
            path, ": imports \"", names[i], "\", which is not in the folder of the grammar"));
      }
      text = mesh_io::ReadFile(file);
      if (absl::IsNotFound(text.status())) continue;
      if (!text.ok()) return text.status();
    }
    // Protobuf would refuse the message without saying where.
    if (!IsUtf8(*text)) {
      return absl::InvalidArgumentError(
          absl::StrCat((fs::path(FolderOf(path)) / names[i]).string(), ": no text in UTF-8"));
    }
    for (std::string& import : ImportsOf(*text)) {
      if (std::find(names.begin(), names.end(), import) == names.end()) names.push_back(import);
    }
    v1::GrammarFile& file = *request.add_files();
    file.set_name(names[i]);
    file.set_text(*std::move(text));
  }
  return request;
}

bool IsError(const v1::GrammarDiagnostic& diagnostic) {
  return !diagnostic.code().empty() && diagnostic.code()[0] == 'E';
}

std::string TextOf(const v1::GrammarDiagnostic& diagnostic, const std::string& folder) {
  // The service cuts long lines, and the mark stays within.
  const std::size_t column =
      std::clamp<std::size_t>(diagnostic.column(), 1, diagnostic.source().size() + 1);
  return absl::StrCat((fs::path(folder) / diagnostic.file()).string(), ":", diagnostic.line(), ":",
                      diagnostic.column(), ": ", diagnostic.code(), " ", diagnostic.message(),
                      "\n  ", diagnostic.source(), "\n  ", std::string(column - 1, ' '), "^\n");
}

}  // namespace warpyard::cli
