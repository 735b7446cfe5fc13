# SPDX-FileCopyrightText: 2026 The Warpyard Authors
# SPDX-License-Identifier: Apache-2.0

# What Warpyard builds on, all of it from the distribution; nothing is downloaded.
#
# warpyard::grpc              gRPC and Protobuf: servers, clients, the standard health service
# warpyard::grpc_reflection   the same and server reflection
# warpyard::libcudacxx        cuda::atomic_ref and friends, for host compilers too
# warpyard::malloc            TCMalloc, by which executables of wy_executable and users of the server's
#                             library allocate (docs/adr/0059-tcmalloc.md); nothing with a sanitizer,
#                             which brings an allocator of its own
#
# The others are used by their own names: absl::*, OpenSSL::Crypto (which gRPC needs, too), TBB::tbb,
# prometheus-cpp::pull,
# nlohmann_json::nlohmann_json, meshoptimizer::meshoptimizer, TinyGLTF::TinyGLTF (tests),
# GTest::gmock_main (by wy_test), benchmark::benchmark (by wy_bench).

set(THREADS_PREFER_PTHREAD_FLAG ON)
if(WARPYARD_STATIC_GRPC)
  set(Protobuf_USE_STATIC_LIBS ON)
  set(OPENSSL_USE_STATIC_LIBS ON)
  set(ZLIB_USE_STATIC_LIBS ON)
endif()

find_package(Threads REQUIRED)
find_package(Protobuf REQUIRED)
find_package(absl CONFIG REQUIRED)
find_package(gRPC CONFIG REQUIRED)
find_package(OpenSSL REQUIRED)
find_package(prometheus-cpp CONFIG REQUIRED)
find_package(TBB CONFIG REQUIRED)
find_package(nlohmann_json CONFIG REQUIRED)
find_package(meshoptimizer CONFIG REQUIRED)
if(WARPYARD_BUILD_TESTS)
  find_package(GTest CONFIG REQUIRED)
  find_package(TinyGLTF CONFIG REQUIRED)
endif()
if(WARPYARD_BUILD_BENCHMARKS)
  find_package(benchmark CONFIG REQUIRED)
endif()

add_library(warpyard_grpc INTERFACE)
add_library(warpyard_grpc_reflection INTERFACE)
if(WARPYARD_STATIC_GRPC)
  include(WarpyardStaticGrpc)
else()
  target_link_libraries(warpyard_grpc INTERFACE gRPC::grpc++ protobuf::libprotobuf)
  target_link_libraries(warpyard_grpc_reflection INTERFACE gRPC::grpc++_reflection warpyard_grpc)
endif()
add_library(warpyard::grpc ALIAS warpyard_grpc)
add_library(warpyard::grpc_reflection ALIAS warpyard_grpc_reflection)

add_library(warpyard_malloc INTERFACE)
if(NOT WARPYARD_SANITIZER)
  find_library(WARPYARD_TCMALLOC NAMES libtcmalloc_minimal.a REQUIRED)
  find_path(WARPYARD_TCMALLOC_INCLUDE_DIR gperftools/malloc_extension.h REQUIRED)
  mark_as_advanced(WARPYARD_TCMALLOC WARPYARD_TCMALLOC_INCLUDE_DIR)
  target_link_libraries(warpyard_malloc INTERFACE "${WARPYARD_TCMALLOC}" Threads::Threads)
  target_include_directories(warpyard_malloc SYSTEM INTERFACE "${WARPYARD_TCMALLOC_INCLUDE_DIR}")
  target_compile_definitions(warpyard_malloc INTERFACE WARPYARD_TCMALLOC)
endif()
add_library(warpyard::malloc ALIAS warpyard_malloc)

include(WarpyardLibcudacxx)
add_library(warpyard_libcudacxx INTERFACE)
target_include_directories(warpyard_libcudacxx SYSTEM
                           INTERFACE "$<BUILD_INTERFACE:${WARPYARD_LIBCUDACXX_INCLUDE_DIR}>")
add_library(warpyard::libcudacxx ALIAS warpyard_libcudacxx)
