# SPDX-FileCopyrightText: 2026 The Warpyard Authors
# SPDX-License-Identifier: Apache-2.0

# Target check_headers compiles every .h of ours alone with clang++: one compiler suffices to show
# that a header compiles alone, and the C++ compiler sees them, all but a few that only CUDA files
# include, where it compiles the files that include them. Where clang++ is missing, the C++ compiler
# compiles the headers alone, which takes longer. Where
# nvcc exists, it compiles every .cuh alone, and together the .h of core that have device code.
# Headers are compiled again only when they or their includes have changed.
#
# Three things save most of the time. The compiler only reads the headers and makes no code. Headers
# that many others include are precompiled, and a header that includes one of them, itself or through
# other headers, is compiled after that one. And headers are compiled in chains: a header, then one
# that includes it, then one that includes that. None of these hides a missing include: the names
# that come first are those of headers that are included anyway.

# The compiler writes the dependencies as ninja reads them. Else CMake would start once for each
# check to write them again, and once more to touch a file: more than a tenth of all the time.
cmake_policy(SET CMP0116 OLD)
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

# Headers that many include, those that bring most first. Names as after #include.
set(_wy_precompiled
    warpyard/v1/collision_service.grpc.pb.h
    warpyard/v1/upload_service.grpc.pb.h
    server/rpc/service_context.h
    core/engine/engine.h
    nlohmann/json.hpp
    absl/container/flat_hash_map.h
    core/device/backend.h
    core/procedure/event_runner.h
    absl/status/statusor.h
    absl/status/status.h
    gtest/gtest.h
    core/workload/ccd/collision_types.h
    cuda/atomic
    absl/time/time.h
    absl/types/span.h
    absl/strings/string_view.h
    memory
    chrono
    core/workload/simplify/job/stages.h
    string
    algorithm
    cmath
    vector
    core/base/macros.h
    cstdint)

# Sets <out> to all that a header of ours includes, itself or through other headers of ours.
function(_wy_all_includes header out)
  get_property(known GLOBAL PROPERTY "_wy_includes_of_${header}" SET)
  if(NOT known)
    set(all)
    file(STRINGS "${PROJECT_SOURCE_DIR}/${header}" lines REGEX "^#include [<\"]")
    foreach(line IN LISTS lines)
      string(REGEX REPLACE "^#include [<\"]([^>\"]+).*" "\\1" name "${line}")
      list(APPEND all "${name}")
      if(EXISTS "${PROJECT_SOURCE_DIR}/${name}")
        _wy_all_includes("${name}" more)
        list(APPEND all ${more})
      endif()
    endforeach()
    list(REMOVE_DUPLICATES all)
    set_property(GLOBAL PROPERTY "_wy_includes_of_${header}" "${all}")
  endif()
  get_property(all GLOBAL PROPERTY "_wy_includes_of_${header}")
  set(${out} "${all}" PARENT_SCOPE)
endfunction()

# Sets <out> to the precompiled header that is read before <header>, or to "none".
function(_wy_precompiled_first header out)
  _wy_all_includes("${header}" includes)
  set(${out} none PARENT_SCOPE)
  foreach(first IN LISTS _wy_precompiled)
    if(first IN_LIST includes)
      set(${out} "${first}" PARENT_SCOPE)
      return()
    endif()
  endforeach()
endfunction()

# Puts each of <headers> (a variable with a list) into one chain, whose headers all have the same
# precompiled header. Sets <out> to the last header of each chain; the chain of the last header H is
# the property _wy_chain_of_H.
function(_wy_make_chains headers out)
  set(ordered)
  foreach(header IN LISTS ${headers})
    _wy_all_includes("${header}" includes)
    list(LENGTH includes count)
    math(EXPR key "10000 + ${count}")
    list(APPEND ordered "${key}:${header}")
    _wy_precompiled_first("${header}" "class_of_${header}")
    set("key_of_${header}" ${key})
    set("is_free_${header}" TRUE)
  endforeach()
  list(SORT ordered ORDER DESCENDING)
  set(lasts)
  foreach(entry IN LISTS ordered)
    string(REGEX REPLACE "^[0-9]+:" "" last "${entry}")
    if(NOT is_free_${last})
      continue()
    endif()
    set(chain)
    set(next "${last}")
    while(next)
      list(PREPEND chain "${next}")
      set("is_free_${next}" FALSE)
      _wy_all_includes("${next}" includes)
      set(next)
      set(most 0)
      foreach(include IN LISTS includes)
        if(is_free_${include} AND key_of_${include} GREATER most
           AND class_of_${include} STREQUAL class_of_${last})
          set(next "${include}")
          set(most ${key_of_${include}})
        endif()
      endforeach()
    endwhile()
    set_property(GLOBAL PROPERTY "_wy_chain_of_${last}" "${chain}")
    list(APPEND lasts "${last}")
  endforeach()
  set(${out} "${lasts}" PARENT_SCOPE)
endfunction()

