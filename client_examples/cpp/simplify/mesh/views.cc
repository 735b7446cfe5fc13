// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/cpp/simplify/mesh/views.h"

#include <cmath>
#include <cstddef>
#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "client_examples/cpp/messages.h"

namespace warpyard::cli {
namespace {

constexpr std::size_t kMostViews = 16;

using Numbers = google::protobuf::RepeatedField<double>;

/// A transform that keeps angles, from the mesh to the scene.
class Similarity {
 public:
  static std::optional<Similarity> Of(const Transform& transform) {
    Similarity similarity(transform);
    // The columns must be upright on one another, and of one length.
    const double square = similarity.Product(0, 0);
    if (!(square > 0) || !std::isfinite(square)) return std::nullopt;
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j <= i; ++j) {
        const double expected = i == j ? square : 0;
        if (std::abs(similarity.Product(i, j) - expected) > 1e-4 * square) return std::nullopt;
      }
    }
    similarity.scale_ = std::sqrt(square);
    return similarity;
  }

  double scale() const { return scale_; }

  /// A vector of the scene in the mesh. @shape vector: x y z
  void Invert(bool is_point, Numbers& vector) const {
    if (vector.size() != 3) return;  // the service names it
    std::array<double, 3> inverse{};
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t row = 0; row < 3; ++row) {
        const double moved = is_point ? transform_[12 + row] : 0;
        inverse[i] += transform_[4 * i + row] * (vector[static_cast<int>(row)] - moved);
      }
    }
    for (int i = 0; i < 3; ++i)
      vector[i] = inverse[static_cast<std::size_t>(i)] / (scale_ * scale_);
  }

 private:
  explicit Similarity(const Transform& transform) : transform_(transform) {}
  double Product(std::size_t i, std::size_t j) const {
    double sum = 0;
    for (std::size_t row = 0; row < 3; ++row) {
      sum += transform_[4 * i + row] * transform_[4 * j + row];
    }
    return sum;
  }

  Transform transform_;
  double scale_ = 1;
};

/// Sets what the service takes where a direction is left out, so that it can be turned.
void SetDefaults(v1::View& view) {
  if (view.forward().empty()) {
    for (const double x : {0., 0., -1.}) view.add_forward(x);
  }
  if (view.up().empty()) {
    for (const double x : {0., 1., 0.}) view.add_up(x);
  }
}

}  // namespace

absl::StatusOr<v1::ViewGoal> ReadViews(const std::string& path) {
  v1::ViewGoal goal;
  if (absl::Status read = ReadJsonMessage(path, goal); !read.ok()) return read;
  for (const auto& [name, is_set] : {std::pair("previous_state", !goal.previous_state().empty()),
                                     std::pair("returns_state", goal.returns_state()),
                                     std::pair("returns_delta", goal.returns_delta())}) {
    if (!is_set) continue;
    return absl::InvalidArgumentError(absl::StrCat(
        path, ": ", name, " is for eyes that move, and a file is a whole mesh of one moment"));
  }
  return goal;
}

absl::StatusOr<v1::ViewGoal> ViewsOfMesh(const v1::ViewGoal& scene,
                                         const std::vector<Transform>& instances) {
  if (instances.empty()) return scene;
  v1::ViewGoal goal = scene;
  goal.clear_views();
  for (const Transform& transform : instances) {
    const std::optional<Similarity> similarity = Similarity::Of(transform);
    if (!similarity) {
      return absl::FailedPreconditionError(
          "an instance is sheared or scaled unevenly, so its pixels have no one size; --view takes "
          "instances that are only moved, turned, mirrored and scaled");
    }
    for (v1::View view : scene.views()) {
      SetDefaults(view);
      similarity->Invert(true, *view.mutable_eye());
      similarity->Invert(false, *view.mutable_forward());
      similarity->Invert(false, *view.mutable_up());
      view.set_near(view.near() / similarity->scale());
      *goal.add_views() = view;
    }
  }
  if (static_cast<std::size_t>(goal.views_size()) <= kMostViews) return goal;
  return absl::FailedPreconditionError(
      absl::StrCat(scene.views_size(), " views of ", instances.size(), " instances are ",
                   goal.views_size(), ", and the service takes at most ", kMostViews));
}

}  // namespace warpyard::cli
