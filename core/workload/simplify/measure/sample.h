// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Samples of a model, even by area, and their distances from another model. The number of a sample
// decides where it lies.
#ifndef WARPYARD_CORE_WORKLOAD_SIMPLIFY_MEASURE_SAMPLE_H_
#define WARPYARD_CORE_WORKLOAD_SIMPLIFY_MEASURE_SAMPLE_H_

#include <cmath>
#include <cstdint>

#include "core/base/macros.h"
#include "core/workload/simplify/build/weld.h"
#include "core/workload/simplify/measure/nearest.h"

namespace warpyard::simplify {

/// A number in [0, 1) for a sample and a purpose.
WY_HD inline double ChanceOf(std::uint32_t sample, std::uint32_t purpose) {
  return Mixed(Mixed(sample + 1) + purpose) / 4294967296.0;
}

/// The first triangle at which the sum of areas is greater than a number.
WY_HD inline std::uint32_t TriangleAt(const SearchView& search, std::uint64_t area) {
  std::uint32_t low = 0, high = search.triangles - 1;
  while (low < high) {
    const std::uint32_t middle = low + (high - low) / 2;
    if (search.areas[middle] > area) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

/// A point of a model, relative to it: samples have equal parts of the area.
WY_HD inline Vector3d SampleOf(const SearchView& search, std::uint32_t sample,
                               std::uint32_t samples) {
  const auto all = static_cast<double>(search.areas[search.triangles - 1]);
  const double place = (sample + ChanceOf(sample, 1)) / samples;
  const std::uint32_t triangle = TriangleAt(search, static_cast<std::uint64_t>(place * all));
  const std::uint32_t* const corners = CornersOf(search, triangle);
  // [Osada et al. 2002, 3.1]
  const double root = sqrt(ChanceOf(sample, 2)), part = ChanceOf(sample, 3);
  return (1 - root) * PlaceAt(search, corners[0]) +
         root * (1 - part) * PlaceAt(search, corners[1]) +
         root * part * PlaceAt(search, corners[2]);
}

struct EachSample {
  template <class Scope>
  WY_HD static std::uint32_t Count(const SimplifyJob& job) {
    return job.measure.samples;
  }
};

struct MeasureSamples {
  static constexpr const char* kName = "SimplifyMeasureSamples";
  template <class Scope>
  WY_HD static void Do(const SimplifyJob& job, std::uint32_t sample) {
    const MeasureView& measure = job.measure;
    const Frame &from = measure.from.frame, &to = measure.to.frame;
    const Vector3d at = SampleOf(measure.from, sample, measure.samples);
    const Vector3d point = (1 / to.extent) * (from.low - to.low + from.extent * at);
    measure.squares[sample] = static_cast<float>(NearestSearch(measure.to, point).Squared());
  }
};

using MeasureStages = Stages<EachRow<MeasureSamples, EachSample>>;

}  // namespace warpyard::simplify

#endif  // WARPYARD_CORE_WORKLOAD_SIMPLIFY_MEASURE_SAMPLE_H_
