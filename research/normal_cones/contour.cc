// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "research/normal_cones/contour.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <utility>
#include <vector>

namespace warpyard::normal_cones {
namespace {

constexpr int kMostHalvings = 10;

struct Point {
  double x, y;
  friend Point operator+(const Point& a, const Point& b) { return {a.x + b.x, a.y + b.y}; }
  friend Point operator-(const Point& a, const Point& b) { return {a.x - b.x, a.y - b.y}; }
  friend Point operator*(double s, const Point& a) { return {s * a.x, s * a.y}; }
};

double Dot(const Point& a, const Point& b) { return a.x * b.x + a.y * b.y; }
double Cross(const Point& a, const Point& b) { return a.x * b.y - a.y * b.x; }
double Length(const Point& a) { return std::sqrt(Dot(a, a)); }

/// A point that moves from one place to another.
struct MovingPoint {
  Point start, end;

  Point At(double t) const { return (1 - t) * start + t * end; }
  friend MovingPoint operator-(const MovingPoint& a, const MovingPoint& b) {
    return {a.start - b.start, a.end - b.end};
  }
};

/// Whether a line through the origin has all points on one side, further away than `margin`.
bool OriginIsOutside(std::span<const Point> points, double margin) {
  Point first = points[0], last = points[0];  // of the wedge in which the points are
  for (const Point& point : points) {
    if (Cross(last, point) > 0) {
      last = point;
    } else if (Cross(first, point) < 0) {
      first = point;
    }
  }
  const double a = Length(first), b = Length(last);
  if (!(a > 0) || !(b > 0)) return false;
  const Point middle = (1 / a) * first + (1 / b) * last;
  const double least = margin * (std::fabs(middle.x) + std::fabs(middle.y));
  return std::all_of(points.begin(), points.end(),
                     [&](const Point& point) { return Dot(middle, point) > least; });
}

/// Whether the convex hull of moving points never contains the origin. At any time of an interval
/// each point is within the hull of its positions at the ends of the interval.
template <std::size_t kPoints>
bool OriginStaysOutside(const std::array<MovingPoint, kPoints>& points, double margin,
                        double begin = 0, double end = 1, int halvings = kMostHalvings) {
  std::array<Point, 2 * kPoints> all;
  for (std::size_t i = 0; i < kPoints; ++i) {
    all[2 * i] = points[i].At(begin);
    all[2 * i + 1] = points[i].At(end);
  }
  if (OriginIsOutside(all, margin)) return true;
  if (halvings == 0) return false;
  const double middle = 0.5 * (begin + end);
  return OriginStaysOutside(points, margin, begin, middle, halvings - 1) &&
         OriginStaysOutside(points, margin, middle, end, halvings - 1);
}

/// A contour in the plane perpendicular to the direction.
class PlaneContour {
 public:
  PlaneContour(std::span<const ContourEdge> contour, std::span<const Vector3d> start,
               std::span<const Vector3d> end, const Vector3d& direction)
      : contour_(contour) {
    const Vector3d d = direction;
    const Vector3d axis = std::fabs(d.x) < 0.6 ? Vector3d{1, 0, 0} : Vector3d{0, 1, 0};
    Vector3d u = geometry::Cross(axis, d);
    u = (1 / std::sqrt(geometry::Dot(u, u))) * u;
    const Vector3d v = geometry::Cross(d, u);
    double largest = 0;
    const auto project = [&](const Vector3d& p) {
      largest = std::max({largest, std::fabs(p.x), std::fabs(p.y), std::fabs(p.z)});
      return Point{geometry::Dot(u, p), geometry::Dot(v, p)};
    };
    for (const ContourEdge& edge : contour) {
      std::array<MovingPoint, 2> ends;
      for (std::size_t i = 0; i < 2; ++i) {
        ends[i] = {project(start[edge[i]]), project(end[edge[i]])};
      }
      edges_.push_back(ends);
      boxes_.push_back(BoxOf(ends));
    }
    // Coordinates in the plane have an error of at most six roundings of three times the largest.
    margin_ = 0x1p-46 * largest;
  }

  ContourResult Test() const {
    ContourResult result;
    for (std::size_t i = 0; i < contour_.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        ++result.pairs;
        if (BoxesAreApart(i, j)) continue;
        ++result.near_pairs;
        if (!StayApart(i, j)) return result;
      }
    }
    result.is_simple = NoneIsInAnother();
    return result;
  }

 private:
  using Loop = std::vector<std::size_t>;  // edges

