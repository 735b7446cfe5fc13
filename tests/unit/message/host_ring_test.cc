// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/message/host_ring.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <cstring>
#include <thread>

namespace warpyard::message {
namespace {

template <std::size_t kBytes>
struct Body {
  unsigned char bytes[kBytes];
};

template <std::size_t kBytes>
void ExpectRoundTrip() {
  using Message = SlottedMessage<Body<kBytes>>;
  Body<kBytes> sent, got{};
  for (std::size_t i = 0; i < kBytes; ++i) sent.bytes[i] = static_cast<unsigned char>(i * 7 + 1);
  Message message{};
  EXPECT_FALSE(message.ReadOnHost(got, 1));
  message.WriteFromHost(sent, 1);
  ASSERT_TRUE(message.ReadOnHost(got, 1));
  EXPECT_EQ(std::memcmp(&sent, &got, kBytes), 0) << kBytes << " bytes";
  EXPECT_FALSE(message.ReadOnHost(got, 2));
}

TEST(SlottedMessage, ArrivesWholeWhateverItsSize) {
  ExpectRoundTrip<1>();
  ExpectRoundTrip<11>();
  ExpectRoundTrip<12>();
  ExpectRoundTrip<13>();
  ExpectRoundTrip<345>();
}

TEST(SlottedMessage, IsNotReadWhileASlotIsMissing) {
  using Message = SlottedMessage<Body<30>>;
  const Body<30> sent{};
  Body<30> got{};
  for (std::uint32_t missing = 0; missing < Message::kSlots; ++missing) {
    Message message{};
    message.WriteFromHost(sent, 5);
    message.slots[missing].turn = 4;
    EXPECT_FALSE(message.ReadOnHost(got, 5)) << missing;
  }
}

/// One thread writes message after message. The other reads each that it sees: all slots belong to
/// one message.
TEST(SlottedMessage, IsReadWholeWhileAnotherThreadWrites) {
  struct Numbers {
    std::uint64_t value[9];
  };
  SlottedMessage<Numbers> message{};
  std::atomic<std::uint32_t> read{0};
  constexpr std::uint32_t kMessages = 2000;
  std::thread writer([&] {
    for (std::uint32_t n = 1; n <= kMessages; ++n) {
      Numbers numbers;
      for (std::uint64_t& value : numbers.value) value = n * std::uint64_t{0x100000001};
      message.WriteFromHost(numbers, n);
      while (read.load(std::memory_order_acquire) != n) std::this_thread::yield();
    }
  });
  for (std::uint32_t n = 1; n <= kMessages; ++n) {
    Numbers numbers;
    while (!message.ReadOnHost(numbers, n)) std::this_thread::yield();
    for (const std::uint64_t value : numbers.value) {
      EXPECT_EQ(value, n * std::uint64_t{0x100000001});
    }
    read.store(n, std::memory_order_release);
  }
  writer.join();
}

TEST(HostRing, NumbersTurnsFromOne) {
  using Ring = HostRing<Body<4>, 8>;
  Ring ring{};
  EXPECT_EQ(Ring::TurnOf(0), 1u);
  EXPECT_EQ(&ring.At(3), &ring.At(11));
}

}  // namespace
}  // namespace warpyard::message