# Compiles a source file that only includes headers. <name> is its path, <headers> the variable with
# their list, <tool> names the check, <suffix> is the type of file that the compiler takes; the rest
# is its command line.
function(_wy_check_headers name headers tool suffix)
  set(source "${_wy_headers_dir}/${name}.${suffix}")
  set(stamp "${_wy_headers_dir}/${name}.${tool}")
  file(RELATIVE_PATH output "${PROJECT_BINARY_DIR}" "${stamp}.ok")
  set(content)
  foreach(header IN LISTS ${headers})
    string(APPEND content "#include \"${header}\"  // NOLINT\n#include \"${header}\"\n")
  endforeach()
  set(first)
  set(first_file)
  if(tool STREQUAL "alone")
    _wy_precompiled_first("${name}" precompiled)
    if(NOT precompiled STREQUAL "none")
      set(first -include "${_wy_headers_dir}/precompiled/${precompiled}.h")
      set(first_file "${_wy_headers_dir}/precompiled/${precompiled}.h.gch")
    endif()
  endif()
  file(CONFIGURE OUTPUT "${source}" CONTENT "@content@" @ONLY)
  add_custom_command(
    OUTPUT "${stamp}.ok"
    COMMAND ${ARGN} -std=c++20 -MD -MF "${stamp}.d" -MT "${output}" ${_wy_header_includes}
            ${first} "${source}"
    COMMAND touch "${stamp}.ok"
    DEPENDS "${source}" ${first_file} ${_wy_proto_targets}
    DEPFILE "${stamp}.d"
    COMMENT "${tool}: headers of ${name}"
    VERBATIM)
  set(_wy_header_stamps ${_wy_header_stamps} "${stamp}.ok" PARENT_SCOPE)
endfunction()

set(_wy_strict -Wall -Wextra -Wconversion -Werror)
set(_wy_host "${CMAKE_CXX_COMPILER}" ${_wy_strict})
set(_wy_precompile -x c++-header)
if(WARPYARD_CLANG)
  set(_wy_alone "${WARPYARD_CLANG}" ${_wy_strict} -Wno-bitwise-instead-of-logical)
  # Else each header would instantiate the templates of the precompiled one again.
  list(APPEND _wy_precompile -fpch-instantiate-templates)
else()
  set(_wy_alone ${_wy_host})
endif()
set(_wy_nvcc "${CMAKE_CUDA_COMPILER}" --ptx -arch=sm_90 --expt-relaxed-constexpr
    -Werror=all-warnings)
foreach(_wy_header IN LISTS _wy_precompiled)
  set(_wy_file "${_wy_headers_dir}/precompiled/${_wy_header}.h")
  file(RELATIVE_PATH _wy_output "${PROJECT_BINARY_DIR}" "${_wy_file}.gch")
  file(CONFIGURE OUTPUT "${_wy_file}" CONTENT "#include <${_wy_header}>\n")
  add_custom_command(
    OUTPUT "${_wy_file}.gch"
    COMMAND ${_wy_alone} -std=c++20 -MD -MF "${_wy_file}.d" -MT "${_wy_output}"
            ${_wy_header_includes} ${_wy_precompile} "${_wy_file}" -o "${_wy_file}.gch"
    DEPENDS "${_wy_file}" ${_wy_proto_targets}
    DEPFILE "${_wy_file}.d"
    COMMENT "alone: precompiling ${_wy_header}"
    VERBATIM)
endforeach()
set(_wy_of_alone)
set(_wy_of_host)
set(_wy_of_cuda)
set(_wy_of_nvcc)
foreach(_wy_folder IN ITEMS core server client_examples tests benchmarks research)
  file(GLOB_RECURSE _wy_found CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}"
       "${PROJECT_SOURCE_DIR}/${_wy_folder}/*.h" "${PROJECT_SOURCE_DIR}/${_wy_folder}/*.cuh")
  foreach(_wy_header IN LISTS _wy_found)
    if(_wy_header MATCHES "[.]cuh$" AND NOT _wy_header MATCHES "/host_block/")
      list(APPEND _wy_of_cuda ${_wy_header})
      continue()
    endif()
    _wy_all_includes("${_wy_header}" _wy_includes)
    if("source_location" IN_LIST _wy_includes)  # clang++ 14 does not have it.
      list(APPEND _wy_of_host ${_wy_header})
    else()
      list(APPEND _wy_of_alone ${_wy_header})
    endif()
    file(STRINGS "${PROJECT_SOURCE_DIR}/${_wy_header}" _wy_device_code REGEX "WY_HD" LIMIT_COUNT 1)
    if(_wy_device_code AND _wy_header MATCHES "^core/")
      list(APPEND _wy_of_nvcc ${_wy_header})
    endif()
  endforeach()
endforeach()
# Adds the checks of a list of headers, chain by chain.
macro(_wy_check_chains headers tool suffix)
  _wy_make_chains(${headers} _wy_lasts)
  foreach(_wy_last IN LISTS _wy_lasts)
    get_property(_wy_chain GLOBAL PROPERTY "_wy_chain_of_${_wy_last}")
    _wy_check_headers(${_wy_last} _wy_chain ${tool} ${suffix} ${ARGN})
  endforeach()
endmacro()

_wy_check_chains(_wy_of_alone alone cc ${_wy_alone} -fsyntax-only)
_wy_check_chains(_wy_of_host host cc ${_wy_host} -fsyntax-only)
if(WARPYARD_HAS_CUDA)
  _wy_check_chains(_wy_of_cuda nvcc cu ${_wy_nvcc} -o /dev/null)
  _wy_check_headers(device_code _wy_of_nvcc nvcc cu ${_wy_nvcc} -o /dev/null)
endif()
add_custom_target(check_headers DEPENDS ${_wy_header_stamps})
