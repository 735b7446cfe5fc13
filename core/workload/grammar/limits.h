// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Limits of grammars and derivations that hold on every server.
#ifndef WARPYARD_CORE_WORKLOAD_GRAMMAR_LIMITS_H_
#define WARPYARD_CORE_WORKLOAD_GRAMMAR_LIMITS_H_

#include <cstddef>
#include <cstdint>

namespace warpyard::grammar {

// Source text.
inline constexpr std::size_t kMostSourceBytes = 256 * 1024;  ///< of all files together
inline constexpr std::size_t kMostFiles = 33;                ///< the main file and 32 imports
inline constexpr std::size_t kMostErrors = 20;               ///< that a compilation tells
inline constexpr std::uint32_t kMostNesting = 64;            ///< of blocks and parentheses
inline constexpr std::uint32_t kMostOperators = 256;         ///< of an expression

// Names.
inline constexpr std::size_t kMostRules = 4096;
inline constexpr std::size_t kMostStages = 8;
inline constexpr std::size_t kMostAttributes = 64;
inline constexpr std::size_t kMostMeshes = 1024;     ///< besides those that every grammar has
inline constexpr std::size_t kMostMaterials = 4096;  ///< and one of them is that of no material
inline constexpr std::size_t kMostLabels = 256;      ///< names of volumes
inline constexpr std::size_t kMostReports = 16;      ///< names of reports

// Code.
inline constexpr std::uint32_t kMostInstructions = 1 << 16;
inline constexpr std::size_t kMostOpenCalls = 32;  ///< functions and constants, one in the other
inline constexpr std::uint32_t kMostFunctionCalls =
    4096;  ///< that one rule's expressions expand to
/// Constants and arguments that one rule's expressions expand to, also in functions.
inline constexpr std::uint32_t kMostUses = 1 << 14;
inline constexpr std::uint32_t kSlots = 8;       ///< parameters and variables that a rule can have
inline constexpr std::uint32_t kMostParts = 16;  ///< of a split
inline constexpr std::uint32_t kStack = 24;      ///< numbers that an expression needs at once
inline constexpr std::uint32_t kMostSaved = 8;   ///< scopes that [ ] saves, one in the other

// Derivation.
inline constexpr std::uint32_t kMostDepth = 256;  ///< rules that name one another
/// Instructions and volumes that the rules of one symbol execute and look at: nothing stops a
/// thread that executes symbols, up to 32 on a CPU, and other jobs wait for it.
inline constexpr std::uint32_t kMostSteps = 1 << 18;
inline constexpr std::uint32_t kMostSnapLines = 4096;  ///< snap(), of a building
inline constexpr std::uint32_t kMostCells = 65536;     ///< of one repeat, split, copies or scatter
inline constexpr float kLeastSize = 1e-4f;             ///< metres: what is thinner is left out
inline constexpr float kMostCoordinate = 1e7f;         ///< metres from the origin of a building
inline constexpr std::size_t kMostBuildings = 1 << 22;

}  // namespace warpyard::grammar

#endif  // WARPYARD_CORE_WORKLOAD_GRAMMAR_LIMITS_H_
