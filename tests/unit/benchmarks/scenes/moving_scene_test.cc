// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "benchmarks/scenes/moving_scene.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"

namespace warpyard::scenes {
namespace {

MovingScene Make(const std::string& name, int frames = 3) {
  auto scene = MakeScene(name, frames);
  EXPECT_TRUE(scene.ok()) << scene.status();
  return scene.ok() ? *std::move(scene) : MovingScene{name, {}, {}, {{}}};
}

/// Properties of a mesh that follow from its edges.
struct Surface {
  std::size_t boundary = 0;  ///< edges with only one triangle
  bool oriented = true;      ///< two triangles use a common edge in opposite directions
  bool manifold = true;      ///< no edge has more than two triangles
  bool degenerate = false;   ///< a triangle has a vertex twice
  bool all_used = true;      ///< each vertex belongs to a triangle
};

Surface SurfaceOf(const MovingScene& scene) {
  Surface surface;
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> ways;
  std::vector<bool> used(scene.Vertices(), false);
  for (std::size_t t = 0; t < scene.Triangles(); ++t) {
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint32_t a = scene.triangles[3 * t + k], b = scene.triangles[3 * t + (k + 1) % 3];
      surface.degenerate |= a == b;
      surface.oriented &= ++ways[{a, b}] == 1;
      used.at(a) = true;
    }
  }
  for (const auto& [way, count] : ways) {
    const auto back = ways.find({way.second, way.first});
    surface.boundary += back == ways.end();
    surface.manifold &= count + (back == ways.end() ? 0 : back->second) <= 2;
  }
  surface.all_used = std::find(used.begin(), used.end(), false) == used.end();
  return surface;
}

/// FNV-1a over the bits of a scene.
std::uint64_t Fingerprint(const MovingScene& scene) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  const auto add = [&](std::uint32_t word) {
    for (int byte = 0; byte < 4; ++byte)
      hash = (hash ^ (word >> 8 * byte & 0xffu)) * 0x100000001b3u;
  };
  for (const std::uint32_t index : scene.triangles) add(index);
  for (const std::uint32_t group : scene.vertex_groups) add(group);
  for (const std::vector<float>& frame : scene.frames) {
    for (const float value : frame) {
      std::uint32_t bits;
      std::memcpy(&bits, &value, sizeof bits);
      add(bits);
    }
  }
  return hash;
}

/// The longest distance of a vertex along an axis in any step.
float LongestWay(const MovingScene& scene) {
  float longest = 0;
  for (std::size_t f = 1; f < scene.frames.size(); ++f) {
    for (std::size_t i = 0; i < scene.frames[f].size(); ++i) {
      longest = std::max(longest, std::fabs(scene.frames[f][i] - scene.frames[f - 1][i]));
    }
  }
  return longest;
}

void ExpectFramesFit(const MovingScene& scene, std::size_t frames) {
  ASSERT_EQ(scene.frames.size(), frames);
  for (const std::vector<float>& frame : scene.frames) {
    EXPECT_EQ(frame.size(), scene.frames[0].size());
    EXPECT_TRUE(std::all_of(frame.begin(), frame.end(), [](float x) { return std::isfinite(x); }));
  }
  EXPECT_TRUE(scene.vertex_groups.empty() || scene.vertex_groups.size() == scene.Vertices());
  EXPECT_GT(LongestWay(scene), 0);
}

TEST(MovingScene, BartHasAsManyTrianglesAsItsNameSaysInTwoGroups) {
  for (const std::uint32_t triangles : {64u, 256u, 1024u, 4096u}) {
    const MovingScene scene = Make("bart-" + std::to_string(triangles));
    ExpectFramesFit(scene, 3);
    EXPECT_EQ(scene.Triangles(), triangles);
    EXPECT_EQ(scene.Vertices(), 3 * triangles);
    EXPECT_EQ(std::count(scene.vertex_groups.begin(), scene.vertex_groups.end(), 1u),
              3 * triangles / 2);
    EXPECT_EQ(SurfaceOf(scene).boundary, 3 * triangles) << "triangles share an edge";
  }
}

/// The fraction of pairs of triangles of different groups whose boxes overlap in a step.
double OverlappingShare(const MovingScene& scene) {
  struct Box {
    float low[3], high[3];
  };
  std::vector<Box> boxes;
  for (std::size_t t = 0; t < scene.Triangles(); ++t) {
    Box box{{9, 9, 9}, {-9, -9, -9}};
    for (std::size_t i = 9 * t; i < 9 * t + 9; ++i) {
      for (const std::vector<float>* frame : {&scene.frames[0], &scene.frames[1]}) {
        box.low[i % 3] = std::min(box.low[i % 3], (*frame)[i]);
        box.high[i % 3] = std::max(box.high[i % 3], (*frame)[i]);
      }
    }
    boxes.push_back(box);
  }
  const std::size_t half = boxes.size() / 2;
  std::size_t overlapping = 0;
  for (std::size_t a = 0; a < half; ++a) {
    for (std::size_t b = half; b < boxes.size(); ++b) {
      bool overlap = true;
      for (int k = 0; k < 3; ++k) {
        overlap &= boxes[a].low[k] <= boxes[b].high[k] && boxes[b].low[k] <= boxes[a].high[k];
      }
      overlapping += overlap;
    }
  }
  return static_cast<double>(overlapping) / static_cast<double>(half * half);
}

