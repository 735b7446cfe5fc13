// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Starts an event as an execution model does.
#ifndef WARPYARD_TESTS_SUPPORT_WORKERS_START_EVENT_H_
#define WARPYARD_TESTS_SUPPORT_WORKERS_START_EVENT_H_

#include <cstdint>

namespace warpyard::test_support {

/// Starts the event whose job is in its slot, and shows its first stage. True when it is done at
/// once. @shape Space: a model::Workspace or what is like it
template <class Space>
bool StartEvent(Space& space, std::uint32_t event) {
  return space.events.Start(event, space.board).done;
}

}  // namespace warpyard::test_support

#endif  // WARPYARD_TESTS_SUPPORT_WORKERS_START_EVENT_H_
