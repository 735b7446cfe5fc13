// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "tests/support/oracles/exact_query.h"

#include <gmpxx.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <tuple>
#include <vector>

namespace warpyard::test_support {
namespace {

using Vector = std::array<Polynomial, 3>;

Vector operator-(const Vector& a, const Vector& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}

Vector Cross(const Vector& a, const Vector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

Polynomial Dot(const Vector& a, const Vector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

// The four points as polynomials of degree 1, scaled by one power of two to integers.
std::array<Vector, 4> MovingPoints(const Query& query) {
  mpz_class scale = 1;
  for (const auto* frame : {&query.start, &query.end}) {
    for (const Vec3& point : *frame) {
      for (const double value : point) scale = std::max(scale, mpq_class(value).get_den());
    }
  }
  const auto integer = [&](double value) {
    const mpq_class rational(value);
    return mpz_class(rational.get_num() * (scale / rational.get_den()));
  };
  std::array<Vector, 4> points;
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const mpz_class start = integer(query.start[i][axis]);
      const mpz_class end = integer(query.end[i][axis]);
      points[i][axis] = Polynomial({start, end - start});
    }
  }
  return points;
}

// Where a point is relative to a segment.
class PointAndSegment {
 public:
  PointAndSegment(const Vector& point, const Vector& a, const Vector& b)
      : side_(Cross(b - a, point - a)) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      outside_[axis] = (point[axis] - a[axis]) * (point[axis] - b[axis]);
    }
  }

  /// Which side of the segment's line the point is on, seen along an axis.
  const Polynomial& Side(std::size_t axis) const { return side_[axis]; }

  /// Whether the point is on the closed segment (which may be a point) at a time.
  bool Touches(ExactRoot& time) const {
    for (const Polynomial& side : side_) {
      if (time.SignOf(side) != 0) return false;
    }
    for (const Polynomial& outside : outside_) {
      if (time.SignOf(outside) > 0) return false;
    }
    return true;
  }

  void AddTo(std::vector<Polynomial>& polynomials) const {
    polynomials.insert(polynomials.end(), side_.begin(), side_.end());
    polynomials.insert(polynomials.end(), outside_.begin(), outside_.end());
  }

 private:
  Vector side_;
  Vector outside_;
};

// An axis along which the vector is not zero at a time; 3 if it is zero.
std::size_t NonZeroAxis(const Vector& vector, ExactRoot& time) {
  std::size_t axis = 0;
  while (axis < 3 && time.SignOf(vector[axis]) == 0) ++axis;
  return axis;
}

// A vertex and a face whose four points are in one plane.
class VertexAndFace {
 public:
  explicit VertexAndFace(const std::array<Vector, 4>& p)
      : normal_(Cross(p[2] - p[1], p[3] - p[1])),
        coplanarity_(Dot(normal_, p[0] - p[1])),
        sides_{PointAndSegment(p[0], p[1], p[2]), PointAndSegment(p[0], p[2], p[3]),
               PointAndSegment(p[0], p[3], p[1])} {}

  const Polynomial& Coplanarity() const { return coplanarity_; }

  bool Touches(ExactRoot& time) const {
    const std::size_t axis = NonZeroAxis(normal_, time);
    if (axis == 3) {
      // The face is a segment or a point: the hull of its corners is the union of its sides.
      return std::any_of(sides_.begin(), sides_.end(),
                         [&](const PointAndSegment& side) { return side.Touches(time); });
    }
    // Seen along this axis the face is a proper triangle.
    const int turn = time.SignOf(normal_[axis]);
    return std::all_of(sides_.begin(), sides_.end(), [&](const PointAndSegment& side) {
      return time.SignOf(side.Side(axis)) * turn >= 0;
    });
  }

  std::vector<Polynomial> Polynomials() const {
    std::vector<Polynomial> all(normal_.begin(), normal_.end());
    for (const PointAndSegment& side : sides_) side.AddTo(all);
    return all;
  }

