// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "benchmarks/scenes/moving_scene.h"

#include <cstdint>
#include <optional>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "benchmarks/scenes/triangle_count.h"

namespace warpyard::scenes {
namespace {

absl::StatusOr<std::uint32_t> TriangleCount(absl::string_view name, absl::string_view text,
                                            std::uint32_t least) {
  const std::optional<std::uint32_t> count = ParseCount(text);
  if (count && *count >= least && *count % 2 == 0) return *count;
  return absl::InvalidArgumentError(
      absl::StrCat("scene ", name, ": expected an even number of triangles from ", least, " to ",
                   kMostTriangles, ", as in 4096, 100k or 10m"));
}

}  // namespace

absl::StatusOr<MovingScene> MakeScene(absl::string_view name, int frames) {
  if (frames < 2) {
    return absl::InvalidArgumentError(absl::StrCat(frames, " frames; a motion has 2 or more"));
  }
  absl::string_view count = name;
  std::optional<MovingScene> scene;
  if (name == "cloth-ball-like") {
    scene = MakeClothBall(frames);
  } else if (name == "funnel-like") {
    scene = MakeFunnel(frames);
  } else if (absl::ConsumePrefix(&count, "bart-")) {
    const absl::StatusOr<std::uint32_t> triangles = TriangleCount(name, count, 2);
    if (!triangles.ok()) return triangles.status();
    scene = MakeBart(*triangles, frames);
  } else if (absl::ConsumePrefix(&count, "cloth-")) {
    const absl::StatusOr<std::uint32_t> triangles = TriangleCount(name, count, 64);
    if (!triangles.ok()) return triangles.status();
    scene = MakeFoldedCloth(*triangles, frames);
  } else {
    return absl::InvalidArgumentError(absl::StrCat(
        "no scene ", name, ": expected cloth-ball-like, funnel-like, bart-N or cloth-N"));
  }
  scene->name = std::string(name);
  return *std::move(scene);
}

}  // namespace warpyard::scenes
