// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The arithmetic of expressions. The compiler folds constants with the same functions.
//
// All is made of IEEE operations, whose results are the same on every machine. The functions of
// math libraries differ in their last bits.
#ifndef WARPYARD_CORE_WORKLOAD_GRAMMAR_CODE_ARITHMETIC_H_
#define WARPYARD_CORE_WORKLOAD_GRAMMAR_CODE_ARITHMETIC_H_

#include <bit>
#include <cmath>
#include <cstdint>

#include "core/base/macros.h"
#include "core/workload/grammar/code/code.h"

namespace warpyard::grammar {

struct SineCosine {
  float sine;
  float cosine;
};

/// @shape degrees: not finite: 0
WY_DEVICE_CALL WY_HD inline SineCosine SineCosineOf(float degrees) {
  if (!(std::fabs(degrees) <= 1e9f)) return {0, 1};
  const double turns = std::floor(degrees / 90.0 + 0.5);
  const double x = (degrees - turns * 90.0) * 0.017453292519943295;
  const double xx = x * x;
  // Taylor series: the next terms are below 1e-9 within an eighth of a turn.
  const double s =
      x * (1 - xx * (1.0 / 6 - xx * (1.0 / 120 - xx * (1.0 / 5040 - xx * (1.0 / 362880)))));
  const double c = 1 - xx * (0.5 - xx * (1.0 / 24 - xx * (1.0 / 720 - xx * (1.0 / 40320))));
  const auto quarter = static_cast<std::int64_t>(turns) & 3;
  const double sine = quarter == 0 ? s : quarter == 1 ? c : quarter == 2 ? -s : -c;
  const double cosine = quarter == 0 ? c : quarter == 1 ? -s : quarter == 2 ? -c : s;
  return {static_cast<float>(sine), static_cast<float>(cosine)};
}

/// Logarithm to the base 2. @shape x: positive and finite
WY_HD inline double LogarithmOf(double x) {
  const auto bits = std::bit_cast<std::uint64_t>(x);
  auto exponent = static_cast<double>(static_cast<std::int64_t>(bits >> 52) - 1023);
  double m =
      std::bit_cast<double>((bits & ((std::uint64_t{1} << 52) - 1)) | (std::uint64_t{1023} << 52));
  if (m > 1.4142135623730951) {
    m = m / 2;
    exponent = exponent + 1;
  }
  // log(m) = 2 artanh((m - 1) / (m + 1)).
  const double t = (m - 1) / (m + 1), tt = t * t;
  double sum = 0;
  WY_ROLLED
  for (int k = 21; k >= 1; k -= 2) sum = sum * tt + 1.0 / k;
  return exponent + 2 * t * sum * 1.4426950408889634;
}

/// @shape base: negative only where the exponent is whole; otherwise the result is not finite
WY_DEVICE_CALL WY_HD inline float PowerOf(float base, float exponent) {
  if (exponent == 0 || base == 1) return 1;
  if (base == 0) return exponent > 0 ? 0.0f : std::bit_cast<float>(0x7f800000u);
  const bool whole = exponent == std::floor(exponent);
  if (!(std::fabs(base) <= 3.4e38f) || !(std::fabs(exponent) <= 1e6f) || (base < 0 && !whole)) {
    return std::bit_cast<float>(0x7fc00000u);
  }
  const double y = exponent * LogarithmOf(std::fabs(static_cast<double>(base)));
  const bool negative = base < 0 && std::floor(exponent / 2) * 2 != exponent;
  if (y > 128) return std::bit_cast<float>(negative ? 0xff800000u : 0x7f800000u);
  if (y < -160) return 0;
  const double n = std::floor(y + 0.5), f = (y - n) * 0.6931471805599453;
  double sum = 1;
  WY_ROLLED
  for (int k = 13; k >= 1; --k) sum = 1 + f * sum / k;
  const auto scale = static_cast<std::uint64_t>(static_cast<std::int64_t>(n) + 1023) << 52;
  return static_cast<float>((negative ? -1 : 1) * sum * std::bit_cast<double>(scale));
}

/// The nearest whole number, of two the larger one. x + 0.5 would have to be rounded itself.
WY_HD inline float RoundOf(float x) {
  const float below = std::floor(x);
  return x - below >= 0.5f ? below + 1 : below;
}

/// The remainder, with the sign of the divisor.
WY_HD inline float ModuloOf(float a, float b) { return a - std::floor(a / b) * b; }

/// @shape op: of those that replace one number
WY_HD inline float Apply(Op op, float x) {
  switch (op) {
    case Op::kNegate:
      return -x;
    case Op::kNot:
      return x == 0 ? 1.0f : 0.0f;
    case Op::kTruth:
      return x != 0 ? 1.0f : 0.0f;
    case Op::kFloor:
      return std::floor(x);
    case Op::kCeil:
      return std::ceil(x);
    case Op::kRound:
      return RoundOf(x);
    case Op::kAbs:
      return std::fabs(x);
    case Op::kSqrt:
      return std::sqrt(x);
    case Op::kSin:
      return SineCosineOf(x).sine;
    default:
      return SineCosineOf(x).cosine;
  }
}

/// @shape op: of those that replace two numbers
WY_HD inline float Apply(Op op, float x, float y) {
  switch (op) {
    case Op::kMultiply:
      return x * y;
    case Op::kDivide:
      return x / y;
    case Op::kAdd:
      return x + y;
    case Op::kSubtract:
      return x - y;
    case Op::kLess:
      return x < y ? 1.0f : 0.0f;
    case Op::kAtMost:
      return x <= y ? 1.0f : 0.0f;
    case Op::kEqual:
      return x == y ? 1.0f : 0.0f;
    case Op::kUnequal:
      return x != y ? 1.0f : 0.0f;
    case Op::kMin:
      return y < x ? y : x;
    case Op::kMax:
      return x < y ? y : x;
    case Op::kMod:
      return ModuloOf(x, y);
    default:
      return PowerOf(x, y);
  }
}

/// The clamped value: the least one where they contradict each other.
WY_HD inline float ClampOf(float x, float least, float most) {
  const float low = x > most ? most : x;
  return low < least ? least : low;
}

/// How many numbers an operation replaces by one; 0: it is none of arithmetic.
constexpr std::uint32_t NumbersOf(Op op) {
  if (op >= Op::kNegate && op <= Op::kCos) return 1;
  if (op >= Op::kMin && op <= Op::kPow) return 2;
  return op == Op::kClamp ? 3 : 0;
}

}  // namespace warpyard::grammar

#endif  // WARPYARD_CORE_WORKLOAD_GRAMMAR_CODE_ARITHMETIC_H_