  static std::array<double, 4> BoxOf(const std::array<MovingPoint, 2>& ends) {
    const auto [x_low, x_high] =
        std::minmax({ends[0].start.x, ends[0].end.x, ends[1].start.x, ends[1].end.x});
    const auto [y_low, y_high] =
        std::minmax({ends[0].start.y, ends[0].end.y, ends[1].start.y, ends[1].end.y});
    return {x_low, x_high, y_low, y_high};
  }

  bool BoxesAreApart(std::size_t i, std::size_t j) const {
    const std::array<double, 4>&a = boxes_[i], &b = boxes_[j];
    return a[0] > b[1] + margin_ || b[0] > a[1] + margin_ || a[2] > b[3] + margin_ ||
           b[2] > a[3] + margin_;
  }

  bool StayApart(std::size_t i, std::size_t j) const {
    const auto &a = edges_[i], &b = edges_[j];
    for (std::size_t k = 0; k < 2; ++k) {
      for (std::size_t l = 0; l < 2; ++l) {
        if (contour_[i][k] != contour_[j][l]) continue;
        // From a common vertex the two edges must not have the same direction.
        const MovingPoint to_a = a[1 - k] - a[k], to_b = b[l] - b[1 - l];
        return OriginStaysOutside<2>({to_a, to_b}, margin_);
      }
    }
    return OriginStaysOutside<4>({a[0] - b[0], a[0] - b[1], a[1] - b[0], a[1] - b[1]}, margin_);
  }

  /// The contours, each as a loop that has no vertex twice.
  std::vector<Loop> Loops() const {
    std::multimap<std::uint32_t, std::size_t> from;
    for (std::size_t i = 0; i < contour_.size(); ++i) from.emplace(contour_[i][0], i);
    std::vector<Loop> loops;
    while (!from.empty()) {
      Loop path;
      std::map<std::uint32_t, std::size_t> place;  // on the path
      std::uint32_t at = from.begin()->first;
      do {
        const auto next = from.find(at);
        if (next == from.end()) return {};  // not closed: not the contour of a surface
        place[at] = path.size();
        path.push_back(next->second);
        at = contour_[next->second][1];
        from.erase(next);
        const auto before = place.find(at);
        if (before == place.end()) continue;
        const auto begin = path.begin() + static_cast<std::ptrdiff_t>(before->second);
        loops.emplace_back(begin, path.end());
        for (auto i = begin; i != path.end(); ++i) place.erase(contour_[*i][0]);
        path.erase(begin, path.end());
      } while (!path.empty());
    }
    return loops;
  }

  double Area(const Loop& loop) const {
    const Point origin = edges_[loop[0]][0].start;
    double area = 0;
    for (const std::size_t i : loop) {
      area += Cross(edges_[i][0].start - origin, edges_[i][1].start - origin);
    }
    return area;
  }

  bool IsIn(const Point& point, const Loop& loop) const {
    bool inside = false;
    for (const std::size_t i : loop) {
      const Point a = edges_[i][0].start - point, b = edges_[i][1].start - point;
      if ((a.y > 0) != (b.y > 0) && (Cross(a, b) > 0) == (b.y > a.y)) inside = !inside;
    }
    return inside;
  }

  bool IsOn(std::uint32_t vertex, const Loop& loop) const {
    return std::any_of(loop.begin(), loop.end(),
                       [&](std::size_t i) { return contour_[i][0] == vertex; });
  }

  /// Whether no contour that goes around its inside lies in another such contour. If this holds at
  /// the start, it holds as long as contours do not cross.
  bool NoneIsInAnother() const {
    std::vector<Loop> outer;
    for (Loop& loop : Loops()) {
      if (Area(loop) > 0) outer.push_back(std::move(loop));
    }
    for (const Loop& a : outer) {
      for (const Loop& b : outer) {
        if (&a == &b) continue;
        for (const std::size_t i : a) {
          if (!IsOn(contour_[i][0], b) && IsIn(edges_[i][0].start, b)) return false;
        }
      }
    }
    return !outer.empty();
  }

  std::span<const ContourEdge> contour_;
  std::vector<std::array<MovingPoint, 2>> edges_;
  std::vector<std::array<double, 4>> boxes_;
  double margin_ = 0;
};

}  // namespace

ContourResult TestContour(std::span<const ContourEdge> contour, std::span<const Vector3d> start,
                          std::span<const Vector3d> end, const Vector3d& direction) {
  return PlaneContour(contour, start, end, direction).Test();
}

}  // namespace warpyard::normal_cones
