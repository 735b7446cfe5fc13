// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/city_io/output/instance_file.h"

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <sstream>

#include "client_examples/city_io/output/glb_file.h"

namespace warpyard::city_io {

std::string InstanceFileHead(const CityNames& names) {
  Json json = {{"meshes", Json::array()}, {"materials", names.materials}};
  for (const MeshName& mesh : names.meshes) {
    json["meshes"].push_back({{"name", mesh.name}, {"asset", mesh.asset}});
  }
  std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  constexpr std::size_t kMagicBytes = 8, kAlignment = sizeof(Instance);
  const std::size_t bytes = (kMagicBytes + text.size() + kAlignment - 1) / kAlignment * kAlignment;
  text.resize(bytes - kMagicBytes, ' ');
  std::ostringstream head;
  head << "wyi1";
  WriteRaw(static_cast<std::uint32_t>(text.size()), head);
  head << text;
  return head.str();
}

}  // namespace warpyard::city_io
