# SPDX-FileCopyrightText: 2026 The Warpyard Authors
# SPDX-License-Identifier: Apache-2.0

# Target check_headers compiles every .h of ours alone with the C++ compiler. Where clang++ exists,
# it also compiles all headers of a folder together with clang++: one compiler suffices to show that
# a header compiles alone. Where nvcc exists, it compiles every .cuh alone, and together the .h of
# core that have device code. Headers are compiled again only when they or their includes have
# changed.

find_program(WARPYARD_CLANG clang++)
set(_wy_header_includes -I "${PROJECT_SOURCE_DIR}")
get_property(_wy_proto_targets GLOBAL PROPERTY WARPYARD_PROTO_TARGETS)
get_property(_wy_proto_includes GLOBAL PROPERTY WARPYARD_PROTO_INCLUDES)
foreach(_wy_include IN LISTS _wy_proto_includes)
  list(APPEND _wy_header_includes -isystem "${_wy_include}")
endforeach()
# Naming a compiler's default folder again would change the order of its search.
if(NOT WARPYARD_LIBCUDACXX_INCLUDE_DIR STREQUAL "/usr/include")
  list(APPEND _wy_header_includes -isystem "${WARPYARD_LIBCUDACXX_INCLUDE_DIR}")
endif()
set(_wy_headers_dir "${PROJECT_BINARY_DIR}/header_checks")
set(_wy_header_stamps)

# Compiles a source file that only includes headers. <name> is its path, <headers> the variable with
# their list, <tool> names the compiler, <suffix> is the type of file that it takes; the rest is its
# command line.
function(_wy_check_headers name headers tool suffix)
  set(source "${_wy_headers_dir}/${name}.${suffix}")
  set(stamp "${_wy_headers_dir}/${name}.${tool}")
  set(content)
  foreach(header IN LISTS ${headers})
    string(APPEND content "#include \"${header}\"  // NOLINT\n#include \"${header}\"\n")
  endforeach()
  file(CONFIGURE OUTPUT "${source}" CONTENT "@content@" @ONLY)
  add_custom_command(
    OUTPUT "${stamp}.o"
    COMMAND ${ARGN} -std=c++20 -MD -MF "${stamp}.d" -MT "${stamp}.o" ${_wy_header_includes}
            -c "${source}" -o "${stamp}.o"
    DEPENDS "${source}" ${_wy_proto_targets}
    DEPFILE "${stamp}.d"
    COMMENT "${tool}: headers of ${name}"
    VERBATIM)
  set(_wy_header_stamps ${_wy_header_stamps} "${stamp}.o" PARENT_SCOPE)
endfunction()

set(_wy_strict -Wall -Wextra -Wconversion -Werror -O0)
set(_wy_nvcc "${CMAKE_CUDA_COMPILER}" --ptx -arch=sm_90 --expt-relaxed-constexpr
    -Werror=all-warnings)
set(_wy_of_nvcc)
foreach(_wy_folder IN ITEMS core server client_examples tests benchmarks research)
  file(GLOB_RECURSE _wy_found CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}"
       "${PROJECT_SOURCE_DIR}/${_wy_folder}/*.h" "${PROJECT_SOURCE_DIR}/${_wy_folder}/*.cuh")
  set(_wy_of_clang)
  foreach(_wy_header IN LISTS _wy_found)
    if(_wy_header MATCHES "[.]cuh$" AND NOT _wy_header MATCHES "/host_block/")
      if(WARPYARD_HAS_CUDA)
        _wy_check_headers(${_wy_header} _wy_header nvcc cu ${_wy_nvcc})
      endif()
      continue()
    endif()
    _wy_check_headers(${_wy_header} _wy_header cxx cc "${CMAKE_CXX_COMPILER}" ${_wy_strict})
    file(STRINGS "${PROJECT_SOURCE_DIR}/${_wy_header}" _wy_unknown_to_clang14
         REGEX "<source_location>" LIMIT_COUNT 1)
    if(NOT _wy_unknown_to_clang14)
      list(APPEND _wy_of_clang ${_wy_header})
    endif()
    file(STRINGS "${PROJECT_SOURCE_DIR}/${_wy_header}" _wy_device_code REGEX "WY_HD" LIMIT_COUNT 1)
    if(_wy_device_code AND _wy_header MATCHES "^core/")
      list(APPEND _wy_of_nvcc ${_wy_header})
    endif()
  endforeach()
  if(WARPYARD_CLANG)
    _wy_check_headers(${_wy_folder} _wy_of_clang clang cc "${WARPYARD_CLANG}" ${_wy_strict}
                      -Wno-bitwise-instead-of-logical)
  endif()
endforeach()
if(WARPYARD_HAS_CUDA)
  _wy_check_headers(device_code _wy_of_nvcc nvcc cu ${_wy_nvcc})
endif()
add_custom_target(check_headers DEPENDS ${_wy_header_stamps})
