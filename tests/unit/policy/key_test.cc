// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/policy/key.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <initializer_list>
#include <random>

namespace warpyard::policy {
namespace {

/// Random events: random bits, extreme values, and values that differ by little.
class RandomInput {
 public:
  explicit RandomInput(std::uint64_t seed) : random_(seed) {}

  std::uint64_t Word() {
    constexpr std::uint64_t kEdges[] = {0, 1, kNoDeadline, kNoDeadline - 1, kNoDeadline >> 1};
    if (random_() % 4 == 0) return kEdges[random_() % 5];
    return random_() >> random_() % 64;
  }

  EventView Event() {
    EventView event;
    event.deadline_ns = random_() % 3 == 0 ? kNoDeadline : Word();
    event.arrival_ns = Word();
    event.served_ns = Word();
    event.executed_ns = Word();
    event.expected_ns = Word();
    event.priority = static_cast<std::uint32_t>(random_() % 4);
    event.tenant = static_cast<std::uint32_t>(random_() % kMaxTenants);
    return event;
  }

  TenantTimes Tenants() {
    TenantTimes tenants;
    for (std::uint64_t& virtual_ns : tenants.virtual_ns) virtual_ns = Word() % kMostVirtual;
    return tenants;
  }

 private:
  std::mt19937_64 random_;
};

/// Whether the keys of two events contradict the wanted order. Keys are coarser than times, so they
/// may be equal. @shape wanted: -1, 0, 1: the first event is before, equal to, after the second; 2:
/// any order
bool Contradicts(std::uint64_t first, std::uint64_t second, int wanted) {
  return wanted < 0 ? first > second : wanted == 1 && first < second;
}

int Compare(std::uint64_t a, std::uint64_t b) { return a < b ? -1 : a > b ? 1 : 0; }

/// The first number that is not 0.
int First(std::initializer_list<int> orders) {
  for (const int order : orders) {
    if (order != 0) return order;
  }
  return 0;
}

/// The order that the header of the service's policy promises.
int ServiceOrder(const EventView& a, const EventView& b, const TenantTimes& tenants,
                 std::uint64_t now_ns) {
  const auto deadline = [&](const EventView& event) {
    return event.deadline_ns > now_ns ? event.deadline_ns : kNoDeadline;
  };
  const auto starves = [&](const EventView& event) {
    return deadline(event) == kNoDeadline && now_ns > event.served_ns &&
           now_ns - event.served_ns >= PolicyOptions{}.starvation_ns;
  };
  const bool both_starve = starves(a) && starves(b);
  return First({Compare(starves(b), starves(a)),
                both_starve ? First({Compare(a.served_ns, b.served_ns), 2}) : 0,
                Compare(deadline(a), deadline(b)),
                deadline(a) == kNoDeadline ? Compare(b.priority, a.priority) : 2,
                Compare(tenants.virtual_ns[a.tenant], tenants.virtual_ns[b.tenant])});
}

TEST(Key, IsThatOfThePolicyThatIsChosen) {
  RandomInput random(1);
  for (int round = 0; round < 1'000; ++round) {
    const EventView event = random.Event();
    const TenantTimes tenants = random.Tenants();
    const std::uint64_t now_ns = random.Word();
    PolicyOptions options;
    const auto key_of = [&](PolicyKind kind) {
      options.kind = kind;
      return KeyOf(options, event, tenants, now_ns);
    };
    EXPECT_EQ(key_of(PolicyKind::kService), ServiceDefault::Key(options, event, tenants, now_ns));
    EXPECT_EQ(key_of(PolicyKind::kPriority), Priority::Key(options, event, tenants, now_ns));
    EXPECT_EQ(key_of(PolicyKind::kEarliestDeadline),
              EarliestDeadlineFirst::Key(options, event, tenants, now_ns));
    EXPECT_EQ(key_of(PolicyKind::kQuota), Quota::Key(options, event, tenants, now_ns));
    EXPECT_EQ(key_of(PolicyKind::kFairShare), FairShare::Key(options, event, tenants, now_ns));
    EXPECT_EQ(key_of(PolicyKind::kShortestJob),
              ShortestJobFirst::Key(options, event, tenants, now_ns));
    EXPECT_EQ(key_of(PolicyKind::kFifo), Fifo::Key(options, event, tenants, now_ns));
  }
}

/// Compares the keys of random pairs of events. @shape order: the wanted order, as for Contradicts
template <class P, class Order>
void ExpectOrder(std::uint64_t seed, Order order) {
  RandomInput random(seed);
  for (int round = 0; round < 200'000; ++round) {
    const EventView a = random.Event(), b = random.Event();
    const TenantTimes tenants = random.Tenants();
    const std::uint64_t now_ns = random.Word();
    const int wanted = order(a, b, tenants, now_ns);
    ASSERT_FALSE(
        Contradicts(P::Key({}, a, tenants, now_ns), P::Key({}, b, tenants, now_ns), wanted))
        << "round " << round;
  }
}

using Tenants = TenantTimes;
using View = EventView;

TEST(Key, KeepsItsOrderForAnyArrivalsDeadlinesAndPriorities) {
  ExpectOrder<Fifo>(2, [](const View& a, const View& b, const Tenants&, std::uint64_t) {
    return Compare(a.arrival_ns, b.arrival_ns);
  });
  ExpectOrder<Priority>(3, [](const View& a, const View& b, const Tenants&, std::uint64_t) {
    return First({Compare(b.priority, a.priority), Compare(a.arrival_ns, b.arrival_ns)});
  });
  ExpectOrder<EarliestDeadlineFirst>(
      4, [](const View& a, const View& b, const Tenants&, std::uint64_t) {
        const bool none = a.deadline_ns == kNoDeadline;
        return First({Compare(a.deadline_ns, b.deadline_ns),
                      none ? Compare(a.arrival_ns, b.arrival_ns) : 2});
      });
}

TEST(Key, KeepsItsOrderForAnyTimesOfTenants) {
  ExpectOrder<Quota>(5, [](const View& a, const View& b, const Tenants& t, std::uint64_t) {
    const std::uint64_t first = t.virtual_ns[a.tenant] / 4'096;
    const std::uint64_t second = t.virtual_ns[b.tenant] / 4'096;
    return First({Compare(first, second), Compare(a.arrival_ns, b.arrival_ns)});
  });
  ExpectOrder<ServiceDefault>(
      6, [](const View& a, const View& b, const Tenants& t, std::uint64_t now_ns) {
        const bool near = t.virtual_ns[a.tenant] / 4'096 == t.virtual_ns[b.tenant] / 4'096;
        const int order = ServiceOrder(a, b, t, now_ns);
        const auto has_none = [&](const View& event) {
          return event.deadline_ns == kNoDeadline || event.deadline_ns <= now_ns;
        };
        const bool by_tenant = has_none(a) && has_none(b) && a.priority == b.priority;
        return near && by_tenant ? 2 : order;
      });
}

TEST(Key, KeepsItsOrderForAnyExecutedAndExpectedTimes) {
  ExpectOrder<FairShare>(7, [](const View& a, const View& b, const Tenants&, std::uint64_t now) {
    if (a.arrival_ns != b.arrival_ns) {
      const bool more = a.executed_ns >= b.executed_ns && a.arrival_ns > b.arrival_ns;
      return more && a.arrival_ns <= now ? 1 : 2;
    }
    return Compare(a.executed_ns, b.executed_ns);
  });
  ExpectOrder<ShortestJobFirst>(8, [](const View& a, const View& b, const Tenants&, std::uint64_t) {
    const bool shorter = a.expected_ns != 0 && b.expected_ns != 0 &&
                         a.expected_ns <= b.expected_ns && a.executed_ns == b.executed_ns &&
                         a.executed_ns < a.expected_ns;
    return shorter && a.served_ns <= b.served_ns ? -1 : 2;
  });
}

}  // namespace
}  // namespace warpyard::policy
