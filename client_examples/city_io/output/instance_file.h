// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A city as a .wyi file: the packed instances, after the names behind their numbers.
#ifndef WARPYARD_CLIENT_EXAMPLES_CITY_IO_OUTPUT_INSTANCE_FILE_H_
#define WARPYARD_CLIENT_EXAMPLES_CITY_IO_OUTPUT_INSTANCE_FILE_H_

#include <string>

#include "client_examples/city_io/instance.h"

namespace warpyard::city_io {

/// What comes before the instances. "wyi1", then the bytes of a text of JSON as a 32-bit integer,
/// then this text: {"meshes": [{"name": "box", "asset": ""}, ...], "materials": ["", "glass",
/// ...]}. Spaces at its end make all of it a multiple of 64 bytes. Instances take the rest of the
/// file, 64 bytes each, as in DeriveGrammarPart.
std::string InstanceFileHead(const CityNames& names);

}  // namespace warpyard::city_io

#endif  // WARPYARD_CLIENT_EXAMPLES_CITY_IO_OUTPUT_INSTANCE_FILE_H_
