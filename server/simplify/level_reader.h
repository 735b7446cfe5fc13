// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Cuts one level of SimplifyLevels into messages.
#ifndef WARPYARD_SERVER_SIMPLIFY_LEVEL_READER_H_
#define WARPYARD_SERVER_SIMPLIFY_LEVEL_READER_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "warpyard/v1/simplify_service.pb.h"

namespace warpyard::server {

/// The messages of a level: its header, and then the parts of its lists in the order that
/// simplify_service.proto gives.
class LevelReader {
 public:
  /// @shape mesh: the response that Simplify would give
  LevelReader(std::uint32_t level, v1::SimplifyResponse mesh);

  /// @shape most_bytes: of a list in one message; at least 1
  v1::SimplifyLevelPart Next(std::size_t most_bytes);

  /// Whether Next has given all messages.
  bool done() const { return list_ == lists(); }

 private:
  int lists() const;
  const std::string& List() const;
  v1::SimplifyLevelPart Header();
  /// Goes on to the next list, unless this one has bytes left.
  void SkipEmpty();

  const std::uint32_t level_;
  v1::SimplifyResponse mesh_;
  int list_ = -1;          // the header comes first
  std::size_t begin_ = 0;  // of the next part, in the list
};

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_SIMPLIFY_LEVEL_READER_H_
