// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Sorts run on one thread in each executable that includes this: ThreadSanitizer does not see how
// oneTBB hands work to others.
#ifndef WARPYARD_TESTS_SUPPORT_SERIAL_SORTS_H_
#define WARPYARD_TESTS_SUPPORT_SERIAL_SORTS_H_

#include <oneapi/tbb/global_control.h>

namespace warpyard::test_support {

inline const tbb::global_control kSerialSorts(tbb::global_control::max_allowed_parallelism, 1);

}  // namespace warpyard::test_support

#endif  // WARPYARD_TESTS_SUPPORT_SERIAL_SORTS_H_