TEST(MovingScene, TheSameShareOfBartsTrianglesMeetHoweverManyThereAre) {
  for (const char* name : {"bart-256", "bart-1024", "bart-4096"}) {
    const double share = OverlappingShare(Make(name, 2));
    EXPECT_GT(share, 0.07) << name;
    EXPECT_LT(share, 0.10) << name;
  }
}

TEST(MovingScene, FoldedClothIsOneSheetOfAnySize) {
  for (const std::uint32_t triangles : {64u, 1000u, 10'000u}) {
    const MovingScene scene = Make("cloth-" + std::to_string(triangles));
    ExpectFramesFit(scene, 3);
    EXPECT_EQ(scene.Triangles(), triangles);
    EXPECT_TRUE(scene.vertex_groups.empty());
    const Surface surface = SurfaceOf(scene);
    EXPECT_TRUE(surface.manifold && surface.oriented && surface.all_used && !surface.degenerate);
    // Euler: a sheet has one more vertex than (triangles + boundary edges) / 2.
    EXPECT_EQ(scene.Vertices(), (scene.Triangles() + surface.boundary) / 2 + 1);
    EXPECT_LT(LongestWay(scene), 0.5) << "more than half a quad in a step";
  }
  EXPECT_EQ(Make("cloth-1k").Triangles(), 1000u);
  EXPECT_EQ(Make("cloth-100k", 2).Triangles(), 100'000u);
  EXPECT_EQ(Make("cloth-1m", 2).Triangles(), 1'000'000u);
}

TEST(MovingScene, FunnelIsAClothAndAnOpenFunnelThatStaysWhereItIs) {
  const MovingScene scene = Make("funnel-like");
  ExpectFramesFit(scene, 3);
  EXPECT_EQ(scene.Triangles(), 18'504u);
  const Surface surface = SurfaceOf(scene);
  EXPECT_TRUE(surface.manifold && surface.oriented && surface.all_used && !surface.degenerate);
  EXPECT_EQ(surface.boundary, 4 * 90 + 2 * 64u);
  constexpr std::size_t kClothValues = 3 * 91 * 91;
  EXPECT_TRUE(std::equal(scene.frames[0].begin() + kClothValues, scene.frames[0].end(),
                         scene.frames[2].begin() + kClothValues));
  EXPECT_LT(LongestWay(scene), 0.1);
}

TEST(MovingScene, ClothBallIsAClothOnAClosedBall) {
  const MovingScene scene = Make("cloth-ball-like", 2);
  ExpectFramesFit(scene, 2);
  EXPECT_EQ(scene.Triangles(), 91'922u);
  const Surface surface = SurfaceOf(scene);
  EXPECT_TRUE(surface.manifold && surface.oriented && surface.all_used && !surface.degenerate);
  EXPECT_EQ(surface.boundary, 4 * 189u);
}

// Every machine and every compiler must give the same bits, or results cannot be compared.
TEST(MovingScene, GivesTheSameBitsEverywhere) {
  EXPECT_EQ(Fingerprint(Make("bart-64")), 0x3887185a3a4d5695u);
  EXPECT_EQ(Fingerprint(Make("cloth-1k")), 0x547dae9cf297a533u);
  EXPECT_EQ(Fingerprint(Make("funnel-like")), 0xa743e86a92bf3676u);
}

TEST(MovingScene, MoreFramesGoOnWhereFewerEnd) {
  for (const char* name : {"bart-64", "cloth-1k", "funnel-like"}) {
    const MovingScene few = Make(name, 2), many = Make(name, 5);
    for (std::size_t f = 0; f < 2; ++f) EXPECT_EQ(few.frames[f], many.frames[f]) << name;
  }
}

TEST(MovingScene, RefusesWhatItCannotMake) {
  for (const char* name :
       {"", "bart", "bart-", "bart-63", "bart-0", "bart--2", "bart-4x", "cloth-10", "cloth-1000m",
        "cloth-18446744073709551615", "cloth-1kk", "teapot"}) {
    EXPECT_TRUE(absl::IsInvalidArgument(MakeScene(name, 2).status())) << name;
  }
  EXPECT_TRUE(absl::IsInvalidArgument(MakeScene("bart-64", 1).status()));
}

}  // namespace
}  // namespace warpyard::scenes
