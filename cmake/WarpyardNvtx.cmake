# SPDX-FileCopyrightText: 2026 The Warpyard Authors
# SPDX-License-Identifier: Apache-2.0

# FindCUDAToolkit of CMake 3.25 sets a property of this target, also where the toolkit has no such
# library any more (from CUDA 12.9 on). Nothing here links it. Include this before
# find_package(CUDAToolkit), also in the package that is installed.
if(NOT TARGET CUDA::nvToolsExt)
  add_library(CUDA::nvToolsExt INTERFACE IMPORTED)
endif()
