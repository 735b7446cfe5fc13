# SPDX-FileCopyrightText: 2026 The Warpyard Authors
# SPDX-License-Identifier: Apache-2.0

# The one way to make a target: wy_library, wy_executable, wy_bench; wy_test is in WarpyardTests.
#
# Folders declare their sources and dependencies. Language level, warnings, sanitizers,
# floating-point rules and output folders come from here.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

find_program(WARPYARD_CCACHE ccache)
if(WARPYARD_CCACHE)
  # ccache needs this before it takes results that come from precompiled headers.
  set(CMAKE_CXX_COMPILER_LAUNCHER env CCACHE_SLOPPINESS=pch_defines,time_macros
      "${WARPYARD_CCACHE}")
  set(CMAKE_CUDA_COMPILER_LAUNCHER "${WARPYARD_CCACHE}")
endif()

# Flags of every target of ours. Results must have the same bits on every backend, so no compiler
# may contract a*b+c into a fused multiply-add. The code uses predicates without branches (a & b) on
# purpose.
add_library(warpyard_flags INTERFACE)
target_include_directories(warpyard_flags INTERFACE "${PROJECT_SOURCE_DIR}")
target_compile_definitions(warpyard_flags INTERFACE WARPYARD_VERSION="${PROJECT_VERSION}")
target_compile_options(
  warpyard_flags
  INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-Wall;-Wextra;-Wconversion;-Werror;-ffp-contract=off;-pthread>
    $<$<COMPILE_LANG_AND_ID:CXX,Clang>:-Wno-bitwise-instead-of-logical;-Wno-sign-conversion>
    $<$<COMPILE_LANGUAGE:CUDA>:--fmad=false;--expt-relaxed-constexpr;-Werror=all-warnings>
    $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Wall,-Wextra,-ffp-contract=off>)

if(WARPYARD_SANITIZER STREQUAL "thread")
  set(_wy_sanitize -fsanitize=thread)
elseif(WARPYARD_SANITIZER STREQUAL "address")
  set(_wy_sanitize -fsanitize=address,undefined -fno-sanitize-recover=undefined)
elseif(WARPYARD_SANITIZER)
  message(FATAL_ERROR "WARPYARD_SANITIZER must be empty, thread or address")
