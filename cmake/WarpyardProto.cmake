# SPDX-FileCopyrightText: 2026 The Warpyard Authors
# SPDX-License-Identifier: Apache-2.0

# wy_proto_library(<name> ROOT folder [PYTHON_DIR folder] FILES file... [IMPORTS folder...]
#                  [DEPS target...])
#
# Library warpyard::<name> of C++ messages and gRPC stubs from .proto files (named relative to ROOT),
# and target warpyard_<name>_python with Python modules below PYTHON_DIR, if it is given. What the files import from
# IMPORTS, other roots, is in the libraries DEPS. Generated code is a system include and is not held to
# our warnings. The global properties WARPYARD_PROTO_TARGETS and _INCLUDES list all such libraries.
function(wy_proto_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "ROOT;PYTHON_DIR" "FILES;IMPORTS;DEPS")
  find_program(WARPYARD_GRPC_CPP_PLUGIN grpc_cpp_plugin REQUIRED)
  find_program(WARPYARD_GRPC_PYTHON_PLUGIN grpc_python_plugin REQUIRED)
  set(cpp_dir "${CMAKE_CURRENT_BINARY_DIR}/cpp")
  file(MAKE_DIRECTORY "${cpp_dir}" ${arg_PYTHON_DIR})

  set(roots -I "${arg_ROOT}")
  foreach(import IN LISTS arg_IMPORTS)
    list(APPEND roots -I "${import}")
  endforeach()
  set(cpp_files)
  set(message_files)
  set(python_files)
  set(inputs)
  foreach(file IN LISTS arg_FILES)
    string(REGEX REPLACE "[.]proto$" "" stem "${file}")
    list(APPEND inputs "${arg_ROOT}/${file}")
    list(APPEND cpp_files "${cpp_dir}/${stem}.pb.cc" "${cpp_dir}/${stem}.grpc.pb.cc")
    list(APPEND message_files "${cpp_dir}/${stem}.pb.cc")
    list(APPEND headers "${cpp_dir}/${stem}.pb.h" "${cpp_dir}/${stem}.grpc.pb.h")
    if(NOT arg_PYTHON_DIR)
      continue()
    endif()
    list(APPEND python_files "${arg_PYTHON_DIR}/${stem}_pb2.py"
         "${arg_PYTHON_DIR}/${stem}_pb2_grpc.py")
    # protoc writes Python modules, but does not make packages of their folders.
    cmake_path(GET file PARENT_PATH package)
    while(package)
      file(WRITE "${arg_PYTHON_DIR}/${package}/__init__.py" "# Stubs that the build generates.\n")
      cmake_path(GET package PARENT_PATH package)
    endwhile()
  endforeach()

  add_custom_command(
    OUTPUT ${cpp_files} ${headers}
    COMMAND protobuf::protoc ${roots} "--cpp_out=${cpp_dir}" "--grpc_out=${cpp_dir}"
            "--plugin=protoc-gen-grpc=${WARPYARD_GRPC_CPP_PLUGIN}" ${inputs}
    DEPENDS ${inputs}
    COMMENT "Generating C++ stubs of ${name}"
    VERBATIM)
  if(arg_PYTHON_DIR)
    add_custom_command(
      OUTPUT ${python_files}
      COMMAND protobuf::protoc ${roots} "--python_out=${arg_PYTHON_DIR}"
              "--grpc_out=${arg_PYTHON_DIR}"
              "--plugin=protoc-gen-grpc=${WARPYARD_GRPC_PYTHON_PLUGIN}" ${inputs}
      DEPENDS ${inputs}
      COMMENT "Generating Python stubs of ${name}"
      VERBATIM)
  endif()

  set(target warpyard_${name})
  add_library(${target} STATIC ${cpp_files} ${headers})
  target_compile_options(${target} PRIVATE -w)
  wy_join_sources(${target})
  wy_compile_apart(${message_files})
  target_include_directories(${target} SYSTEM PUBLIC "$<BUILD_INTERFACE:${cpp_dir}>")
  target_link_libraries(${target} PUBLIC warpyard::grpc ${arg_DEPS}
                        PRIVATE $<BUILD_INTERFACE:warpyard_sanitizer_flags>)
  add_library(warpyard::${name} ALIAS ${target})
  wy_export(${target} ${name})
  install(DIRECTORY "${cpp_dir}/" DESTINATION include/warpyard COMPONENT dev
          FILES_MATCHING PATTERN "*.pb.h")
  set_property(GLOBAL APPEND PROPERTY WARPYARD_PROTO_TARGETS ${target})
  set_property(GLOBAL APPEND PROPERTY WARPYARD_PROTO_INCLUDES "${cpp_dir}")
  if(arg_PYTHON_DIR)
    add_custom_target(${target}_python ALL DEPENDS ${python_files})
  endif()
endfunction()
