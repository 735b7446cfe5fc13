# SPDX-FileCopyrightText: 2026 The Warpyard Authors
# SPDX-License-Identifier: Apache-2.0

# Finds nvcc and enables CUDA if requested. Sets WARPYARD_HAS_CUDA (TRUE or FALSE).

set(WARPYARD_HAS_CUDA FALSE)
if(NOT WARPYARD_CUDA)
  message(STATUS "Warpyard: CUDA is off; the CPU backend only")
  return()
endif()

find_program(WARPYARD_NVCC nvcc HINTS ENV CUDACXX PATHS /usr/local/cuda/bin
             DOC "CUDA compiler driver")
if(NOT WARPYARD_NVCC)
  if(WARPYARD_CUDA STREQUAL "AUTO")
    message(STATUS "Warpyard: nvcc not found; the CPU backend only")
    return()
  endif()
  message(FATAL_ERROR "WARPYARD_CUDA is ON, but nvcc is neither on PATH nor in "
                      "/usr/local/cuda/bin; set WARPYARD_NVCC to its path")
endif()

if(NOT CMAKE_CUDA_COMPILER)
  set(CMAKE_CUDA_COMPILER "${WARPYARD_NVCC}")
endif()
if(NOT CMAKE_CUDA_HOST_COMPILER AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  set(CMAKE_CUDA_HOST_COMPILER "${CMAKE_CXX_COMPILER}")
endif()
set(CMAKE_CUDA_ARCHITECTURES "${WARPYARD_CUDA_ARCHITECTURES}")
set(CMAKE_CUDA_RUNTIME_LIBRARY Static)
enable_language(CUDA)
# CMake 3.25 does not know that nvcc supports C++20.
if(NOT DEFINED CMAKE_CUDA20_STANDARD_COMPILE_OPTION)
  set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION "-std=c++20")
  set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION "-std=c++20")
  list(APPEND CMAKE_CUDA_COMPILE_FEATURES cuda_std_20)
endif()
set(CMAKE_CUDA_STANDARD 20)
set(CMAKE_CUDA_STANDARD_REQUIRED ON)
set(CMAKE_CUDA_EXTENSIONS OFF)
include("${CMAKE_CURRENT_LIST_DIR}/WarpyardNvtx.cmake")
find_package(CUDAToolkit REQUIRED)
set(WARPYARD_HAS_CUDA TRUE)
if(NOT WARPYARD_OPTIMIZE_CUDA AND CMAKE_CUDA_COMPILER_VERSION VERSION_GREATER_EQUAL 12.9)
  string(APPEND CMAKE_CUDA_FLAGS " --Ofast-compile=max")
endif()
message(STATUS "Warpyard: CUDA ${CMAKE_CUDA_COMPILER_VERSION}, "
               "architectures ${WARPYARD_CUDA_ARCHITECTURES}")
