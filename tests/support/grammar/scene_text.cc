// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "tests/support/grammar/scene_text.h"

#include <fstream>
#include <sstream>
#include <string>

namespace warpyard::test_support {

std::string SceneText(const std::string& name) {
  std::ifstream file(std::string(WARPYARD_SHARED_DATA) + "/grammars/" + name + ".wyg");
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace warpyard::test_support
