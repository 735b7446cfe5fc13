# SPDX-FileCopyrightText: 2026 The Warpyard Authors
# SPDX-License-Identifier: Apache-2.0

# Target check_headers: every .h of ours compiles alone with the C++ compiler, and with clang++ where
# there is one; every .h of core that has device code, and every .cuh, with nvcc where there is one.
# Each header is compiled again only when it or what it includes has changed.

find_program(WARPYARD_CLANG clang++)
set(_wy_header_includes -I "${PROJECT_SOURCE_DIR}" -isystem "${PROJECT_BINARY_DIR}/proto/cpp")
# Naming a compiler's own folder again would change the order of its search.
if(NOT WARPYARD_LIBCUDACXX_INCLUDE_DIR STREQUAL "/usr/include")
  list(APPEND _wy_header_includes -isystem "${WARPYARD_LIBCUDACXX_INCLUDE_DIR}")
endif()
set(_wy_headers_dir "${PROJECT_BINARY_DIR}/header_checks")
set(_wy_header_stamps)

# Compiles one header with one compiler: <tool> names it, <suffix> the type of source file it takes,
# the rest is its command line.
function(_wy_check_header header tool suffix)
  set(source "${_wy_headers_dir}/${header}.${suffix}")
  set(stamp "${_wy_headers_dir}/${header}.${tool}")
  file(CONFIGURE OUTPUT "${source}" CONTENT "#include \"@header@\"  // NOLINT\n#include \"@header@\"\n"
       @ONLY)
  add_custom_command(
    OUTPUT "${stamp}.o"
    COMMAND ${ARGN} -std=c++20 -MD -MF "${stamp}.d" -MT "${stamp}.o" ${_wy_header_includes}
            -c "${source}" -o "${stamp}.o"
    DEPENDS "${source}" warpyard_proto
    DEPFILE "${stamp}.d"
    COMMENT "${tool}: ${header} alone"
    VERBATIM)
  set(_wy_header_stamps ${_wy_header_stamps} "${stamp}.o" PARENT_SCOPE)
endfunction()

set(_wy_strict -Wall -Wextra -Wconversion -Werror -O0)
foreach(_wy_folder IN ITEMS core server client_examples tests benchmarks)
  file(GLOB_RECURSE _wy_found CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}"
       "${PROJECT_SOURCE_DIR}/${_wy_folder}/*.h" "${PROJECT_SOURCE_DIR}/${_wy_folder}/*.cuh")
  foreach(_wy_header IN LISTS _wy_found)
    if(_wy_header MATCHES "[.]h$")
      _wy_check_header(${_wy_header} cxx cc "${CMAKE_CXX_COMPILER}" ${_wy_strict})
      file(STRINGS "${PROJECT_SOURCE_DIR}/${_wy_header}" _wy_unknown_to_clang14
           REGEX "<source_location>" LIMIT_COUNT 1)
      if(WARPYARD_CLANG AND NOT _wy_unknown_to_clang14)
        _wy_check_header(${_wy_header} clang cc "${WARPYARD_CLANG}" ${_wy_strict}
                         -Wno-bitwise-instead-of-logical)
      endif()
    endif()
    file(STRINGS "${PROJECT_SOURCE_DIR}/${_wy_header}" _wy_device_code REGEX "WY_HD" LIMIT_COUNT 1)
    if(WARPYARD_HAS_CUDA AND (_wy_header MATCHES "[.]cuh$"
                              OR (_wy_device_code AND _wy_header MATCHES "^core/")))
      _wy_check_header(${_wy_header} nvcc cu "${CMAKE_CUDA_COMPILER}" --ptx
                       "-arch=sm_90" --expt-relaxed-constexpr -Werror=all-warnings)
    endif()
  endforeach()
endforeach()
add_custom_target(check_headers DEPENDS ${_wy_header_stamps})
