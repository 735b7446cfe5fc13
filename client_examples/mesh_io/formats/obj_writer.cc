// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/mesh_io/formats/obj_writer.h"

#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace warpyard::mesh_io {
namespace {

// Appends the shortest text that gives the same number.
template <class T>
void AppendNumber(T value, std::string& out) {
  std::array<char, 32> text;
  const std::to_chars_result end = std::to_chars(text.begin(), text.end(), value);
  out.append(text.begin(), end.ptr);
}

// Gives lines their numbers; equal lines have one.
class LineNumbers {
 public:
  /// @shape `merge`: whether a line that was written before serves again
  std::size_t Add(const std::string& line, bool merge, std::string& out) {
    if (merge) {
      const auto [place, is_new] = known_.try_emplace(line, count_ + 1);
      if (!is_new) return place->second;
    }
    absl::StrAppend(&out, line, "\n");
    return ++count_;
  }

  /// Lines so far serve no longer.
  void Forget() { known_.clear(); }

 private:
  absl::flat_hash_map<std::string, std::size_t> known_;
  std::size_t count_ = 0;
};

class ObjWriter {
 public:
  explicit ObjWriter(const Model& model) : model_(model) {}

  std::string Write() {
    for (const std::string& library : model_.material_libraries) {
      absl::StrAppend(&out_, "mtllib ", OneLine(library), "\n");
    }
    for (const ModelMesh& mesh : model_.meshes) {
      if (!mesh.name.empty()) absl::StrAppend(&out_, "o ", OneLine(mesh.name), "\n");
      positions_.Forget();
      for (const Primitive& primitive : mesh.primitives) {
        const bool merge = mesh.primitives.size() > 1 || !primitive.uvs.empty() ||
                           !primitive.normals.values.empty();
        WriteVertices(primitive, merge);
        WriteFaces(primitive);
      }
    }
    return std::move(out_);
  }

 private:
  // Names come from other formats, where they may contain line ends.
  static std::string OneLine(std::string name) {
    for (char& letter : name) {
      if (letter == '\n' || letter == '\r' || letter == '#' || letter == '\\') letter = '_';
    }
    return name;
  }

  // A keyword and `width` numbers of entry `index`.
  template <class T>
  static std::string Line(absl::string_view keyword, const std::vector<T>& values,
                          std::size_t index, std::size_t width) {
    std::string line(keyword);
    for (std::size_t i = 0; i < width; ++i) {
      line += ' ';
      AppendNumber(values[index * width + i], line);
    }
    return line;
  }

  void WriteVertices(const Primitive& primitive, bool merge) {
    corners_.clear();
    for (std::size_t vertex = 0; vertex < primitive.Vertices(); ++vertex) {
      std::string line = Line("v", primitive.positions, vertex, 3);
      if (!primitive.colours.values.empty()) {
        for (std::size_t i = 0; i < 3; ++i) {
          line += ' ';
          AppendNumber(primitive.colours.values[4 * vertex + i], line);
        }
      }
      std::string corner = absl::StrCat(positions_.Add(line, merge, out_));
      const bool has_normals = !primitive.normals.values.empty();
      if (!primitive.uvs.empty()) {
        line = Line("vt", primitive.uvs[0].values, vertex, 2);
        absl::StrAppend(&corner, "/", uvs_.Add(line, true, out_));
      } else if (has_normals) {
        corner += '/';
      }
      if (has_normals) {
        line = Line("vn", primitive.normals.values, vertex, 3);
        absl::StrAppend(&corner, "/", normals_.Add(line, true, out_));
      }
      corners_.push_back(std::move(corner));
    }
  }

  void WriteFaces(const Primitive& primitive) {
    if (primitive.material && *primitive.material < model_.material_names.size()) {
      absl::StrAppend(&out_, "usemtl ", OneLine(model_.material_names[*primitive.material]), "\n");
    }
    for (std::size_t i = 0; i + 2 < primitive.triangles.size(); i += 3) {
      absl::StrAppend(&out_, "f ", corners_[primitive.triangles[i]], " ",
                      corners_[primitive.triangles[i + 1]], " ",
                      corners_[primitive.triangles[i + 2]]);
      out_ += '\n';
    }
  }

  const Model& model_;
  std::string out_;
  LineNumbers positions_;
  LineNumbers uvs_;
  LineNumbers normals_;
  // How a face names each vertex of the primitive that is being written.
  std::vector<std::string> corners_;
};

}  // namespace

std::string EncodeObj(const Model& model) { return ObjWriter(model).Write(); }

}  // namespace warpyard::mesh_io
