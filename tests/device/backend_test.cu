// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Memory and copies of a CUDA device, with and without a kernel that occupies the whole device.

#include <cuda_runtime.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "core/device/cuda_backend.h"
#include "core/exec/atomic_ref.h"
#include "core/memory/device_array.h"
#include "core/memory/host_vector.h"

namespace warpyard::device {
namespace {

using SystemWord = exec::AtomicRef<std::uint32_t, cuda::thread_scope_system>;

constexpr std::size_t kMiB = std::size_t{1} << 20;
constexpr std::uint64_t kSpinLimitNs = 2'000'000'000;

/// Words of the host that a spinning kernel reads and writes.
struct SpinWords {
  std::uint32_t started;
  std::uint32_t stop;
};

__device__ std::uint64_t NowNs() {
  std::uint64_t now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  return now;
}

__global__ void SpinKernel(SpinWords* words) {
  if (threadIdx.x == 0) {
    const std::uint64_t limit = NowNs() + kSpinLimitNs;
    if (blockIdx.x == 0) SystemWord(words->started).StoreRelease(1);
    // Reads seldom, because hundreds of blocks share the bus with the copies.
    while (NowNs() < limit && SystemWord(words->stop).LoadAcquire() == 0) __nanosleep(20'000);
  }
  __syncthreads();  // all warps keep their place
}

/// A kernel that fills the device, so that no other kernel can start. It ends when it is stopped or
/// after two seconds; copies of many threads take a tenth of that.
class Spinner {
 public:
  Spinner() {
    void* words = nullptr;
    EXPECT_EQ(cudaHostAlloc(&words, sizeof(SpinWords), cudaHostAllocDefault), cudaSuccess);
    words_ = static_cast<SpinWords*>(words);
    EXPECT_EQ(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), cudaSuccess);
    int blocks = 0, processors = 0;
    EXPECT_EQ(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, SpinKernel, kThreads, 0),
              cudaSuccess);
    EXPECT_EQ(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0), cudaSuccess);
    blocks_ = static_cast<unsigned>(blocks * processors);
  }
  ~Spinner() {
    Stop();
    cudaStreamDestroy(stream_);
    cudaFreeHost(words_);
  }
  Spinner(const Spinner&) = delete;
  Spinner& operator=(const Spinner&) = delete;

  /// Returns when the kernel runs; false if it does not.
  bool Start() {
    *words_ = {};
    SpinKernel<<<blocks_, kThreads, 0, stream_>>>(words_);
    EXPECT_EQ(cudaGetLastError(), cudaSuccess);
    const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(5);
    while (SystemWord(words_->started).LoadAcquire() == 0) {
      if (std::chrono::steady_clock::now() > limit) return false;
    }
    return true;
  }

  bool Runs() const { return cudaStreamQuery(stream_) == cudaErrorNotReady; }

  void Stop() {
    SystemWord(words_->stop).StoreRelease(1);
    EXPECT_EQ(cudaStreamSynchronize(stream_), cudaSuccess);
  }

 private:
  static constexpr int kThreads = 1024;

  SpinWords* words_ = nullptr;
  cudaStream_t stream_ = nullptr;
  unsigned blocks_ = 0;
};

/// Copies a pattern to the device and back. Returns what is wrong; empty when nothing is.
std::string RoundTrip(Backend& backend, std::size_t bytes, std::uint32_t seed) {
  auto array = memory::DeviceArray<std::uint8_t>::Create(backend, bytes);
  if (!array.ok()) return array.status().ToString();
  std::vector<std::uint8_t> there(bytes), back(bytes);
  for (std::size_t i = 0; i < bytes; ++i) {
    there[i] = static_cast<std::uint8_t>((i * 2654435761u + seed) >> 13);
  }
  const absl::Status in = backend.CopyIn(array->data(), there.data(), bytes);
  if (!in.ok()) return in.ToString();
  const absl::Status out = backend.CopyOut(back.data(), array->data(), bytes);
  if (!out.ok()) return out.ToString();
  if (there != back) return "what came back is not what went there";
  // The copies go directly to memory that the device can write, as long as there is room.
  const memory::HostAllocator<std::uint8_t> host(backend.HostMemory());
  memory::HostVector<std::uint8_t> straight(bytes, host);
  const absl::Status without_copy = backend.CopyOut(straight.data(), array->data(), bytes);
  if (!without_copy.ok()) return without_copy.ToString();
  return std::equal(there.begin(), there.end(), straight.begin(), straight.end())
             ? ""
             : "what came straight back is not what went there";
}

