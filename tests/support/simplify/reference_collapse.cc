// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "tests/support/simplify/reference_collapse.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace warpyard::test_support {
namespace {

constexpr double kPull = 1e-3;         // of the weight, to the middle of the edge
constexpr double kLeastCosine = 0.25;  // of a triangle's normals before and after
constexpr double kPart = 0.15;         // of the edges, the cheapest ones
constexpr double kWiden = 1.5;         // the factor of that part, after a pass that collapsed few

using Set = std::set<std::uint32_t>;

/// An edge, its triangles, and where and at what cost it would collapse.
struct Candidate {
  std::uint32_t from, to;
  std::size_t triangles = 0;
  Vector3d place{};
  double cost = 0;
};

/// What a pass knows of the mesh.
struct Surroundings {
  std::vector<std::vector<std::uint32_t>> triangles;  ///< around each vertex
  std::vector<Set> neighbours;
  std::vector<bool> border, crowded;  ///< vertices at edges of one triangle; of more than two
  std::vector<Candidate> edges;

  explicit Surroundings(const QuadricMesh& mesh)
      : triangles(mesh.positions.size()),
        neighbours(mesh.positions.size()),
        border(mesh.positions.size()),
        crowded(mesh.positions.size()) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> counts;
    for (std::uint32_t i = 0; i < mesh.triangles.size(); ++i) {
      const Triangle& t = mesh.triangles[i];
      for (std::size_t k = 0; k < 3; ++k) {
        const std::uint32_t a = t[k], b = t[(k + 1) % 3];
        triangles[a].push_back(i);
        neighbours[a].insert(b);
        neighbours[b].insert(a);
        ++counts[std::minmax(a, b)];
      }
    }
    for (const auto& [edge, count] : counts) {
      for (const std::uint32_t v : {edge.first, edge.second}) {
        if (count == 1) border[v] = true;
        if (count > 2) crowded[v] = true;
      }
      edges.push_back({edge.first, edge.second, count});
    }
  }
};

Vector3d NormalOf(const Vector3d (&corners)[3]) {
  return Cross(corners[1] - corners[0], corners[2] - corners[0]);
}

/// Whether a triangle folds over when one of its corners moves.
bool Folds(const QuadricMesh& mesh, const Triangle& t, std::uint32_t moved, const Vector3d& place) {
  Vector3d before[3], after[3];
  for (std::size_t k = 0; k < 3; ++k) {
    before[k] = mesh.positions[t[k]];
    after[k] = t[k] == moved ? place : before[k];
  }
  const Vector3d old = NormalOf(before), now = NormalOf(after);
  const double cosine = Dot(old, now);
  return !(cosine > 0) ||
         cosine * cosine < kLeastCosine * kLeastCosine * Dot(old, old) * Dot(now, now);
}

/// Whether a collapse changes nothing but shape: the link condition, and no fold.
bool MayCollapse(const QuadricMesh& mesh, const Surroundings& around, const Candidate& edge) {
  const Set &from = around.neighbours[edge.from], &to = around.neighbours[edge.to];
  Set common;
  std::set_intersection(from.begin(), from.end(), to.begin(), to.end(),
                        std::inserter(common, common.end()));
  if (common.size() != edge.triangles) return false;
  // An edge that both links have would become two triangles on the same vertices.
  const auto opposite = [&](std::uint32_t v) {
    std::set<Set> edges;
    for (const std::uint32_t i : around.triangles[v]) {
      Set rest(mesh.triangles[i].begin(), mesh.triangles[i].end());
      rest.erase(v);
      if (std::includes(common.begin(), common.end(), rest.begin(), rest.end())) edges.insert(rest);
    }
    return edges;
  };
  const std::set<Set> of_from = opposite(edge.from);
  for (const Set& rest : opposite(edge.to)) {
    if (of_from.count(rest) != 0) return false;
  }
  for (const auto& [moved, other] :
       {std::pair{edge.from, edge.to}, std::pair{edge.to, edge.from}}) {
    for (const std::uint32_t i : around.triangles[moved]) {
      const Triangle& t = mesh.triangles[i];
      if (std::find(t.begin(), t.end(), other) != t.end()) continue;
      if (Folds(mesh, t, moved, edge.place)) return false;
    }
  }
  return true;
}

