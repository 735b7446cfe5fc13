// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A resident device with a program of the tests, on the first CUDA device.
#ifndef WARPYARD_TESTS_SUPPORT_WORKERS_RESIDENT_FIXTURE_CUH_
#define WARPYARD_TESTS_SUPPORT_WORKERS_RESIDENT_FIXTURE_CUH_

#include <gtest/gtest.h>

#include <memory>
#include <utility>

#include "core/device/cuda_backend.h"
#include "core/model/megakernel/resident_device.cuh"

namespace warpyard::test_support {

/// Skips where there is no device.
template <class Program>
class ResidentFixture : public ::testing::Test {
 protected:
  using Resident = model::ResidentDevice<Program>;

  void SetUp() override {
    if (device::CudaBackend::Count() == 0) GTEST_SKIP() << "no CUDA device";
    auto backend = device::CudaBackend::Create(0, 0);
    ASSERT_TRUE(backend.ok()) << backend.status();
    backend_ = *std::move(backend);
    auto resident = Resident::Create(*backend_, {});
    ASSERT_TRUE(resident.ok()) << resident.status();
    model_ = *std::move(resident);
  }
  void TearDown() override { model_.reset(); }

  std::unique_ptr<device::CudaBackend> backend_;
  std::unique_ptr<Resident> model_;
};

}  // namespace warpyard::test_support

#endif  // WARPYARD_TESTS_SUPPORT_WORKERS_RESIDENT_FIXTURE_CUH_
