// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Scene names that clients hold -> scenes of the engine, with expiry.
#ifndef WARPYARD_SERVER_JOBS_RESIDENT_TABLE_H_
#define WARPYARD_SERVER_JOBS_RESIDENT_TABLE_H_

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/base/ids.h"

namespace warpyard::server {

/// A name that nobody can guess, since who has it may use the scene: "scene-" and 128 random bits.
std::string RandomSceneName();

/// Scenes by name. Thread-safe.
///
/// A scene that has not been used for `ttl` expires: it is taken out and handed to `close`. A scene
/// in use (see Use) does not expire.
class SceneTable {
 public:
  using Close = std::function<void(SceneId)>;
  using Clock = std::function<absl::Time()>;

  struct Scene {
    SceneId id;
    /// As many as each step must bring positions.
    std::size_t vertices = 0;
    /// As many as each pose must bring matrices; 0: steps bring positions.
    std::uint32_t bodies = 0;
  };

  /// Keeps its scene from expiring; the time to live starts anew when it is destroyed.
  using Use = std::shared_ptr<const Scene>;

  /// `close` runs without a lock held, on the caller of RemoveExpired.
  SceneTable(absl::Duration ttl, Close close, Clock clock = absl::Now);

  /// Returns the name of the new scene.
  std::string Add(const Scene& scene);

  /// @errors NOT_FOUND
  absl::StatusOr<Use> Find(const std::string& name);

  /// Takes a scene out, which the caller then closes. Uses of it stay valid.
  /// @errors NOT_FOUND
  absl::StatusOr<SceneId> Remove(const std::string& name);

  /// Closes the scenes that have expired and returns their number.
  std::size_t RemoveExpired();

  std::size_t size() const;

 private:
  struct Entry;

  const absl::Duration ttl_;
  const Close close_;
  const Clock clock_;
  mutable std::mutex mutex_;
  std::map<std::string, std::shared_ptr<Entry>> entries_;  // guarded by mutex_
};

/// A thread that removes a table's expired scenes once a second until it is destroyed.
class SceneSweeper {
 public:
  explicit SceneSweeper(SceneTable& scenes);
  ~SceneSweeper();

 private:
  void Run(SceneTable& scenes);

  std::mutex mutex_;
  std::condition_variable stopped_;
  bool stop_ = false;  // guarded by mutex_
  std::thread thread_;
};

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_JOBS_RESIDENT_TABLE_H_
