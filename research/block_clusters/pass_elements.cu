// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Passes elements from owners to takers, in pairs of blocks. One pair runs in step, which measures
// the time of a take. All pairs run at once, as fast as they can, which measures the throughput.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "research/block_clusters/launch.cuh"
#include "research/block_clusters/table.h"
#include "research/block_clusters/takeable_stack.cuh"
#include "research/block_clusters/ways.cuh"

namespace warpyard::bench {
namespace {

constexpr std::uint32_t kAllPairs = 0xffffffffu;
constexpr std::uint32_t kLatencyRounds = 64;
constexpr std::uint32_t kThroughputRounds = 128;
constexpr int kCountedRuns = 3;  // not timed; one for each distance in a cluster
constexpr int kRepetitions = 7;
constexpr long long kLimitCycles = 1'000'000'000;  // of any wait: half a second

static_assert(sizeof(StackMemory) <= kBlockSharedBytes);

/// @shape distance: from an owner to its taker, in blocks of the cluster; only_pair: or kAllPairs
struct Plan {
  std::uint32_t elements;  // of a round
  std::uint32_t rounds;
  std::uint32_t distance;
  std::uint32_t only_pair;
};

/// How far a pair that runs in step has come.
struct alignas(128) Steps {
  std::uint32_t given;
  std::uint32_t taken;
};

struct Errors {
  std::uint32_t stuck;   // waits that ran out
  std::uint32_t broken;  // takes with an element that was not whole
};

/// @shape steps: one for each pair; takes, gives: one for each pair and round
struct Records {
  Steps* steps;
  Taken* takes;
  std::uint32_t* gives;  // cycles
  std::uint32_t* seen;   // how often each element came out; null: not counted
  Errors* errors;
};

/// Repeats an attempt of a whole warp until it succeeds. Returns false after the limit.
template <class Try>
__device__ bool Retry(Try attempt) {
  const long long begin = clock64();
  while (!attempt()) {
    if (__any_sync(kAllLanes, clock64() - begin > kLimitCycles)) return false;
  }
  return true;
}

/// Waits for the other block of a pair. @scope a warp
__device__ bool AwaitStep(std::uint32_t& word, std::uint32_t step) {
  const bool there = Retry([&] {
    std::uint32_t found = 0;
    if (Lane() == 0) found = Scope::Word(word).LoadAcquire();
    if (__shfl_sync(kAllLanes, found, 0) == step) return true;
    __nanosleep(200);
    return false;
  });
  __syncwarp();
  return there;
}

__device__ void PublishStep(std::uint32_t& word, std::uint32_t step) {
  __syncwarp();
  if (Lane() == 0) Scope::Word(word).StoreRelease(step);
}

/// One side of a pair. @scope a warp
class PairRun {
 public:
  /// @shape slot: of the pair among those that run
  __device__ PairRun(const Plan& plan, const Records& records, std::uint32_t slot)
      : plan_(plan), records_(records), slot_(slot) {}

  template <class Owner>
  __device__ void GiveAll(Owner& owner) const {
    for (std::uint32_t round = 0; round < plan_.rounds; ++round) {
      const std::uint32_t first_id = RecordOf(round) * plan_.elements;
      const Hand mine = {MakeElement(first_id + Lane()), MakeElement(first_id + Lane() + 32)};
      std::uint32_t cycles = 0;
      const bool given = Retry([&] {
        const std::uint32_t begin = Clock();
        const bool done = owner.Give(plan_.elements, mine);
        cycles = Clock() - begin;
        return done;
      });
      if (!given) return NoteStuck();
      if (Lane() == 0) records_.gives[RecordOf(round)] = cycles;
      if (!InStep()) continue;
      PublishStep(records_.steps[slot_].given, round + 1);
      if (!AwaitStep(records_.steps[slot_].taken, round + 1)) return NoteStuck();
    }
  }

  template <class Taker>
  __device__ void TakeAll(Taker& taker) const {
    const std::uint32_t total = plan_.rounds * plan_.elements;
    for (std::uint32_t done = 0, takes = 0; done < total; ++takes) {
      const std::uint32_t of_round = done % plan_.elements, round = done / plan_.elements;
      if (InStep() && of_round == 0 && !AwaitStep(records_.steps[slot_].given, round + 1)) {
        return NoteStuck();
      }
      const std::uint32_t left = InStep() ? plan_.elements - of_round : total - done;
      const std::uint32_t wanted = left < plan_.elements ? left : plan_.elements;
      Hand mine = {};
      Taken taken;
      if (!Retry([&] { return (taken = taker.Take(wanted, mine)).count != 0; })) {
        return NoteStuck();
      }
      Note(taken, mine);
      if (Lane() == 0 && takes < plan_.rounds) records_.takes[RecordOf(takes)] = taken;
      done += taken.count;
      if (InStep() && done % plan_.elements == 0) {
        PublishStep(records_.steps[slot_].taken, done / plan_.elements);
      }
    }
  }

