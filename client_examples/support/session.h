// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Residents that outlive their server: opened again wherever they were lost. docs/scaling.md says
// why a client behind a proxy needs this; client_examples/python/session.py does the same.
#ifndef WARPYARD_CLIENT_EXAMPLES_SUPPORT_SESSION_H_
#define WARPYARD_CLIENT_EXAMPLES_SUPPORT_SESSION_H_

#include <functional>
#include <random>
#include <string>
#include <utility>

#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "grpcpp/grpcpp.h"

namespace warpyard::client_support {

/// A scene, a model or a compiled grammar lives in one server. A Resident knows the server of its
/// handle, repeats calls that no server could take, and opens the resident again when the server
/// has lost it.
///
///   Resident scene([&](grpc::ClientContext& call, std::string& handle) {
///     v1::OpenSceneResponse opened;
///     const grpc::Status status = stub.OpenScene(&call, open, &opened);
///     handle = opened.scene();
///     return status;
///   });
///   status = scene.Call(absl::Seconds(5), [&](grpc::ClientContext& call,
///                                             const Resident::Handle& handle) { ... });
/// @scope one thread at a time
class Resident {
 public:
  /// The name of the resident in requests.
  struct Handle {
    std::string name;
    /// No call has succeeded since the resident was opened: it is as it was when opened.
    bool is_new = true;
  };

  /// Opens the resident and tells the name of its handle.
  using OpenCall = std::function<grpc::Status(grpc::ClientContext& call, std::string& name)>;
  /// A call on the resident. It is made again for each try.
  using UseCall = std::function<grpc::Status(grpc::ClientContext& call, const Handle& handle)>;

  struct Options {
    int tries = 10;  ///< of each call, counting those that open the resident
    absl::Duration open_timeout = absl::Seconds(60);
    std::function<void(absl::Duration)> pause = [](absl::Duration time) { absl::SleepFor(time); };
  };

  explicit Resident(OpenCall open) : Resident(std::move(open), Options()) {}
  Resident(OpenCall open, Options options)
      : open_(std::move(open)), options_(std::move(options)), random_(std::random_device()()) {}

  /// Makes a call on the resident, which is opened first where it is not open.
  /// @shape timeout: of each try
  /// @errors those of the last try: UNAVAILABLE when no server could take it, and what `use`
  ///     answers otherwise
  grpc::Status Call(absl::Duration timeout, const UseCall& use);

  /// Closes the resident where it is. A server that is gone has closed it already.
  grpc::Status Close(const UseCall& close);

  /// Times that the resident was opened.
  int opened() const { return opened_; }

 private:
  grpc::Status Try(absl::Duration timeout, const UseCall& use);
  grpc::Status Open();
  void Prepare(grpc::ClientContext& call, absl::Duration timeout) const;
  void Forget();
  /// Before the next try, at random, so that clients of a lost server do not come at once.
  absl::Duration PauseAfter(int attempt);

  const OpenCall open_;
  const Options options_;
  std::mt19937 random_;
  Handle handle_;
  std::string server_;  ///< where the resident is; empty: not known
  int opened_ = 0;
};

}  // namespace warpyard::client_support

#endif  // WARPYARD_CLIENT_EXAMPLES_SUPPORT_SESSION_H_
