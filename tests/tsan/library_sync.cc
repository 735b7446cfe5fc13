// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Makes the synchronisation of Abseil and gRPC visible to ThreadSanitizer; linked into the tests of
// the cpu-tsan preset.
//
// gRPC hands a call from thread to thread, under absl::Mutex and through its completion queues. The
// distribution's libraries are not built with ThreadSanitizer, so each hand-over would look like a
// race. The functions below take precedence over those of the shared libraries; each calls the
// original and tells ThreadSanitizer about the synchronisation.
#include <dlfcn.h>
#include <grpc/grpc.h>
#include <sanitizer/tsan_interface.h>

#include "absl/synchronization/mutex.h"
#include "grpcpp/support/server_callback.h"

namespace {

/// The function that this program's own definition hides.
template <class Function>
Function* Original(const char* mangled_name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, mangled_name));
}

}  // namespace

namespace absl {

void Mutex::Lock() {
  static auto* const original = Original<void(Mutex*)>("_ZN4absl7debian35Mutex4LockEv");
  original(this);
  __tsan_acquire(this);
}

bool Mutex::TryLock() {
  static auto* const original = Original<bool(Mutex*)>("_ZN4absl7debian35Mutex7TryLockEv");
  const bool locked = original(this);
  if (locked) __tsan_acquire(this);
  return locked;
}

void Mutex::Unlock() {
  static auto* const original = Original<void(Mutex*)>("_ZN4absl7debian35Mutex6UnlockEv");
  __tsan_release(this);
  original(this);
}

void CondVar::Wait(Mutex* mutex) {
  static auto* const original =
      Original<void(CondVar*, Mutex*)>("_ZN4absl7debian37CondVar4WaitEPNS0_5MutexE");
  __tsan_release(mutex);
  original(this, mutex);
  __tsan_acquire(mutex);
}

bool CondVar::WaitWithTimeout(Mutex* mutex, Duration timeout) {
  static auto* const original = Original<bool(CondVar*, Mutex*, Duration)>(
      "_ZN4absl7debian37CondVar15WaitWithTimeoutEPNS0_5MutexENS0_8DurationE");
  __tsan_release(mutex);
  const bool expired = original(this, mutex, timeout);
  __tsan_acquire(mutex);
  return expired;
}

bool CondVar::WaitWithDeadline(Mutex* mutex, Time deadline) {
  static auto* const original = Original<bool(CondVar*, Mutex*, Time)>(
      "_ZN4absl7debian37CondVar16WaitWithDeadlineEPNS0_5MutexENS0_4TimeE");
  __tsan_release(mutex);
  const bool expired = original(this, mutex, deadline);
  __tsan_acquire(mutex);
  return expired;
}

}  // namespace absl

// A thread that releases a reference to a call happens before the thread that releases the last
// one, which may be inside the library.
void grpc::internal::ServerCallbackCall::ScheduleOnDone(bool is_inline) {
  static auto* const original = Original<void(ServerCallbackCall*, bool)>(
      "_ZN4grpc8internal18ServerCallbackCall14ScheduleOnDoneEb");
  __tsan_acquire(&callbacks_outstanding_);
  original(this, is_inline);
}

// The thread that binds the reactor of a call happens before the call's OnCancel.
void grpc::internal::ServerCallbackCall::CallOnCancel(ServerReactor* reactor) {
  static auto* const original = Original<void(ServerCallbackCall*, ServerReactor*)>(
      "_ZN4grpc8internal18ServerCallbackCall12CallOnCancelEPNS0_13ServerReactorE");
  __tsan_acquire(&on_cancel_conditions_remaining_);
  original(this, reactor);
}

// Who starts a batch of operations comes before who gets its tag.

extern "C" grpc_call_error grpc_call_start_batch(grpc_call* call, const grpc_op* operations,
                                                 size_t count, void* tag, void* reserved) {
  static auto* const original = Original<decltype(grpc_call_start_batch)>("grpc_call_start_batch");
  __tsan_release(tag);
  return original(call, operations, count, tag, reserved);
}

extern "C" grpc_event grpc_completion_queue_next(grpc_completion_queue* queue,
                                                 gpr_timespec deadline, void* reserved) {
  static auto* const original =
      Original<decltype(grpc_completion_queue_next)>("grpc_completion_queue_next");
  const grpc_event event = original(queue, deadline, reserved);
  if (event.type == GRPC_OP_COMPLETE) __tsan_acquire(event.tag);
  return event;
}

extern "C" grpc_event grpc_completion_queue_pluck(grpc_completion_queue* queue, void* tag,
                                                  gpr_timespec deadline, void* reserved) {
  static auto* const original =
      Original<decltype(grpc_completion_queue_pluck)>("grpc_completion_queue_pluck");
  const grpc_event event = original(queue, tag, deadline, reserved);
  if (event.type == GRPC_OP_COMPLETE) __tsan_acquire(event.tag);
  return event;
}