 private:
  __device__ bool InStep() const { return plan_.only_pair != kAllPairs; }
  __device__ std::uint32_t RecordOf(std::uint32_t round) const {
    return slot_ * plan_.rounds + round;
  }

  __device__ void NoteStuck() const {
    if (Lane() == 0) atomicAdd(&records_.errors->stuck, 1u);
  }

  __device__ void Note(const Taken& taken, const Hand& mine) const {
    if (!taken.whole && Lane() == 0) atomicAdd(&records_.errors->broken, 1u);
    if (records_.seen == nullptr || !taken.whole) return;
    for (std::uint32_t k = 0; k < kPerLane; ++k) {
      if (Lane() + 32 * k < taken.count) atomicAdd(&records_.seen[mine[k].id], 1u);
    }
  }

  const Plan& plan_;
  const Records& records_;
  const std::uint32_t slot_;
};

/// One warp of each block works; the others wait, because the block's shared memory must stay.
template <class Way>
__global__ void __launch_bounds__(kBlockThreads, kBlocksOfProcessor)
    PassElementsKernel(typename Way::Place place, Plan plan, Records records) {
  extern __shared__ uint4 shared[];
  auto* const stack = reinterpret_cast<StackMemory*>(shared);
  if (threadIdx.x == 0) stack->state = stack->drained = 0;
  SyncCluster();
  const std::uint32_t side = blockIdx.x % (2 * plan.distance);
  const std::uint32_t pair =
      blockIdx.x / (2 * plan.distance) * plan.distance + blockIdx.x % plan.distance;
  if (threadIdx.x < 32 && (plan.only_pair == kAllPairs || plan.only_pair == pair)) {
    const PairRun run(plan, records, plan.only_pair == kAllPairs ? pair : 0);
    if (side < plan.distance) {
      typename Way::Owner owner(place, stack);
      run.GiveAll(owner);
    } else {
      typename Way::Taker taker(place, stack, blockIdx.x - plan.distance);
      run.TakeAll(taker);
    }
  }
  SyncCluster();
}

template <class Storage>
__global__ void ResetQueueKernel(Storage* storage) {
  storage->Reset();
}

double MedianOf(const std::vector<Taken>& takes, std::uint32_t Taken::*part) {
  std::vector<double> values;
  for (const Taken& taken : takes) {
    if (taken.count != 0) values.push_back(taken.*part);
  }
  return Median(values);
}

void AddTimes(ClusterCell& cell, const std::vector<Taken>& takes,
              const std::vector<std::uint32_t>& gives) {
  std::vector<double> whole;
  for (const Taken& taken : takes) {
    if (taken.count != 0) whole.push_back(taken.look + taken.claim + taken.read);
  }
  cell.Add("take_cycles", Median(whole));
  cell.Add("look_cycles", MedianOf(takes, &Taken::look));
  cell.Add("claim_cycles", MedianOf(takes, &Taken::claim));
  cell.Add("read_cycles", MedianOf(takes, &Taken::read));
  cell.Add("finish_cycles", MedianOf(takes, &Taken::finish));
  cell.Add("give_cycles", Median({gives.begin(), gives.end()}));
}

class Stopwatch {
 public:
  Stopwatch() {
    for (cudaEvent_t& event : events_) Require(cudaEventCreate(&event));
  }
  ~Stopwatch() {
    for (cudaEvent_t event : events_) Require(cudaEventDestroy(event));
  }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

  void Begin() { Require(cudaEventRecord(events_[0])); }
  double EndMicroseconds() {
    Require(cudaEventRecord(events_[1]));
    Require(cudaEventSynchronize(events_[1]));
    float milliseconds = 0;
    Require(cudaEventElapsedTime(&milliseconds, events_[0], events_[1]));
    return milliseconds * 1e3;
  }

 private:
  cudaEvent_t events_[2] = {};
};

/// A way and the memory that it needs. @shape stacks: cleared before each launch, or null
template <class Way>
struct WayUse {
  const char* name;
  typename Way::Place place;
  Buffer<StackMemory>* stacks;
};

/// The pairs of a grid: one at a time and in step, or all at once.
class PassRuns {
 public:
  PassRuns(const Grid& grid, std::uint32_t elements, bool all_at_once)
      : grid_(grid),
        elements_(elements),
        all_(all_at_once),
        rounds_(all_at_once ? kThroughputRounds : kLatencyRounds),
        slots_(all_at_once ? grid.blocks / 2 : 1),
        steps_(slots_),
        takes_(slots_ * rounds_),
        gives_(slots_ * rounds_),
        seen_(std::size_t{slots_} * rounds_ * elements),
        errors_(1) {}

