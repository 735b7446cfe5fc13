// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A city as a .wyi file: the packed instances, after the names behind their numbers.
#ifndef WARPYARD_CLIENT_EXAMPLES_CITY_IO_OUTPUT_INSTANCE_FILE_H_
#define WARPYARD_CLIENT_EXAMPLES_CITY_IO_OUTPUT_INSTANCE_FILE_H_

#include <string>

#include "client_examples/city_io/instance.h"

namespace warpyard::city_io {

/// The head of a file of instances: the letters "wyi1", the bytes of a JSON text as a 32-bit
/// integer, and the JSON text:
///     {"meshes": [{"name": "box", "asset": ""}, ...], "materials": ["", "glass", ...]}
/// Spaces pad the head to a multiple of 64 bytes. The instances follow the head; each has 64 bytes,
/// as in DeriveGrammarPart.
std::string InstanceFileHead(const CityNames& names);

}  // namespace warpyard::city_io

#endif  // WARPYARD_CLIENT_EXAMPLES_CITY_IO_OUTPUT_INSTANCE_FILE_H_
