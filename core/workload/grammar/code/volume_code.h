// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Code that makes the volumes of a grammar, and nothing else.
#ifndef WARPYARD_CORE_WORKLOAD_GRAMMAR_CODE_VOLUME_CODE_H_
#define WARPYARD_CORE_WORKLOAD_GRAMMAR_CODE_VOLUME_CODE_H_

#include <vector>

#include "core/workload/grammar/code/code.h"
#include "core/workload/grammar/code/leaves.h"

namespace warpyard::grammar {

/// The same rules, whose only terminals are boxes in the scopes of volumes. The material of a box
/// is its VolumeKind: opaque or enclosing. Hidden volumes make none. Every instruction that is left
/// keeps its place, since random choices depend on places; so volumes are where `code` has them.
/// Has no instructions if the grammar has no opaque volume.
/// @shape regions: of all code, in order; code: without the flags of MarkLeaves
Code VolumeCodeOf(const std::vector<Region>& regions, const Code& code);

}  // namespace warpyard::grammar

#endif  // WARPYARD_CORE_WORKLOAD_GRAMMAR_CODE_VOLUME_CODE_H_
