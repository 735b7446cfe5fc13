# SPDX-FileCopyrightText: 2026 The Warpyard Authors
# SPDX-License-Identifier: Apache-2.0

# Finds libcu++: WARPYARD_LIBCUDACXX_INCLUDE_DIR. The CUDA toolkit includes it; without the toolkit it
# is a separate package (libcu++-dev). It is installed too, for find_package(warpyard).
find_path(WARPYARD_LIBCUDACXX_INCLUDE_DIR cuda/atomic
          PATHS ${CUDAToolkit_INCLUDE_DIRS} /usr/local/cuda/include
          PATH_SUFFIXES cccl
          NO_DEFAULT_PATH
          DOC "Folder of libcu++'s cuda/atomic")
find_path(WARPYARD_LIBCUDACXX_INCLUDE_DIR cuda/atomic)
if(NOT WARPYARD_LIBCUDACXX_INCLUDE_DIR)
  message(FATAL_ERROR "libcu++ (cuda/atomic) not found: install libcu++-dev or a CUDA toolkit")
endif()
