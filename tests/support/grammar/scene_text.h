// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The grammars of the thesis' scenes, which lie beside the repository.
#ifndef WARPYARD_TESTS_SUPPORT_GRAMMAR_SCENE_TEXT_H_
#define WARPYARD_TESTS_SUPPORT_GRAMMAR_SCENE_TEXT_H_

#include <fstream>
#include <sstream>
#include <string>

namespace warpyard::test_support {

/// Empty: there is no ../shared/data/grammars.
inline std::string SceneText(const std::string& name) {
  std::ifstream file(std::string(WARPYARD_SHARED_DATA) + "/grammars/" + name + ".wyg");
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace warpyard::test_support

#endif  // WARPYARD_TESTS_SUPPORT_GRAMMAR_SCENE_TEXT_H_
