# SPDX-FileCopyrightText: 2026 The Warpyard Authors
# SPDX-License-Identifier: Apache-2.0

# The one way to make a test: wy_test. Targets warpyard_tests (the functional tests, with all that
# they start) and warpyard_tsan_tests (those with the label tsan).
#
# The property PROCESSORS is 2 for a test that computes and 1 for a script that mostly waits;
# tools/test.sh fills twice the processors of the machine. Tests of higher COST begin first, so that
# no long test runs alone in the end.

add_custom_target(warpyard_tests)
add_custom_target(warpyard_tsan_tests)

# Tests compile at -O1: most of their code runs once, and -O3 takes half again as long to compile.
# Code that runs long goes into a library, or into a test with OPTIMIZED.
add_library(warpyard_test_flags INTERFACE)
target_compile_options(
  warpyard_test_flags
  INTERFACE "$<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CONFIG:Release>>:-O1>"
            # At -O1, GCC 12 wrongly warns of overlapping or too long copies in "a" + std::string.
            "$<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-restrict;-Wno-array-bounds;-Wno-stringop-overflow>")

# Tests are many, and gold, which binutils brings, links in half the time of the default linker.
include(CheckLinkerFlag)
check_linker_flag(CXX -fuse-ld=gold WARPYARD_HAS_GOLD)

wy_precompiled_headers(
  test_headers
  HEADERS <gmock/gmock.h> <gtest/gtest.h> <absl/status/status.h> <absl/status/statusor.h>
          <absl/strings/str_cat.h> <absl/time/clock.h> <absl/time/time.h> <cuda/atomic> <algorithm>
          <array> <atomic> <cmath> <cstdint> <functional> <limits> <memory> <numeric> <optional>
          <random> <set> <string> <thread> <vector>
  DEPS GTest::gmock absl::status absl::statusor absl::strings absl::time warpyard::libcudacxx
       warpyard_test_flags)
wy_precompiled_headers(
  grpc_test_headers
  HEADERS <gmock/gmock.h> <gtest/gtest.h> <grpcpp/grpcpp.h> <google/protobuf/message.h>
          <google/protobuf/repeated_field.h> <google/protobuf/generated_message_reflection.h>
          <absl/status/statusor.h> <absl/strings/str_cat.h> <absl/time/clock.h> <algorithm> <array>
          <atomic> <functional> <limits> <memory> <optional> <string> <thread> <vector>
  DEPS GTest::gmock warpyard::grpc absl::statusor absl::strings absl::time warpyard_test_flags)

# wy_test(<ctest name> SOURCES file... [DEPS target...] [LABELS label...] [TIMEOUT seconds]
#         [ENVIRONMENT name=value...] [NOT_UNDER_TSAN pattern...] [NO_MAIN] [GRPC] [OPTIMIZED]
#         [CASES] [ALONE])
#
# One GoogleTest executable, named after what it tests: unit.queue. The first part of the name is a
# label too. Build target and file: the name with "_" for ".".
# NOT_UNDER_TSAN: cases (as GTEST_FILTER names them) that ThreadSanitizer leaves out. They take it
#   minutes, and other cases of the executable do the same with threads.
# NO_MAIN: the sources bring their own main function.
# GRPC: the sources include gRPC or the server.
# OPTIMIZED: the sources are compiled like the product, since they spend their time in themselves.
# CASES: each case is a ctest test, <name>.<Suite>.<Case>, so that long cases run side by side;
#   otherwise the executable is one ctest test, which spares a process for each short case. The
#   kinds property and schedule have cases.
# ALONE: no other test runs at the same time; so it is with the label gpu, as there may be one GPU.
function(wy_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "NO_MAIN;GRPC;OPTIMIZED;CASES;ALONE" "TIMEOUT"
                        "SOURCES;DEPS;LABELS;ENVIRONMENT;NOT_UNDER_TSAN")
  _wy_reject_unknown(wy_test "${name}" "${arg_UNPARSED_ARGUMENTS}")
  string(REPLACE "." "_" target "${name}")
  string(REGEX REPLACE "[.].*" "" kind "${name}")
  set(main GTest::gmock_main)
  if(arg_NO_MAIN)
    set(main GTest::gmock)
  endif()
  set(flags)
  foreach(flag IN ITEMS GRPC OPTIMIZED)
    if(arg_${flag})
      list(APPEND flags ${flag})
    endif()
  endforeach()
  wy_test_executable(${target} ${flags} SOURCES ${arg_SOURCES} DEPS ${arg_DEPS} ${main}
                     LABELS ${kind} ${arg_LABELS})
  _wy_set_properties()
  if(arg_CASES OR kind MATCHES "^(property|schedule)$")
    _wy_add_cases()
  else()
    add_test(NAME ${name} COMMAND ${target})
    set_tests_properties(${name} PROPERTIES LABELS "${labels}" ENVIRONMENT "${environment}"
                                            TIMEOUT ${arg_TIMEOUT} RUN_SERIAL ${arg_ALONE}
                                            PROCESSORS 2 COST ${cost})
  endif()
endfunction()