  template <class Way>
  ClusterCell Measure(const WayUse<Way>& use) {
    ClusterCell cell;
    cell.On("way", use.name).On("cluster", grid_.cluster).On("blocks", grid_.blocks);
    cell.On("pairs", slots_).On("elements", elements_);
    for (int run = 0; run < kCountedRuns + kRepetitions; ++run) {
      const double us = RunOnce(use, run);
      const Errors errors = errors_.Read()[0];
      if (errors.stuck != 0) Fail("a wait ran out: a block passed no elements for half a second");
      cell.right &= errors.broken == 0;
      if (run < kCountedRuns) {
        for (const std::uint32_t count : seen_.Read()) cell.right &= count == 1;
        continue;
      }
      AddTimes(cell, takes_.Read(), gives_.Read());
      if (all_) cell.Add("million_elements_per_s", double{1} * slots_ * rounds_ * elements_ / us);
    }
    return cell;
  }

 private:
  /// Returns microseconds.
  template <class Way>
  double RunOnce(const WayUse<Way>& use, int run) {
    steps_.Clear();
    takes_.Clear();
    if (run < kCountedRuns) seen_.Clear();
    if (use.stacks != nullptr) use.stacks->Clear();
    // Every distance in a cluster, and pairs all over the device.
    std::uint32_t distance = 1u << (run % kCountedRuns);
    while (distance > 1 && 2 * distance > grid_.cluster) distance /= 2;
    const std::uint32_t some_pair = static_cast<std::uint32_t>(run) * 37 % (grid_.blocks / 2);
    const Plan plan{elements_, rounds_, distance, all_ ? kAllPairs : some_pair};
    const Records records{steps_.data(), takes_.data(), gives_.data(),
                          run < kCountedRuns ? seen_.data() : nullptr, errors_.data()};
    Require(cudaDeviceSynchronize());
    stopwatch_.Begin();
    Launch(grid_, PassElementsKernel<Way>, use.place, plan, records);
    return stopwatch_.EndMicroseconds();
  }

  const Grid grid_;
  const std::uint32_t elements_;
  const bool all_;
  const std::uint32_t rounds_;
  const std::uint32_t slots_;
  Buffer<Steps> steps_;
  Buffer<Taken> takes_;
  Buffer<std::uint32_t> gives_;
  Buffer<std::uint32_t> seen_;
  Buffer<Errors> errors_;
  Stopwatch stopwatch_;
};

template <class Way>
void MeasureWay(ClusterTable& table, const WayUse<Way>& use, const Grid& grid, bool all_at_once) {
  for (const std::uint32_t elements : {32u, kMostElements}) {
    table.Add(PassRuns(grid, elements, all_at_once).Measure(use));
  }
}

/// All ways, in one kind of run.
class Passes {
 public:
  explicit Passes(std::uint32_t processors) : processors_(processors) {
    ResetQueueKernel<<<1, 1>>>(ring_.data());
    Require(cudaGetLastError());
    ResetQueueKernel<<<1, 1>>>(paged_.data());
    Require(cudaGetLastError());
    Require(cudaDeviceSynchronize());
  }

  void Measure(ClusterTable& table, bool all_at_once) {
    for (const std::uint32_t cluster : kClusterSizes) {
      if (cluster > 1) {
        const WayUse<Cluster> use{"stack_cluster", {nullptr}, nullptr};
        MeasureWay(table, use, GridOf<Cluster>(cluster), all_at_once);
      }
      const Grid grid = GridOf<Global>(cluster);
      Buffer<StackMemory> stacks(grid.blocks);
      MeasureWay(table, WayUse<Global>{"stack_global", {stacks.data()}, &stacks}, grid,
                 all_at_once);
      MeasureWay(table, WayUse<Ring>{"sequence_ring", {ring_.data()}, nullptr},
                 GridOf<Ring>(cluster), all_at_once);
      MeasureWay(table, WayUse<Paged>{"paged_queue", {paged_.data()}, nullptr},
                 GridOf<Paged>(cluster), all_at_once);
    }
  }

 private:
  using Cluster = StackWay<ClusterSpace>;
  using Global = StackWay<GlobalSpace>;
  using Ring = QueueWay<RingStorage>;
  using Paged = QueueWay<PagedStorage>;

  template <class Way>
  Grid GridOf(std::uint32_t cluster) const {
    const Grid grid = ResidentGrid(PassElementsKernel<Way>, cluster, processors_);
    if (grid.blocks < 2) Fail("no pair of blocks is resident");
    if (grid.blocks / 2 > kMostGivers) Fail("the device has more blocks than the queues' slack");
    return grid;
  }

  const std::uint32_t processors_;
  Buffer<RingStorage> ring_{1};
  Buffer<PagedStorage> paged_{1};
};

}  // namespace

void MeasurePasses(ClusterTable& table, std::uint32_t processors) {
  Passes passes(processors);
  table.Begin("one_taker");
  passes.Measure(table, false);
  table.Begin("all_pairs");
  passes.Measure(table, true);
}

}  // namespace warpyard::bench
