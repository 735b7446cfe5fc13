// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The grammars of the thesis' scenes, which lie beside the repository.
#ifndef WARPYARD_TESTS_SUPPORT_GRAMMAR_SCENE_TEXT_H_
#define WARPYARD_TESTS_SUPPORT_GRAMMAR_SCENE_TEXT_H_

#include <string>

namespace warpyard::test_support {

/// Empty: there is no ../shared/data/grammars.
std::string SceneText(const std::string& name);

}  // namespace warpyard::test_support

#endif  // WARPYARD_TESTS_SUPPORT_GRAMMAR_SCENE_TEXT_H_