endif()
# Generated code uses only these flags.
add_library(warpyard_sanitizer_flags INTERFACE)
target_link_libraries(warpyard_flags INTERFACE warpyard_sanitizer_flags)
if(_wy_sanitize)
  target_compile_options(
    warpyard_sanitizer_flags
    INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:${_wy_sanitize};-fno-omit-frame-pointer;-g1>")
  target_link_options(warpyard_sanitizer_flags INTERFACE ${_wy_sanitize})
endif()

# The distribution's libraries are built without ThreadSanitizer: see the file.
if(WARPYARD_SANITIZER STREQUAL "thread")
  add_library(warpyard_tsan_library_sync OBJECT "${PROJECT_SOURCE_DIR}/tests/tsan/library_sync.cc")
  target_link_libraries(warpyard_tsan_library_sync PRIVATE warpyard_flags)
endif()

# wy_library(<name> [SOURCES file...] [DEPS target...] [PRIVATE_DEPS target...])
#
# Target warpyard_<name>, used as warpyard::<name>. Without SOURCES it is a header-only library.
# Sources may be .cc, and .cu where WARPYARD_HAS_CUDA. Where a folder sets WARPYARD_EXPORT, its
# libraries are installed: see wy_export.
function(wy_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;DEPS;PRIVATE_DEPS")
  _wy_reject_unknown(wy_library "${name}" "${arg_UNPARSED_ARGUMENTS}")
  set(target warpyard_${name})
  if(arg_SOURCES)
    add_library(${target} STATIC ${arg_SOURCES})
    target_link_libraries(${target} PUBLIC ${arg_DEPS}
                          PRIVATE $<BUILD_INTERFACE:warpyard_flags> ${arg_PRIVATE_DEPS})
    set(visibility PUBLIC)
  else()
    add_library(${target} INTERFACE)
    target_link_libraries(${target} INTERFACE ${arg_DEPS})
    set(visibility INTERFACE)
  endif()
  target_include_directories(${target} ${visibility} "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>")
  add_library(warpyard::${name} ALIAS ${target})
  wy_export(${target} ${name})
endfunction()

# wy_export(<target> <name>)
#
# Makes a library part of the package for developers, as warpyard::<name> of the component that
# WARPYARD_EXPORT names (core or client); nothing where that is not set.
function(wy_export target name)
  if(WARPYARD_EXPORT)
    set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
    install(TARGETS ${target} EXPORT warpyard-${WARPYARD_EXPORT} ARCHIVE COMPONENT dev
            INCLUDES DESTINATION include/warpyard)
  endif()
endfunction()

# wy_executable(<name> SOURCES file... [DEPS target...] [INSTALL <component>])
#
# An executable bin/<name> in the build folder; INSTALL makes it part of a package: server or client.
function(wy_executable name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "INSTALL" "SOURCES;DEPS")
  _wy_reject_unknown(wy_executable "${name}" "${arg_UNPARSED_ARGUMENTS}")
  _wy_add_executable(${name} bin "${arg_SOURCES}" "${arg_DEPS};warpyard::malloc")
  if(arg_INSTALL)
    set_target_properties(${name} PROPERTIES INSTALL_RPATH "$ORIGIN/../lib")
    install(TARGETS ${name} RUNTIME DESTINATION bin COMPONENT ${arg_INSTALL})
  endif()
endfunction()

# wy_bench(<name> SOURCES file... [DEPS target...])
#
# A Google Benchmark executable bench/<name>; it is not a test.
function(wy_bench name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;DEPS")
  _wy_reject_unknown(wy_bench "${name}" "${arg_UNPARSED_ARGUMENTS}")
  _wy_add_executable(${name} bench "${arg_SOURCES}" "${arg_DEPS};benchmark::benchmark")
endfunction()

# Reading headers again takes most of the time of a build. So where WARPYARD_JOINED is on, targets
# precompile the headers of other projects, and compile several files at once. The files still
# include what they use: a build without WARPYARD_JOINED (the presets cpu-debug and tidy) finds
# missing includes.

# wy_precompiled_headers(<name> HEADERS <header>... DEPS target...)
#
# Headers of other projects, compiled once for all targets that use them by
# wy_use_precompiled_headers(<target> <name>). Headers of ours must not be among them, because one
# changed line would compile everything again.
function(wy_precompiled_headers name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "HEADERS;DEPS")
  _wy_reject_unknown(wy_precompiled_headers "${name}" "${arg_UNPARSED_ARGUMENTS}")
  if(WARPYARD_JOINED)
    set(target warpyard_${name})
    set(source "${CMAKE_CURRENT_BINARY_DIR}/${target}.cc")
    file(CONFIGURE OUTPUT "${source}" CONTENT "")
    add_library(${target} OBJECT "${source}")
    target_link_libraries(${target} PRIVATE ${arg_DEPS} warpyard_flags)
    target_precompile_headers(${target} PRIVATE ${arg_HEADERS})
  endif()
endfunction()

function(wy_use_precompiled_headers target name)
  if(WARPYARD_JOINED)
    target_precompile_headers(${target} REUSE_FROM warpyard_${name})
  endif()
endfunction()

# wy_join_sources(<target>) compiles the files of a target in batches. wy_compile_apart(file...)
# excludes files that define names which other files of the target define, too.
function(wy_join_sources target)
  if(WARPYARD_JOINED)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 16)
  endif()
endfunction()

macro(wy_compile_apart)
  set_source_files_properties(${ARGN} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endmacro()

function(_wy_add_executable target folder sources deps)
  add_executable(${target} ${sources})
  target_link_libraries(${target} PRIVATE ${deps} warpyard_flags)
  set_target_properties(${target} PROPERTIES
                        RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/${folder}")
endfunction()

function(_wy_reject_unknown function name unknown)
  if(unknown)
    message(FATAL_ERROR "${function}(${name}): unknown arguments: ${unknown}")
  endif()
endfunction()
