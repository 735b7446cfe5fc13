// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Instantiates the resident kernel of ServiceProgram.
#include "core/model/megakernel/launch.cuh"
#include "core/programs.h"

template struct warpyard::model::MegakernelLaunch<
    warpyard::model::DeviceSpace<warpyard::ServiceProgram>>;