/// Copies parts of different sizes together, in every way in which copies can arrive. Returns what
/// is wrong.
std::string RoundTripOfParts(Backend& backend, const std::vector<std::size_t>& sizes) {
  std::size_t bytes = 0;
  for (const std::size_t size : sizes) bytes += size;
  auto array = memory::DeviceArray<std::uint8_t>::Create(backend, bytes);
  if (!array.ok()) return array.status().ToString();
  std::vector<std::uint8_t> there(bytes), back(bytes);
  for (std::size_t i = 0; i < bytes; ++i) {
    there[i] = static_cast<std::uint8_t>((i * 2654435761u) >> 13);
  }
  const memory::HostAllocator<std::uint8_t> host(backend.HostMemory());
  memory::HostVector<std::uint8_t> straight(bytes, host);
  std::vector<HostCopy> in, out;
  std::size_t begin = 0;
  for (std::size_t k = 0; k < sizes.size(); begin += sizes[k++]) {
    in.push_back({array->data() + begin, there.data() + begin, sizes[k]});
    std::uint8_t* const to = k % 3 == 0 ? straight.data() : back.data();
    out.push_back({to + begin, array->data() + begin, sizes[k]});
  }
  const absl::Status into = backend.CopyAllIn(in);
  if (!into.ok()) return into.ToString();
  const absl::Status out_of = backend.CopyAllOut(out);
  if (!out_of.ok()) return out_of.ToString();
  begin = 0;
  for (std::size_t k = 0; k < sizes.size(); begin += sizes[k++]) {
    const std::uint8_t* const to = k % 3 == 0 ? straight.data() : back.data();
    if (!std::equal(to + begin, to + begin + sizes[k], there.data() + begin)) {
      return "part " + std::to_string(k) + " is not what went there";
    }
  }
  return "";
}