# wy_test_executable(<target> SOURCES file... DEPS target... LABELS label... [GRPC] [OPTIMIZED])
#
# The executable of one test or of several, which all have these labels. DEPS bring the main
# function.
function(wy_test_executable target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "GRPC;OPTIMIZED" "" "SOURCES;DEPS;LABELS")
  _wy_reject_unknown(wy_test_executable "${target}" "${arg_UNPARSED_ARGUMENTS}")
  if(NOT arg_OPTIMIZED)
    list(APPEND arg_DEPS warpyard_test_flags)
  endif()
  _wy_add_executable(${target} tests "${arg_SOURCES}" "${arg_DEPS}")
  if(WARPYARD_HAS_GOLD)
    target_link_options(${target} PRIVATE -fuse-ld=gold)
  endif()
  wy_join_sources(${target})
  if(arg_GRPC)
    wy_use_precompiled_headers(${target} grpc_test_headers)
  elseif(arg_SOURCES MATCHES "[.]cc(;|$)")
    wy_use_precompiled_headers(${target} test_headers)
  endif()
  if(TARGET warpyard_tsan_library_sync)
    target_link_libraries(${target} PRIVATE warpyard_tsan_library_sync warpyard::grpc
                          absl::synchronization)
  endif()
  if(NOT "research" IN_LIST arg_LABELS AND NOT "benchmarks" IN_LIST arg_LABELS)
    add_dependencies(warpyard_tests ${target})
  endif()
  if("tsan" IN_LIST arg_LABELS)
    add_dependencies(warpyard_tsan_tests ${target})
  endif()
endfunction()

# wy_test_of_files(<ctest name> TARGET <executable> SOURCES file... [LABELS label...]
#                  [ENVIRONMENT name=value...] [NOT_UNDER_TSAN pattern...])
#
# A ctest test of some of the files of an executable whose main function is that of
# tests/unit/main.cc.
function(wy_test_of_files name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "TARGET"
                        "SOURCES;LABELS;ENVIRONMENT;NOT_UNDER_TSAN")
  _wy_reject_unknown(wy_test_of_files "${name}" "${arg_UNPARSED_ARGUMENTS}")
  string(REGEX REPLACE "[.].*" "" kind "${name}")
  _wy_set_properties()
  list(TRANSFORM arg_SOURCES PREPEND "${CMAKE_CURRENT_SOURCE_DIR}/" OUTPUT_VARIABLE files)
  add_test(NAME ${name} COMMAND ${arg_TARGET} ${files})
  set_tests_properties(${name} PROPERTIES LABELS "${labels}" ENVIRONMENT "${environment}"
                                          TIMEOUT ${arg_TIMEOUT} PROCESSORS 2)
endfunction()

# Sets `labels`, `environment`, `cost` and arg_TIMEOUT for a test, from the arguments of wy_test.
macro(_wy_set_properties)
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 120)
  endif()
  if(WARPYARD_SANITIZER)
    # Sanitizers make tests slow, and some machines have slow processors besides.
    math(EXPR arg_TIMEOUT "3 * ${arg_TIMEOUT}")
  endif()
  set(labels ${kind} ${arg_LABELS})
  set(cost 0)
  if(kind STREQUAL "e2e")
    set(cost 10)
  endif()
  if("gpu" IN_LIST labels)
    set(arg_ALONE ON)
  endif()
  set(environment "TSAN_OPTIONS=halt_on_error=1:ignore_noninstrumented_modules=1"
      ${arg_ENVIRONMENT})
  if(WARPYARD_SANITIZER STREQUAL "thread" AND arg_NOT_UNDER_TSAN)
    list(JOIN arg_NOT_UNDER_TSAN ":" left_out)
    list(APPEND environment "GTEST_FILTER=-${left_out}")
  endif()
endmacro()

# wy_python_test(<ctest name> SCRIPT file [LABELS label...] [TIMEOUT seconds]
#                [ENVIRONMENT name=value...])
#
# A test that is a script; it exits with 77 to be skipped. The interpreter is the distribution's,
# whose packages bring grpc.
find_program(WARPYARD_PYTHON python3 PATHS /usr/bin NO_DEFAULT_PATH REQUIRED)
function(wy_python_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "SCRIPT;TIMEOUT" "LABELS;ENVIRONMENT")
  _wy_reject_unknown(wy_python_test "${name}" "${arg_UNPARSED_ARGUMENTS}")
  string(REGEX REPLACE "[.].*" "" kind "${name}")
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 120)
  endif()
  add_test(NAME ${name} COMMAND "${WARPYARD_PYTHON}" "${CMAKE_CURRENT_SOURCE_DIR}/${arg_SCRIPT}")
  set_tests_properties(
    ${name} PROPERTIES
    LABELS "${kind};${arg_LABELS}"
    TIMEOUT ${arg_TIMEOUT}
    PROCESSORS 2
    SKIP_RETURN_CODE 77
    ENVIRONMENT "PYTHONDONTWRITEBYTECODE=1;${arg_ENVIRONMENT}")
endfunction()

# Makes each case of an executable a test, found when ctest starts; it reads the variables of
# wy_test. gtest_discover_tests splits properties that are lists, so a script sets them once the
# names are known.
function(_wy_add_cases)
  gtest_discover_tests(${target} TEST_PREFIX "${name}." TEST_LIST ${target}_cases
                       DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60)
  set(script "${CMAKE_CURRENT_BINARY_DIR}/${target}_properties.cmake")
  file(CONFIGURE OUTPUT "${script}" @ONLY CONTENT [[
foreach(case IN LISTS @target@_cases)
  set_tests_properties("${case}" PROPERTIES LABELS "@labels@" ENVIRONMENT "@environment@"
                                            TIMEOUT @arg_TIMEOUT@ RUN_SERIAL @arg_ALONE@
                                            PROCESSORS 2 COST @cost@)
endforeach()
]])
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES "${script}")
endfunction()
