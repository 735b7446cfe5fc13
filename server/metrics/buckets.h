// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Boundaries of histograms. Jobs take from ten microseconds to minutes.
#ifndef WARPYARD_SERVER_METRICS_BUCKETS_H_
#define WARPYARD_SERVER_METRICS_BUCKETS_H_

#include "prometheus/histogram.h"

namespace warpyard::server {

/// Three for each power of ten: whole jobs, and their waits.
inline prometheus::Histogram::BucketBoundaries FineBuckets() {
  return {.00002, .00005, .0001, .0002, .0005, .001, .002, .005, .01, .02,
          .05,    .1,     .2,    .5,    1,     2,    5,    10,   30};
}

/// For histograms of which there are many: each bucket is a series.
inline prometheus::Histogram::BucketBoundaries CoarseBuckets() {
  return {.00001, .00005, .0002, .001, .005, .02, .1, .5, 2, 10};
}

/// Time that was left at a deadline; late jobs have less than 0.
inline prometheus::Histogram::BucketBoundaries SlackBuckets() {
  return {-5, -1, -.25, -.05, -.01, -.001, 0, .001, .01, .05, .25, 1, 5};
}

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_METRICS_BUCKETS_H_
