// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/log/logger.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace warpyard::server {
namespace {

/// A pipe that poll finds writable takes so many bytes at once (PIPE_BUF of Linux).
constexpr std::size_t kChunkBytes = 4096;
constexpr int kPollMs = 100;
constexpr absl::Duration kTellInterval = absl::Seconds(1);
constexpr absl::Duration kFarewell = absl::Seconds(1);

bool IsSocket(int fd) {
  struct stat facts;
  return fstat(fd, &facts) == 0 && S_ISSOCK(facts.st_mode);
}

TokenBucket BucketOf(LogLevel level) {
  const Logger::Rate rate = Logger::RateOf(level);
  return {rate.per_second, rate.burst};
}

}  // namespace

Logger::Rate Logger::RateOf(LogLevel level) {
  switch (level) {
    case LogLevel::kOff:
      return {0, 0};
    case LogLevel::kError:
    case LogLevel::kWarning:
      return {20, 100};
    case LogLevel::kInfo:
      return {50, 200};
    case LogLevel::kDebug:
      break;
  }
  return {1000, 2000};
}

Logger::Logger(LogLevel level, int fd)
    : level_(level),
      fd_(fd),
      is_socket_(IsSocket(fd)),
      buckets_{BucketOf(LogLevel::kOff), BucketOf(LogLevel::kError), BucketOf(LogLevel::kWarning),
               BucketOf(LogLevel::kInfo), BucketOf(LogLevel::kDebug)} {
  if (level != LogLevel::kOff) thread_ = std::thread([this] { Run(); });
}

Logger::~Logger() {
  {
    const std::lock_guard lock(mutex_);
    give_up_ = absl::Now() + kFarewell;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

bool Logger::Admit(LogLevel level, absl::Time now) {
  const std::lock_guard lock(mutex_);
  if (buckets_[static_cast<std::size_t>(level)].Take(now)) return true;
  // The thread waits without a time limit until the first line is dropped.
  if (dropped_by_rate_++ == 0) changed_.notify_one();
  return false;
}

void Logger::Append(const std::string& line) {
  const std::lock_guard lock(mutex_);
  if (buffer_.size() + line.size() > kMostBuffered) {
    ++dropped_unread_;
    return;
  }
  buffer_ += line;
  changed_.notify_one();
}

bool Logger::Flush(absl::Duration timeout) {
  std::unique_lock lock(mutex_);
  TellDropped(absl::Now());
  changed_.notify_one();
  return written_.wait_for(lock, absl::ToChronoNanoseconds(timeout),
                           [this] { return buffer_.empty() && !writing_; });
}

void Logger::Run() {
  const auto ends = [this] { return give_up_ != absl::InfiniteFuture(); };
  const auto drops = [this] { return dropped_by_rate_ + dropped_unread_ != 0; };
  std::unique_lock lock(mutex_);
  while (true) {
    if (drops()) {
      changed_.wait_for(lock, absl::ToChronoNanoseconds(kTellInterval),
                        [&] { return !buffer_.empty() || ends(); });
    } else {
      changed_.wait(lock, [&] { return !buffer_.empty() || ends() || drops(); });
    }
    if (const absl::Time now = absl::Now(); now - told_ >= kTellInterval || ends()) {
      TellDropped(now);
    }
    if (buffer_.empty()) {
      if (ends()) return;
      continue;
    }
    std::string text;
    text.swap(buffer_);
    writing_ = true;
    lock.unlock();
    WriteOut(text);
    lock.lock();
    writing_ = false;
    written_.notify_all();
    if (absl::Now() >= give_up_) return;
  }
}

void Logger::TellDropped(absl::Time now) {
  if (dropped_by_rate_ + dropped_unread_ == 0) return;
  LogLine line(now, LogLevel::kWarning, "log_dropped");
  line.Add("over_rate", dropped_by_rate_).Add("unread", dropped_unread_);
  buffer_ += line.Take();
  dropped_by_rate_ = dropped_unread_ = 0;
  told_ = now;
}

bool Logger::HasGivenUp() {
  const std::lock_guard lock(mutex_);
  return absl::Now() >= give_up_;
}

void Logger::WriteOut(absl::string_view text) {
  while (!text.empty() && !HasGivenUp()) {
    pollfd ready = {fd_, POLLOUT, 0};
    if (poll(&ready, 1, kPollMs) == 0) continue;
    const std::size_t size = std::min(text.size(), kChunkBytes);
    const ssize_t count = is_socket_ ? send(fd_, text.data(), size, MSG_DONTWAIT | MSG_NOSIGNAL)
                                     : write(fd_, text.data(), size);
    if (count < 0) {
      if (errno == EAGAIN || errno == EINTR) continue;
      return;  // the reader is gone: nobody misses the lines
    }
    text.remove_prefix(static_cast<std::size_t>(count));
  }
}

}  // namespace warpyard::server