/// Where an edge would collapse. False: it never may.
bool Evaluate(const QuadricMesh& mesh, const Surroundings& around, Candidate& edge) {
  if (around.crowded[edge.from] || around.crowded[edge.to]) return false;
  if (around.border[edge.from] && around.border[edge.to] && edge.triangles != 1) return false;
  Quadric quadric = mesh.quadrics[edge.from];
  quadric += mesh.quadrics[edge.to];
  const Vector3d middle = 0.5 * (mesh.positions[edge.from] + mesh.positions[edge.to]);
  edge.place = quadric.Minimum(middle, kPull * quadric.weight);
  const double moved = simplify::LengthOf(edge.place - middle);
  const double most = 2 * simplify::LengthOf(mesh.positions[edge.from] - mesh.positions[edge.to]);
  if (moved > most) edge.place = middle + (most / moved) * (edge.place - middle);
  edge.cost = quadric.At(edge.place);
  return true;
}

/// The edges of a pass, the cheapest first. @shape part: of all edges
std::vector<Candidate> ChooseEdges(const QuadricMesh& mesh, double part) {
  Surroundings around(mesh);
  std::vector<Candidate> edges;
  for (Candidate& edge : around.edges) {
    if (Evaluate(mesh, around, edge)) edges.push_back(edge);
  }
  const auto order = [](const Candidate& a, const Candidate& b) {
    return std::tie(a.cost, a.from, a.to) < std::tie(b.cost, b.from, b.to);
  };
  std::sort(edges.begin(), edges.end(), order);
  edges.resize(static_cast<std::size_t>(part * static_cast<double>(edges.size())));
  std::erase_if(edges, [&](const Candidate& edge) { return !MayCollapse(mesh, around, edge); });
  // In the order of their costs: the first one at a triangle is its cheapest one.
  std::vector<std::size_t> cheapest(mesh.triangles.size(), edges.size());
  const auto for_each = [&](const Candidate& edge, auto&& visit) {
    for (const std::uint32_t v : {edge.from, edge.to}) {
      for (const std::uint32_t i : around.triangles[v]) visit(i);
    }
  };
  for (std::size_t e = 0; e < edges.size(); ++e) {
    for_each(edges[e], [&](std::uint32_t i) { cheapest[i] = std::min(cheapest[i], e); });
  }
  std::vector<Candidate> chosen;
  for (std::size_t e = 0; e < edges.size(); ++e) {
    bool first = true;
    for_each(edges[e], [&](std::uint32_t i) { first &= cheapest[i] == e; });
    if (first) chosen.push_back(edges[e]);
  }
  return chosen;
}

/// Removes vertices that no triangle has.
void Compact(QuadricMesh& mesh) {
  constexpr std::uint32_t kUnused = ~0u;
  std::vector<std::uint32_t> number(mesh.positions.size(), kUnused);
  for (const Triangle& t : mesh.triangles) {
    for (const std::uint32_t v : t) number[v] = 0;
  }
  std::uint32_t used = 0;
  for (std::uint32_t v = 0; v < number.size(); ++v) {
    if (number[v] == kUnused) continue;
    mesh.positions[used] = mesh.positions[v];
    mesh.quadrics[used] = mesh.quadrics[v];
    number[v] = used++;
  }
  mesh.positions.resize(used);
  mesh.quadrics.resize(used);
  for (Triangle& t : mesh.triangles) {
    for (std::uint32_t& v : t) v = number[v];
  }
}

}  // namespace

std::size_t CollapseTo(QuadricMesh& mesh, std::size_t triangles) {
  double part = kPart;
  for (std::size_t pass = 0;; ++pass) {
    if (mesh.triangles.size() <= triangles) return pass;
    const std::vector<Candidate> chosen = ChooseEdges(mesh, part);
    if (chosen.empty() && part >= 1) return pass;
    std::vector<std::uint32_t> moved(mesh.positions.size());
    for (std::uint32_t v = 0; v < moved.size(); ++v) moved[v] = v;
    std::size_t left = mesh.triangles.size();
    for (const Candidate& edge : chosen) {
      if (left <= triangles) break;
      moved[edge.to] = edge.from;
      mesh.positions[edge.from] = edge.place;
      mesh.quadrics[edge.from] += mesh.quadrics[edge.to];
      left -= edge.triangles;
    }
    if (chosen.size() * 500 < mesh.triangles.size()) part = std::min(1.0, part * kWiden);
    for (Triangle& t : mesh.triangles) {
      for (std::uint32_t& v : t) v = moved[v];
    }
    std::erase_if(mesh.triangles,
                  [](const Triangle& t) { return t[0] == t[1] || t[1] == t[2] || t[2] == t[0]; });
    Compact(mesh);
  }
}

}  // namespace warpyard::test_support
