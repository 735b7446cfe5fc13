# SPDX-FileCopyrightText: 2026 The Warpyard Authors
# SPDX-License-Identifier: Apache-2.0

# What is installed beside the programs, and the Debian packages of it: cpack -G DEB in a build folder.

# wy_man(<program> <section> <summary> <component> [<command>...])
#
# A page of the manual, made from what the program prints for --help.
function(wy_man program section summary component)
  set(page "${PROJECT_BINARY_DIR}/man/${program}.${section}")
  add_custom_command(
    OUTPUT "${page}"
    COMMAND "${CMAKE_COMMAND}" -E make_directory "${PROJECT_BINARY_DIR}/man"
    COMMAND python3 "${PROJECT_SOURCE_DIR}/tools/make_man.py" "$<TARGET_FILE:${program}>"
            ${PROJECT_VERSION} ${section} "${summary}" "${page}" ${ARGN}
    DEPENDS ${program} "${PROJECT_SOURCE_DIR}/tools/make_man.py"
    VERBATIM)
  add_custom_target(${program}_man ALL DEPENDS "${page}")
  install(FILES "${page}" DESTINATION share/man/man${section} COMPONENT ${component})
endfunction()
wy_man(warpyard-server 8 "serves geometry jobs over gRPC" server)
wy_man(warpyard 1 "client of warpyard-server" client collide simplify grammar token health)

set(_wy_systemd "${PROJECT_SOURCE_DIR}/deploy/systemd")
install(FILES "${_wy_systemd}/warpyard-server.service" DESTINATION lib/systemd/system COMPONENT server)
install(FILES "${_wy_systemd}/server.conf" DESTINATION share/doc/warpyard-server/examples
        COMPONENT server)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/deploy/prometheus" "${PROJECT_SOURCE_DIR}/deploy/grafana"
        DESTINATION share/warpyard COMPONENT server)

install(DIRECTORY "${PROJECT_SOURCE_DIR}/proto/" DESTINATION share/warpyard/proto COMPONENT client
        FILES_MATCHING PATTERN "*.proto")
install(FILES "${PROJECT_SOURCE_DIR}/client_examples/support/service_config.json"
        DESTINATION share/warpyard/support COMPONENT client)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/client_examples/python" DESTINATION share/warpyard
        COMPONENT client FILES_MATCHING PATTERN "*.py")
install(DIRECTORY "${PROJECT_BINARY_DIR}/python/warpyard" DESTINATION lib/python3/dist-packages
        COMPONENT client OPTIONAL FILES_MATCHING PATTERN "*.py")

# Headers, static libraries and find_package(warpyard). Generated headers: WarpyardProto.
include(CMakePackageConfigHelpers)
set(_wy_config_dir lib/cmake/warpyard)
foreach(component core client)
  install(EXPORT warpyard-${component} NAMESPACE warpyard:: DESTINATION ${_wy_config_dir}
          COMPONENT dev)
endforeach()
configure_package_config_file(
  "${PROJECT_SOURCE_DIR}/cmake/warpyard-config.cmake.in"
  "${PROJECT_BINARY_DIR}/warpyard-config.cmake"
  INSTALL_DESTINATION ${_wy_config_dir})
# The interfaces may change with each minor version.
write_basic_package_version_file(
  "${PROJECT_BINARY_DIR}/warpyard-config-version.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/warpyard-config.cmake"
              "${PROJECT_BINARY_DIR}/warpyard-config-version.cmake"
              "${PROJECT_SOURCE_DIR}/cmake/WarpyardLibcudacxx.cmake"
              "${PROJECT_SOURCE_DIR}/cmake/WarpyardNvtx.cmake"
        DESTINATION ${_wy_config_dir} COMPONENT dev)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/core" DESTINATION include/warpyard COMPONENT dev
        FILES_MATCHING PATTERN "*.h" PATTERN "*.cuh")

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "The Warpyard Authors <warpyard@localhost>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL server client dev)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_SERVER_PACKAGE_NAME warpyard-server)
set(CPACK_DEBIAN_SERVER_PACKAGE_SECTION net)
set(CPACK_DEBIAN_CLIENT_PACKAGE_NAME warpyard-client)
set(CPACK_DEBIAN_CLIENT_PACKAGE_SECTION net)
set(CPACK_DEBIAN_CLIENT_PACKAGE_RECOMMENDS "python3-grpcio, python3-protobuf")
set(CPACK_DEBIAN_DEV_PACKAGE_NAME libwarpyard-dev)
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS
    "libabsl-dev, libtbb-dev, libcu++-dev, libgrpc++-dev, libprotobuf-dev, protobuf-compiler-grpc, "
    # gRPC's own find_package looks for these.
    "libc-ares-dev, libre2-dev, libssl-dev, zlib1g-dev")
list(JOIN CPACK_DEBIAN_DEV_PACKAGE_DEPENDS "" CPACK_DEBIAN_DEV_PACKAGE_DEPENDS)
set(CPACK_COMPONENT_SERVER_DESCRIPTION
    "Server that shares GPUs among geometry jobs with deadlines, over gRPC")
set(CPACK_COMPONENT_CLIENT_DESCRIPTION "Clients of warpyard-server: command line, Python, protocol files")
set(CPACK_COMPONENT_DEV_DESCRIPTION
    "Headers and static libraries of Warpyard: the engine without a server, and the stubs of clients")
include(CPack)