 private:
  Vector normal_;
  Polynomial coplanarity_;
  std::array<PointAndSegment, 3> sides_;
};

// Two edges whose four points are in one plane.
class EdgeAndEdge {
 public:
  explicit EdgeAndEdge(const std::array<Vector, 4>& p)
      : normal_(Cross(p[1] - p[0], p[3] - p[2])),
        coplanarity_(Dot(normal_, p[2] - p[0])),
        ends_{PointAndSegment(p[2], p[0], p[1]), PointAndSegment(p[3], p[0], p[1]),
              PointAndSegment(p[0], p[2], p[3]), PointAndSegment(p[1], p[2], p[3])} {}

  const Polynomial& Coplanarity() const { return coplanarity_; }

  bool Touches(ExactRoot& time) const {
    const std::size_t axis = NonZeroAxis(normal_, time);
    if (axis == 3) {
      // Parallel, or one is a point: if they meet, then at an end of one of them.
      return std::any_of(ends_.begin(), ends_.end(),
                         [&](const PointAndSegment& end) { return end.Touches(time); });
    }
    // The lines meet in one point; each segment must reach to the other's line, seen along the
    // axis.
    const auto reaches = [&](std::size_t i) {
      return time.SignOf(ends_[i].Side(axis)) * time.SignOf(ends_[i + 1].Side(axis)) <= 0;
    };
    return reaches(0) && reaches(2);
  }

  std::vector<Polynomial> Polynomials() const {
    std::vector<Polynomial> all(normal_.begin(), normal_.end());
    for (const PointAndSegment& end : ends_) end.AddTo(all);
    return all;
  }

 private:
  Vector normal_;
  Polynomial coplanarity_;
  std::array<PointAndSegment, 4> ends_;
};

// Whether the coefficients in the Bernstein basis of [0, 1] are all positive or all negative: then
// there is no root. Saves the work for most pairs.
bool CertainlyWithoutRoot(const Polynomial& cubic) {
  std::array<mpz_class, 4> c;
  std::copy(cubic.Coefficients().begin(), cubic.Coefficients().end(), c.begin());
  // Three times the coefficients.
  const std::array<mpz_class, 4> bernstein = {3 * c[0], 3 * c[0] + c[1], 3 * c[0] + 2 * c[1] + c[2],
                                              3 * (c[0] + c[1] + c[2] + c[3])};
  const int sign = sgn(bernstein[0]);
  return sign != 0 && std::all_of(bernstein.begin(), bernstein.end(),
                                  [&](const mpz_class& b) { return sgn(b) == sign; });
}

template <class Pair>
std::optional<DoubleBracket> EarliestOf(const Pair& pair) {
  std::vector<ExactRoot> times;
  if (!pair.Coplanarity().IsZero()) {
    if (CertainlyWithoutRoot(pair.Coplanarity())) return std::nullopt;
    times = RootsInUnitInterval(pair.Coplanarity());
  } else {
    times.push_back(ExactRoot(mpq_class(0)));
    for (const Polynomial& polynomial : pair.Polynomials()) {
      if (polynomial.IsZero()) continue;
      for (ExactRoot& root : RootsInUnitInterval(polynomial)) times.push_back(root);
    }
  }
  std::optional<DoubleBracket> earliest;
  for (ExactRoot& time : times) {
    if (!pair.Touches(time)) continue;
    const DoubleBracket bracket = time.Bracket();
    if (!earliest ||
        std::tie(bracket.lower, bracket.upper) < std::tie(earliest->lower, earliest->upper)) {
      earliest = bracket;
    }
  }
  return earliest;
}

}  // namespace

std::optional<DoubleBracket> EarliestImpact(const Query& query) {
  const std::array<Vector, 4> points = MovingPoints(query);
  return query.kind == PairKind::kVertexFace ? EarliestOf(VertexAndFace(points))
                                             : EarliestOf(EdgeAndEdge(points));
}

}  // namespace warpyard::test_support
