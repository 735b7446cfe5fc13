// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Launches of the cluster benchmark: as many blocks as are resident, in clusters, errors checked.
#ifndef WARPYARD_RESEARCH_BLOCK_CLUSTERS_LAUNCH_CUH_
#define WARPYARD_RESEARCH_BLOCK_CLUSTERS_LAUNCH_CUH_

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <source_location>
#include <string>
#include <vector>

namespace warpyard::bench {

/// Threads of a worker block of the megakernel.
inline constexpr std::uint32_t kBlockThreads = 160;
inline constexpr std::uint32_t kBlockSharedBytes = 36 * 1024;
inline constexpr std::uint32_t kBlocksOfProcessor = 6;  // with this shared memory

inline constexpr std::uint32_t kClusterSizes[] = {1, 2, 4, 8};

[[noreturn]] inline void Fail(const char* why) {
  std::fprintf(stderr, "cluster_bench: %s\n", why);
  std::exit(1);
}

inline void Require(cudaError_t error,
                    std::source_location where = std::source_location::current()) {
  if (error == cudaSuccess) return;
  const std::string file = where.file_name();
  std::fprintf(stderr, "cluster_bench: %s:%u: %s\n", file.substr(file.rfind('/') + 1).c_str(),
               static_cast<unsigned>(where.line()), cudaGetErrorString(error));
  std::exit(1);
}

/// An array on the device that frees itself.
template <class T>
class Buffer {
 public:
  explicit Buffer(std::size_t size) : size_(size) {
    Require(cudaMalloc(&data_, size * sizeof(T)));
    Clear();
  }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer() { Require(cudaFree(data_)); }

  void Clear() { Require(cudaMemset(data_, 0, size_ * sizeof(T))); }
  std::vector<T> Read() const {
    std::vector<T> values(size_);
    Require(cudaMemcpy(values.data(), data_, size_ * sizeof(T), cudaMemcpyDeviceToHost));
    return values;
  }
  T* data() const { return data_; }

 private:
  T* data_ = nullptr;
  std::size_t size_;
};

/// @shape cluster: blocks of a cluster; 1: launched without clusters; blocks: a multiple of it
struct Grid {
  std::uint32_t cluster;
  std::uint32_t blocks;
};

/// The launch of a grid. The object points to itself, so it must not move.
class LaunchOf {
 public:
  explicit LaunchOf(const Grid& grid) {
    attribute_.id = cudaLaunchAttributeClusterDimension;
    attribute_.val.clusterDim.x = grid.cluster;
    attribute_.val.clusterDim.y = attribute_.val.clusterDim.z = 1;
    config_.gridDim = dim3(grid.blocks);
    config_.blockDim = dim3(kBlockThreads);
    config_.dynamicSmemBytes = kBlockSharedBytes;
    config_.attrs = &attribute_;
    config_.numAttrs = grid.cluster > 1 ? 1 : 0;
  }
  LaunchOf(const LaunchOf&) = delete;
  LaunchOf& operator=(const LaunchOf&) = delete;

  const cudaLaunchConfig_t& config() const { return config_; }

 private:
  cudaLaunchAttribute attribute_ = {};
  cudaLaunchConfig_t config_ = {};
};

/// Lets blocks of a kernel use all the shared memory of a multiprocessor.
template <class Kernel>
void PreferSharedMemory(Kernel* kernel) {
  Require(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout,
                               cudaSharedmemCarveoutMaxShared));
}

template <class Kernel>
std::uint32_t BlocksOfProcessor(Kernel* kernel) {
  int blocks = 0;
  Require(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
      &blocks, kernel, static_cast<int>(kBlockThreads), kBlockSharedBytes));
  return static_cast<std::uint32_t>(blocks);
}

/// The largest grid of which all blocks are resident at once.
template <class Kernel>
Grid ResidentGrid(Kernel* kernel, std::uint32_t cluster, std::uint32_t processors) {
  PreferSharedMemory(kernel);
  if (cluster == 1) return {1, BlocksOfProcessor(kernel) * processors / 2 * 2};
  int clusters = 0;
  const LaunchOf launch({cluster, cluster * processors});
  Require(cudaOccupancyMaxActiveClusters(&clusters, kernel, &launch.config()));
  return {cluster, static_cast<std::uint32_t>(clusters) * cluster};
}

template <class... Parameters>
void Launch(const Grid& grid, void (*kernel)(Parameters...), Parameters... arguments) {
  const LaunchOf launch(grid);
  Require(cudaLaunchKernelEx(&launch.config(), kernel, arguments...));
}

}  // namespace warpyard::bench

#endif  // WARPYARD_RESEARCH_BLOCK_CLUSTERS_LAUNCH_CUH_
