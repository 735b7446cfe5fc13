// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/city_io/output/city_obj.h"

#include <cstddef>
#include <optional>
#include <string>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "client_examples/city_io/paint.h"

namespace warpyard::city_io {
namespace {

/// Names end at spaces in OBJ files.
std::string OneWord(std::string name) {
  for (char& letter : name) {
    if (!absl::ascii_isgraph(static_cast<unsigned char>(letter)) || letter == '#') letter = '_';
  }
  return name;
}

class ObjWriter {
 public:
  ObjWriter(const City& city, std::ostream& out) : city_(city), out_(out) {}

  void Write(const Instance& instance) {
    if (instance.building != building_) {
      building_ = instance.building;
      out_ << "o building_" << instance.building << '\n';
      material_.reset();
    }
    const std::string& paint = city_.PaintName(instance.mesh, instance.material);
    if (material_ != paint) {
      material_ = paint;
      out_ << "usemtl " << OneWord(paint) << '\n';
    }
    Place(city_.MeshOf(instance), instance, placed_);
    const Paint look = PaintOf(paint, instance.color);
    const std::string color =
        absl::StrCat(" ", look.color[0], " ", look.color[1], " ", look.color[2], "\n");
    for (const Vector& p : placed_.positions) {
      out_ << absl::StrCat("v ", p[0], " ", p[1], " ", p[2], color);
    }
    for (std::size_t i = 0; i + 2 < placed_.triangles.size(); i += 3) {
      const std::uint32_t* const corner = &placed_.triangles[i];
      out_ << absl::StrCat("f ", next_ + corner[0], " ", next_ + corner[1], " ", next_ + corner[2],
                           "\n");
    }
    next_ += placed_.positions.size();
  }

 private:
  const City& city_;
  std::ostream& out_;
  PlacedMesh placed_;
  std::optional<std::uint32_t> building_;
  std::optional<std::string> material_;
  std::uint64_t next_ = 1;  ///< the number of the next vertex
};

}  // namespace

absl::Status WriteCityObj(const City& city, std::ostream& out) {
  if (absl::Status checked = CheckCity(city); !checked.ok()) return checked;
  const std::uint64_t triangles = TrianglesOf(city);
  if (triangles > kMostObjTriangles) {
    return absl::InvalidArgumentError(absl::StrCat(triangles,
                                                   " triangles, and OBJ files get at most ",
                                                   kMostObjTriangles, "; GLB files take more"));
  }
  ObjWriter writer(city, out);
  for (const Instance& instance : city.instances) writer.Write(instance);
  return absl::OkStatus();
}

}  // namespace warpyard::city_io
