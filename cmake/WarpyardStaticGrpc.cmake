# SPDX-FileCopyrightText: 2026 The Warpyard Authors
# SPDX-License-Identifier: Apache-2.0

# Static linking of gRPC and its dependencies (WARPYARD_STATIC_GRPC).
#
# The distribution has archives of all of them, but its CMake targets name only the shared
# libraries. So each such target is changed to name the archive beside its shared library. The
# targets' dependencies stay as they are.

function(_wy_use_archive target)
  foreach(property IMPORTED_LOCATION IMPORTED_LOCATION_NONE)
    get_target_property(location ${target} ${property})
    if(location)
      string(REGEX REPLACE "[.]so([.0-9]*)$" ".a" archive "${location}")
      if(NOT EXISTS "${archive}")
        message(FATAL_ERROR "WARPYARD_STATIC_GRPC: ${target} has no archive ${archive}")
      endif()
      set_target_properties(${target} PROPERTIES ${property} "${archive}")
    endif()
  endforeach()
endfunction()

get_property(_wy_imported DIRECTORY PROPERTY IMPORTED_TARGETS)
foreach(_wy_target IN LISTS _wy_imported)
  get_target_property(_wy_type ${_wy_target} TYPE)
  if(_wy_type MATCHES "LIBRARY"
     AND NOT _wy_type STREQUAL "INTERFACE_LIBRARY"
     AND (_wy_target MATCHES "^absl::"
          OR _wy_target MATCHES
             "^gRPC::(grpc|gpr|upb|address_sorting|grpc[+][+]|grpc[+][+]_reflection)$"
          OR _wy_target STREQUAL "c-ares::cares"))
    _wy_use_archive(${_wy_target})
  endif()
endforeach()
find_library(_wy_re2 NAMES libre2.a REQUIRED)
set_property(TARGET re2::re2 PROPERTY INTERFACE_LINK_LIBRARIES "${_wy_re2}" Threads::Threads)

target_link_libraries(warpyard_grpc INTERFACE gRPC::grpc++ protobuf::libprotobuf)

# An RPATH, unlike a RUNPATH, also applies to the dependencies of bundled libraries.
target_link_options(warpyard_flags INTERFACE -Wl,--disable-new-dtags)

# Reflection registers itself in a static initialiser. The linker keeps it only if the whole archive
# is linked.
target_link_libraries(
  warpyard_grpc_reflection INTERFACE
  "$<LINK_LIBRARY:WHOLE_ARCHIVE,gRPC::grpc++_reflection>" warpyard_grpc)
