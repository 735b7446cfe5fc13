// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// What goes into a derivation and what comes out of it.
#ifndef WARPYARD_CORE_WORKLOAD_GRAMMAR_GRAMMAR_TYPES_H_
#define WARPYARD_CORE_WORKLOAD_GRAMMAR_GRAMMAR_TYPES_H_

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "core/base/phase_times.h"
#include "core/memory/host_vector.h"
#include "core/procedure/event_runner.h"
#include "core/workload/grammar/limits.h"

namespace warpyard::grammar {

/// The meshes that every grammar has, all within the unit cube. The first of a grammar's own meshes
/// comes after them.
enum class BuiltInMesh : std::uint16_t {
  kBox,       ///< the cube
  kQuad,      ///< the square at z = 0, which faces z
  kCylinder,  ///< along y
  kPrism,     ///< along z; its section is a triangle with the base y = 0 and the top (0.5, 1)
  kTriangle,  ///< at z = 0, with a right angle: (0, 0), (1, 0) and (1, 1)
};
inline constexpr std::uint16_t kBuiltInMeshes = 5;

/// A mesh in the unit cube that a grammar names. @shape asset: a file's name, or empty
struct MeshInfo {
  std::string name;
  std::string asset;
  std::uint32_t vertices = 0;
  std::uint32_t triangles = 0;
};

struct AttributeInfo {
  std::string name;
  float value = 0;  ///< where nobody gives one
  float least = 0;  ///< of the allowed values
  float most = 0;
};

/// Values for attributes. @shape values: (position in GrammarInfo::attributes, value)
struct StyleInfo {
  std::string name;
  std::vector<std::pair<std::uint32_t, float>> values;
};

struct GrammarInfo {
  std::vector<std::string> stages;
  std::vector<std::string> rules;
  std::vector<MeshInfo> meshes;  ///< the built-in ones first
  std::vector<std::string> materials;
  std::vector<AttributeInfo> attributes;
  std::vector<StyleInfo> styles;
  std::vector<std::string> reports;
  std::uint32_t instructions = 0;
};

/// A terminal of a derivation: a mesh, moved from the unit cube to its place. Little-endian, as it
/// is on the wire.
///
/// A corner c of the mesh is at position + rotation * (size * c). Negative sizes mirror.
struct alignas(16) Instance {
  float position[3];       ///< metres
  float rotation[4];       ///< a unit quaternion: x, y, z, w
  float size[3];           ///< metres
  std::uint16_t mesh;      ///< in GrammarInfo::meshes
  std::uint16_t material;  ///< in GrammarInfo::materials
  std::uint32_t building;  ///< position of its parcel in the request
  std::uint32_t color;     ///< red, green, blue and alpha, from the least byte on
  std::uint16_t rule;      ///< in GrammarInfo::rules
  std::uint16_t flags;     ///< kCoarse...
  std::uint64_t key;       ///< of the path from the start; instances of a building are in its order
};
static_assert(sizeof(Instance) == 64);

/// The instance stands for all that its rule would have made: it is small on the screen, or a limit
/// was reached.
inline constexpr std::uint16_t kCoarse = 1;

/// A place for one building: a box, whose least corner is at `position` before it is rotated about
/// that corner.
struct Parcel {
  float position[3] = {0, 0, 0};     ///< metres
  float rotation[4] = {0, 0, 0, 1};  ///< a unit quaternion: x, y, z, w
  float size[3] = {1, 1, 1};         ///< metres
  /// Random choices depend on it, and on the seed of the request.
  std::uint64_t id = 0;
};

/// @shape values: one for all parcels, or one for each
struct AttributeColumn {
  std::uint32_t attribute = 0;  ///< in GrammarInfo::attributes
  std::vector<float> values;
};

/// What a camera sees.
struct View {
  float position[3] = {0, 0, 0};
  /// Half spaces: a point p is inside where x px + y py + z pz + w >= 0 for all of them.
  std::vector<std::array<float, 4>> planes;
  /// The height in pixels of 1 m at a distance of 1 m.
  float pixels = 1000;
  /// A rule with @lod(d) ends where d metres are less than so many pixels.
  float least_pixels = 1;
  /// Leaves out buildings that opaque volumes of others hide.
  bool hide_occluded = false;
};

/// In ordinary memory; instances without a value are not initialised.
using Instances = memory::HostVector<Instance>;

/// What happens where a limit is reached.
enum class OnLimit : std::uint8_t {
  kFail,
  kCoarse,  ///< coarse instances stand for what would be too much
};

struct DerivedBatch;
/// Gets batches in the order of buildings. An error ends the derivation. It may wait for whoever
/// reads the batches, but no longer than until the token is cancelled.
using TakeBatch = std::function<absl::Status(DerivedBatch, const procedure::CancelToken&)>;

struct DeriveOptions {
  std::uint64_t seed = 0;
  std::vector<Parcel> parcels;
  std::vector<AttributeColumn> attributes;
  std::optional<View> view;
  OnLimit on_limit = OnLimit::kFail;
  std::uint32_t max_depth = kMostDepth;
  std::uint64_t max_instances = std::uint64_t{1} << 28;
  /// Of device memory for what is derived at a time.
  std::uint64_t max_bytes = std::uint64_t{1} << 30;
  /// The same while it suffices for each building alone. Less makes more and smaller batches.
  std::uint64_t batch_bytes = ~std::uint64_t{0};
  bool keeps_memory = false;  ///< all of it, since the next derivation comes soon
  TakeBatch take;             ///< null: instances are only counted
  /// What instances and errors call the parcels; empty: by their positions here. Increasing.
  std::vector<std::uint32_t> numbers;
  bool wants_slack = false;  ///< of DerivedBatch
};

/// Instances of some buildings: those of a building together, in order.
struct DerivedBatch {
  std::uint32_t first_building = 0;  ///< position among the parcels that are derived: where
                                     ///< View::hide_occluded is set, the visible ones alone
  std::uint32_t buildings = 0;
  Instances instances;
  /// Of each building: metres that the camera of the view can move, in any direction, while no rule
  /// with @lod is decided otherwise. Infinity: none has asked. Empty unless asked for.
  std::vector<float> slack;
};

/// What a view shows otherwise than the view before it. Increasing positions of parcels.
struct ViewChange {
  std::vector<std::uint32_t> hidden;   ///< were shown, and are not any more
  std::vector<std::uint32_t> changed;  ///< are derived; what was shown of them before goes
  std::uint32_t kept = 0;              ///< buildings that are shown as before
};
/// Gets the change, and then its instances, building by building. An error ends the derivation.
struct TakeView {
  std::function<absl::Status(const ViewChange&, const procedure::CancelToken&)> change;
  TakeBatch batch;  ///< as DeriveOptions::take
};

/// What a rule did.
struct RuleStatistics {
  std::uint64_t symbols = 0;    ///< how often it was executed
  std::uint64_t terminals = 0;  ///< instances that it made
  std::uint64_t dropped = 0;    ///< scopes, instances, volumes and reports with bad numbers
  std::uint64_t clamped = 0;    ///< bad numbers of operators that others replaced
};

struct DeriveStatistics {
  std::uint64_t nodes = 0;      ///< rules that were executed
  std::uint64_t terminals = 0;  ///< instances
  std::uint64_t coarse = 0;     ///< of these, coarse ones
  std::uint64_t triangles = 0;  ///< of the meshes of all instances
  std::uint32_t buildings = 0;  ///< that were derived
  std::uint32_t culled = 0;     ///< buildings that the view does not show
  std::uint32_t occluded = 0;   ///< of these, buildings that others hide
  std::uint32_t kept = 0;       ///< buildings that an earlier view has shown like that
  std::uint32_t batches = 0;
  std::uint64_t checksum = 0;      ///< of all instances; does not depend on their order
  std::uint64_t memory_bytes = 0;  ///< of the device, most at a time
  std::vector<RuleStatistics> rules;
  /// Sums of report, of each building: [buildings][GrammarInfo::reports]
  std::vector<double> reports;
  PhaseTimes phases;
};

}  // namespace warpyard::grammar

#endif  // WARPYARD_CORE_WORKLOAD_GRAMMAR_GRAMMAR_TYPES_H_
