// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The names that a grammar declares, and those that it uses without declaring them.
#ifndef WARPYARD_CORE_WORKLOAD_GRAMMAR_CODE_NAMES_H_
#define WARPYARD_CORE_WORKLOAD_GRAMMAR_CODE_NAMES_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "core/workload/grammar/language/diagnostics.h"
#include "core/workload/grammar/language/tree.h"

namespace warpyard::grammar {

/// Names by their positions in a list.
class NameTable {
 public:
  /// Adds a name, or finds it. Returns its position.
  std::uint32_t Add(std::string_view name);
  std::optional<std::uint32_t> Find(std::string_view name) const;
  std::size_t size() const { return names_.size(); }
  const std::vector<std::string>& names() const { return names_; }
  std::vector<std::string_view> Views() const { return {names_.begin(), names_.end()}; }

 private:
  std::vector<std::string> names_;
  absl::flat_hash_map<std::string, std::uint32_t> positions_;
};

/// @shape positions: those of Tree's lists, but for meshes, materials, labels and reports
struct Names {
  NameTable stages;
  NameTable rules;
  NameTable attributes;
  NameTable constants;
  NameTable functions;
  NameTable styles;
  NameTable meshes;     ///< built-in ones first
  NameTable materials;  ///< the first one has no name
  NameTable labels;     ///< of volumes that some rule makes
  NameTable reports;
};

/// Collects the names of a grammar. @errors in `diagnostics`: E1xx: declared twice, or reserved;
/// E310: too many
Names NamesOf(const Tree& tree, Diagnostics& diagnostics);

/// The Variable that a name stands for, as a number; -1 for other names.
int VariableOf(std::string_view name);
/// The number of a face, or -1.
int FaceOf(std::string_view name);
/// Names of values that expressions know: variables and faces.
std::vector<std::string_view> BuiltInValues();
std::vector<std::string_view> BuiltInFunctions();

}  // namespace warpyard::grammar

#endif  // WARPYARD_CORE_WORKLOAD_GRAMMAR_CODE_NAMES_H_
