// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/simplify/model/upload.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/device/cpu_backend.h"

namespace warpyard::simplify {
namespace {

std::vector<std::uint32_t> Counting(std::size_t count) {
  std::vector<std::uint32_t> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<std::uint32_t>(3 * i + 1);
  return values;
}

TEST(UploadAll, CopiesAllBytesOfAllArrays) {
  device::CpuBackend backend(1, 0);
  for (const std::size_t count : {std::size_t{0}, std::size_t{7}, std::size_t{1'000'003}}) {
    const std::vector<std::uint32_t> first = Counting(count), second = Counting(2 * count + 1);
    std::vector<std::uint32_t> first_copy(first.size()), second_copy(second.size());
    const device::HostCopy copies[] = {
        {first_copy.data(), first.data(), first.size() * sizeof(std::uint32_t)},
        {second_copy.data(), second.data(), second.size() * sizeof(std::uint32_t)}};
    ASSERT_TRUE(UploadAll(backend, copies).ok());
    EXPECT_EQ(first_copy, first);
    EXPECT_EQ(second_copy, second);
  }
}

TEST(UploadMade, MakesEachValueOnce) {
  device::CpuBackend backend(1, 0);
  for (const std::size_t count : {std::size_t{0}, std::size_t{7}, std::size_t{1'000'003}}) {
    std::vector<std::uint32_t> made(count);
    ASSERT_TRUE(UploadMade(backend, count, made.data(),
                           [](std::size_t begin, std::size_t end, std::uint32_t* out) {
                             for (std::size_t i = begin; i < end; ++i) {
                               *out++ = static_cast<std::uint32_t>(3 * i + 1);
                             }
                           })
                    .ok());
    EXPECT_EQ(made, Counting(count));
  }
}

TEST(ForEachPart, ReturnsTheErrorOfTheFirstPart) {
  const absl::Status status = ForEachPart(100, kLeastHostBytes, [](const IndexPart& part) {
    return part.begin == 0 ? absl::OkStatus() : absl::InternalError(std::to_string(part.number));
  });
  EXPECT_EQ(status.message(), "1");
}

}  // namespace
}  // namespace warpyard::simplify