/// Makes round trips of 12 threads (more than the copy pool has channels) at once. Returns what
/// went wrong.
std::string ManyRoundTrips(Backend& backend, const std::vector<std::size_t>& sizes) {
  constexpr std::uint32_t kThreads = 12;
  std::vector<std::string> faults(kThreads);
  std::vector<std::thread> threads;
  for (std::uint32_t t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (const std::size_t bytes : sizes) faults[t] += RoundTrip(backend, bytes + t, t);
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::string all;
  for (const std::string& fault : faults) all += fault;
  return all;
}

class CudaBackendTest : public ::testing::Test {
 protected:
  void SetUp() override {
    // Counting devices must not initialise CUDA in a way that the backend refuses.
    if (CudaBackend::Count() == 0) GTEST_SKIP() << "no CUDA device";
    auto backend = CudaBackend::Create(0, 2048 * kMiB);
    ASSERT_TRUE(backend.ok()) << backend.status();
    backend_ = *std::move(backend);
  }

  std::unique_ptr<CudaBackend> backend_;
};

TEST_F(CudaBackendTest, CopiesAllSizes) {
  for (const std::size_t bytes :
       {std::size_t{0}, std::size_t{1}, std::size_t{255}, 64 * kMiB / 1024, 64 * kMiB / 1024 + 1,
        kMiB - 1, kMiB, 3 * kMiB + 5, 8 * kMiB, 33 * kMiB + 77}) {
    EXPECT_EQ(RoundTrip(*backend_, bytes, 1), "") << bytes << " bytes";
  }
  EXPECT_EQ(backend_->MemoryUsed(), 0u);
}

TEST_F(CudaBackendTest, HasHostMemoryThatItWrites) {
  ASSERT_NE(backend_->HostMemory(), nullptr);
  const memory::HostAllocator<int> host(backend_->HostMemory());
  memory::HostVector<int> kept(100, host);
  EXPECT_TRUE(host.Heap()->Contains(kept.data()));
  backend_.reset();  // the memory stays, because it is in use
  kept[99] = 1;
  kept.push_back(2);
  EXPECT_FALSE(host.Heap()->Contains(kept.data()));
  EXPECT_EQ(kept[99] + kept[100], 3);
}

TEST_F(CudaBackendTest, CopiesSeveralPartsTogether) {
  EXPECT_EQ(RoundTripOfParts(*backend_, {1}), "");
  EXPECT_EQ(RoundTripOfParts(*backend_, {300, 12, 4096, 0, 1, 65'536, 7}), "");
  EXPECT_EQ(RoundTripOfParts(*backend_, {65'537, kMiB, 3 * kMiB + 5, 17, 2 * kMiB}), "");
  EXPECT_EQ(RoundTripOfParts(*backend_, std::vector<std::size_t>(60, 60'000)), "")
      << "more than a buffer holds";
}

TEST_F(CudaBackendTest, CopiesForManyThreadsAtOnce) {
  EXPECT_EQ(ManyRoundTrips(*backend_, {1, 4096, 65'536, 300'000, kMiB, 5 * kMiB, 20 * kMiB}), "");
}

TEST_F(CudaBackendTest, AllocatesAndCopiesBesideAKernelThatRuns) {
  Spinner spinner;
  backend_->SetQuietRunner([](const auto&) { return absl::InternalError("no quiet point here"); });
  ASSERT_TRUE(spinner.Start());
  EXPECT_EQ(RoundTrip(*backend_, 100, 1), "");
  EXPECT_EQ(RoundTrip(*backend_, 2 * kMiB, 2), "");
  EXPECT_TRUE(spinner.Runs()) << "an allocation or a copy waited for the kernel";
}

TEST_F(CudaBackendTest, CopiesForManyThreadsBesideAKernelThatRuns) {
  Spinner spinner;
  backend_->SetQuietRunner([](const auto&) { return absl::InternalError("no quiet point here"); });
  ASSERT_TRUE(spinner.Start());
  EXPECT_EQ(ManyRoundTrips(*backend_, {1, 65'536, 300'000}), "");
  EXPECT_TRUE(spinner.Runs()) << "an allocation or a copy waited for the kernel";
}

TEST_F(CudaBackendTest, GrowsAndSortsAtQuietPoints) {
  Spinner spinner;
  int quiet_points = 0;
  backend_->SetQuietRunner([&](const std::function<absl::Status()>& work) {
    ++quiet_points;
    spinner.Stop();
    const absl::Status status = work();
    return spinner.Start() ? status : absl::InternalError("the kernel did not start again");
  });
  ASSERT_TRUE(spinner.Start());
  std::vector<std::uint64_t> keys(100'000);
  for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = (i * 0x9E3779B97F4A7C15u) ^ (i << 7);
  auto first = memory::DeviceArray<std::uint64_t>::Create(*backend_, keys.size());
  auto second = memory::DeviceArray<std::uint64_t>::Create(*backend_, keys.size());
  ASSERT_TRUE(first.ok() && second.ok());
  const std::size_t bytes = keys.size() * sizeof keys[0];
  ASSERT_TRUE(backend_->CopyIn(first->data(), keys.data(), bytes).ok());
  EXPECT_EQ(quiet_points, 0);
  ASSERT_TRUE(backend_->SortKeys(first->data(), second->data(), keys.size()).ok());
  EXPECT_EQ(quiet_points, 1);
  std::vector<std::uint64_t> sorted(keys.size());
  ASSERT_TRUE(backend_->CopyOut(sorted.data(), first->data(), bytes).ok());
  std::sort(keys.begin(), keys.end());
  EXPECT_EQ(sorted, keys);

  auto large = memory::DeviceArray<std::uint8_t>::Create(*backend_, 900 * kMiB);
  EXPECT_TRUE(large.ok()) << large.status();
  EXPECT_EQ(quiet_points, 1);
  auto more = memory::DeviceArray<std::uint8_t>::Create(*backend_, 200 * kMiB);
  EXPECT_TRUE(more.ok()) << more.status();
  EXPECT_EQ(quiet_points, 2);
  backend_->SetQuietRunner(nullptr);
}

TEST_F(CudaBackendTest, SaysWhatIsNeededWhenTheLimitIsReached) {
  auto most = memory::DeviceArray<std::uint8_t>::Create(*backend_, 1000 * kMiB);
  ASSERT_TRUE(most.ok()) << most.status();
  const absl::Status status = backend_->Allocate(2000 * kMiB).status();
  EXPECT_TRUE(absl::IsResourceExhausted(status)) << status;
  EXPECT_THAT(std::string(status.message()), ::testing::HasSubstr("2097152000 bytes needed"));
  EXPECT_EQ(backend_->MemoryUsed(), 1000 * kMiB);
}

TEST_F(CudaBackendTest, SaysWhatIsNeededWhenTheDeviceHasNoMore) {
  constexpr std::size_t kTiB = std::size_t{1} << 40;
  auto backend = CudaBackend::Create(0, 64 * kTiB);
  ASSERT_TRUE(backend.ok()) << backend.status();
  const absl::Status status = (*backend)->Allocate(32 * kTiB).status();
  EXPECT_TRUE(absl::IsResourceExhausted(status)) << status;
  EXPECT_THAT(std::string(status.message()), ::testing::HasSubstr("0 in use"));
  EXPECT_EQ(RoundTrip(**backend, kMiB, 3), "");  // the failure leaves nothing behind
}

TEST_F(CudaBackendTest, RefusesADeviceThatIsNotThere) {
  EXPECT_TRUE(absl::IsUnavailable(CudaBackend::Create(CudaBackend::Count(), 0).status()));
  EXPECT_TRUE(absl::IsUnavailable(CudaBackend::Create(-1, 0).status()));
}

}  // namespace
}  // namespace warpyard::device
