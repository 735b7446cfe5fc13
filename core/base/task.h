// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Coroutines for host code that waits without a thread of its own.
#ifndef WARPYARD_CORE_BASE_TASK_H_
#define WARPYARD_CORE_BASE_TASK_H_

#include <coroutine>
#include <exception>
#include <optional>
#include <utility>

#include "core/base/macros.h"

namespace warpyard {

/// A coroutine with one result. It starts when another coroutine awaits it, or when RunNow is
/// called. It ends on the thread that resumes it last. If it throws, the awaiting coroutine or the
/// caller of RunNow gets the exception.
template <class T>
class [[nodiscard]] Task {
 public:
  struct promise_type;

  Task(Task&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Task& operator=(Task&&) = delete;
  ~Task() {
    if (handle_) handle_.destroy();
  }

  bool await_ready() const noexcept { return false; }
  std::coroutine_handle<> await_suspend(std::coroutine_handle<> awaiter) noexcept {
    handle_.promise().awaiter = awaiter;
    return handle_;
  }
  T await_resume() { return Result(); }

  /// Runs a task that never waits. For host code that blocks instead, see EventRunner.
  T RunNow() && {
    handle_.resume();
    WY_ASSERT(handle_.done());
    return Result();
  }

 private:
  using Handle = std::coroutine_handle<promise_type>;

  explicit Task(Handle handle) : handle_(handle) {}

  T Result() {
    promise_type& promise = handle_.promise();
    if (promise.exception) std::rethrow_exception(promise.exception);
    return *std::move(promise.result);
  }

  Handle handle_;
};

template <class T>
struct Task<T>::promise_type {
  /// Goes on with the awaiter, without growing the stack.
  struct ResumeAwaiter {
    bool await_ready() const noexcept { return false; }
    std::coroutine_handle<> await_suspend(Handle ended) const noexcept {
      return ended.promise().awaiter;
    }
    void await_resume() const noexcept {}
  };

  Task get_return_object() { return Task(Handle::from_promise(*this)); }
  std::suspend_always initial_suspend() const noexcept { return {}; }
  ResumeAwaiter final_suspend() const noexcept { return {}; }
  template <class Value>
  void return_value(Value&& value) {
    result.emplace(std::forward<Value>(value));
  }
  void unhandled_exception() { exception = std::current_exception(); }

  std::optional<T> result;
  std::exception_ptr exception;
  std::coroutine_handle<> awaiter = std::noop_coroutine();
};

/// A coroutine of this type starts at once. Nobody awaits it. It frees its memory when it ends.
struct DetachedTask {
  struct promise_type {
    DetachedTask get_return_object() const { return {}; }
    std::suspend_never initial_suspend() const noexcept { return {}; }
    std::suspend_never final_suspend() const noexcept { return {}; }
    void return_void() const {}
    [[noreturn]] void unhandled_exception() const { std::terminate(); }
  };
};

/// WY_RETURN_IF_ERROR and WY_ASSIGN_OR_RETURN in a coroutine.
#define WY_CO_RETURN_IF_ERROR(expression)                                    \
  do {                                                                       \
    if (auto wy_status = (expression); !wy_status.ok()) co_return wy_status; \
  } while (false)
#define WY_CO_ASSIGN_OR_RETURN(target, expression)                  \
  auto WY_CONCAT_(wy_result_, __LINE__) = (expression);             \
  if (!WY_CONCAT_(wy_result_, __LINE__).ok())                       \
    co_return std::move(WY_CONCAT_(wy_result_, __LINE__)).status(); \
  target = *std::move(WY_CONCAT_(wy_result_, __LINE__))

}  // namespace warpyard

#endif  // WARPYARD_CORE_BASE_TASK_H_
