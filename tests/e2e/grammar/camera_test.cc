// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// GrammarService.FollowCamera over gRPC.
#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <memory>
#include <string>

#include "tests/e2e/grammar/grammar_server.h"

namespace warpyard::test_support {
namespace {

// Details end at 50 m, where one pixel is 1 m.
constexpr char kRows[] = R"(
wyg 1;
start Lot;
@lod(1) rule Lot = repeat(y, 3) { repeat(x, 2) { box } };
)";

v1::GrammarView ViewAt(float x, float least_x = -1000) {
  v1::GrammarView view;
  for (const float p : {x, 2.0f, -5.0f}) view.add_position(p);
  for (const float p : {1.0f, 0.0f, 0.0f, -least_x}) view.add_planes(p);
  view.set_pixels(50);
  return view;
}

/// Parcels along x.
v1::DeriveGrammarRequest LotsAlongX(const std::string& grammar, int parcels) {
  v1::DeriveGrammarRequest city;
  city.set_grammar(grammar);
  for (int i = 0; i < parcels; ++i) {
    v1::GrammarParcel& parcel = *city.add_parcels() = ParcelOf(8, 9, 8);
    for (const float p : {10.0f * static_cast<float>(i), 0.0f, 0.0f}) parcel.add_position(p);
  }
  return city;
}

/// A client that follows a camera, and has the instances of what it shows.
class Follower {
 public:
  explicit Follower(GrammarServer& server) : stream_(server.stub().FollowCamera(context_.get())) {}

  void Open(v1::DeriveGrammarRequest city, const v1::GrammarView& view) {
    *city.mutable_view() = view;
    v1::FollowCameraRequest request;
    *request.mutable_city() = std::move(city);
    stream_->Write(request);
  }
  void Send(const v1::GrammarView& view) {
    v1::FollowCameraRequest request;
    *request.mutable_view() = view;
    stream_->Write(request);
  }
  /// Applies an answer. False: there is none.
  bool Read() {
    changed = hidden = 0;
    v1::FollowCameraPart part;
    while (stream_->Read(&part)) {
      for (const std::uint32_t building : part.hidden()) {
        EXPECT_EQ(shown_.erase(building), 1u) << building;
      }
      for (const std::uint32_t building : part.changed()) shown_[building].clear();
      hidden += part.hidden_size();
      changed += part.changed_size();
      for (std::size_t i = 0; i < part.instances().size(); i += 64) {
        std::uint32_t building = 0;
        std::memcpy(&building, part.instances().data() + i + 44, sizeof building);
        shown_.at(building).append(part.instances(), i, 64);
      }
      view = part.view();
      if (!part.has_statistics()) continue;
      statistics = part.statistics();
      return true;
    }
    return false;
  }
  std::string Instances() const {
    std::string all;
    for (const auto& [building, instances] : shown_) all += instances;
    return all;
  }
  void End() { stream_->WritesDone(); }
  void Cancel() { context_->TryCancel(); }
  grpc::Status Finish() { return stream_->Finish(); }

  // Of the last answer.
  int changed = 0, hidden = 0;
  std::uint64_t view = 0;
  v1::DeriveStatistics statistics;

 private:
  const std::unique_ptr<grpc::ClientContext> context_ = NewContext(absl::Seconds(100));
  const std::unique_ptr<grpc::ClientReaderWriter<v1::FollowCameraRequest, v1::FollowCameraPart>>
      stream_;
  std::map<std::uint32_t, std::string> shown_;
};

TEST(FollowCamera, GivesWhatDeriveGrammarGives) {
  GrammarServer server;
  const v1::DeriveGrammarRequest city = LotsAlongX(server.NameOf(kRows), 30);
  Follower follower(server);
  follower.Open(city, ViewAt(0));
  for (int i = 0; i < 20; ++i) {
    const v1::GrammarView view = ViewAt(static_cast<float>(7 * i), static_cast<float>(10 * i) - 40);
    if (i != 0) follower.Send(view);
    if (i == 0) {
      ASSERT_TRUE(follower.Read());
      continue;
    }
    ASSERT_TRUE(follower.Read());
    EXPECT_EQ(follower.view, static_cast<std::uint64_t>(i));
    EXPECT_LT(follower.changed, 10) << "most buildings stay as they are";
    v1::DeriveGrammarRequest whole = city;
    *whole.mutable_view() = view;
    const DerivedCity derived = server.Derive(whole);
    ASSERT_TRUE(derived.status.ok());
    EXPECT_EQ(follower.Instances(), derived.instances) << i;
  }
  follower.End();
  EXPECT_FALSE(follower.Read());
  EXPECT_TRUE(follower.Finish().ok());
}

TEST(FollowCamera, LeavesOutWhatOthersHide) {
  GrammarServer server;
  const std::string grammar =
      server.NameOf("wyg 1; start Lot; rule Lot = size(0, rand(7, 9), 0) volume(house) box;");
  const v1::DeriveGrammarRequest city = LotsAlongX(grammar, 30);
  Follower follower(server);
  std::uint32_t occluded = 0;
  for (int i = 0; i < 10; ++i) {
    // In a gap between two houses.
    v1::GrammarView view = ViewAt(static_cast<float>(30 * i - 1));
    view.set_position(2, 4);
    view.set_hide_occluded(true);
    i == 0 ? follower.Open(city, view) : follower.Send(view);
    ASSERT_TRUE(follower.Read());
    v1::DeriveGrammarRequest whole = city;
    *whole.mutable_view() = view;
    const DerivedCity derived = server.Derive(whole);
    ASSERT_TRUE(derived.status.ok());
    EXPECT_EQ(follower.Instances(), derived.instances) << i;
    EXPECT_EQ(follower.statistics.occluded(), derived.statistics.occluded());
    occluded += follower.statistics.occluded();
  }
  EXPECT_GT(occluded, 10u);
  follower.End();
  EXPECT_FALSE(follower.Read());
  EXPECT_TRUE(follower.Finish().ok());
}

TEST(FollowCamera, SkipsViewsThatANewerOneOvertakes) {
  GrammarServer server;
  Follower follower(server);
  follower.Open(LotsAlongX(server.NameOf(kRows), 30), ViewAt(0));
  constexpr int kViews = 200;
  for (int i = 1; i <= kViews; ++i) follower.Send(ViewAt(static_cast<float>(i)));
  follower.End();
  int answers = 0;
  while (follower.Read()) ++answers;
  EXPECT_EQ(follower.view, std::uint64_t{kViews}) << "the last one is answered";
  EXPECT_LE(answers, kViews + 1);
  EXPECT_TRUE(follower.Finish().ok());
}

TEST(FollowCamera, KeepsWhatDoesNotChange) {
  GrammarServer server;
  Follower follower(server);
  follower.Open(LotsAlongX(server.NameOf(kRows), 30), ViewAt(0));
  ASSERT_TRUE(follower.Read());
  EXPECT_EQ(follower.changed, 30);
  follower.Send(ViewAt(0));
  ASSERT_TRUE(follower.Read());
  EXPECT_EQ(follower.changed, 0);
  EXPECT_EQ(follower.statistics.kept(), 30u);
  EXPECT_EQ(follower.statistics.terminals(), 0u);
  follower.Send(ViewAt(0, 151));
  ASSERT_TRUE(follower.Read());
  EXPECT_EQ(follower.hidden, 15);
  EXPECT_EQ(follower.statistics.culled(), 15u);
}

TEST(FollowCamera, NamesWhatIsWrong) {
  GrammarServer server;
  const std::string grammar = server.NameOf(kRows);
  const auto error_of = [&](auto&& send) {
    Follower follower(server);
    send(follower);
    EXPECT_FALSE(follower.Read());
    return follower.Finish();
  };
  const grpc::Status no_city = error_of([&](Follower& f) { f.Send(ViewAt(0)); });
  EXPECT_EQ(no_city.error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_NE(no_city.error_message().find("city"), std::string::npos) << no_city.error_message();
  const grpc::Status unknown =
      error_of([&](Follower& f) { f.Open(LotsAlongX("none", 1), ViewAt(0)); });
  EXPECT_EQ(unknown.error_code(), grpc::StatusCode::NOT_FOUND);
  const grpc::Status nothing = error_of([](Follower& f) { f.Send({}); });
  EXPECT_EQ(nothing.error_code(), grpc::StatusCode::INVALID_ARGUMENT);

  Follower follower(server);
  follower.Open(LotsAlongX(grammar, 3), ViewAt(0));
  ASSERT_TRUE(follower.Read());
  v1::GrammarView bad = ViewAt(0);
  bad.add_planes(1);
  follower.Send(bad);
  EXPECT_FALSE(follower.Read());
  const grpc::Status status = follower.Finish();
  EXPECT_EQ(status.error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_NE(status.error_message().find("view.planes"), std::string::npos);
}

TEST(FollowCamera, EndsWithItsClient) {
  GrammarServer server;
  const std::string grammar = server.NameOf(kRows);
  for (const bool reads : {true, false}) {
    Follower follower(server);
    follower.Open(LotsAlongX(grammar, 2000), ViewAt(0));
    if (reads) {
      ASSERT_TRUE(follower.Read());
    }
    follower.Cancel();
    while (follower.Read()) {
    }
    EXPECT_EQ(follower.Finish().error_code(), grpc::StatusCode::CANCELLED);
  }
  // A call that has ended holds neither the grammar nor the engine.
  EXPECT_TRUE(server.Close(grammar).ok());
  EXPECT_TRUE(server.Derive(LotsAlongX(server.NameOf(kRows), 3)).status.ok());
}

TEST(FollowCamera, EndsWhereNoViewComes) {
  server::ServerOptions options = TestOptions();
  options.resident_ttl = absl::Milliseconds(300);
  GrammarServer server(options);
  Follower follower(server);
  follower.Open(LotsAlongX(server.NameOf(kRows), 3), ViewAt(0));
  ASSERT_TRUE(follower.Read());
  EXPECT_FALSE(follower.Read());
  const grpc::Status status = follower.Finish();
  EXPECT_EQ(status.error_code(), grpc::StatusCode::DEADLINE_EXCEEDED);
  EXPECT_NE(status.error_message().find("--resident-ttl"), std::string::npos);
}

TEST(FollowCamera, AnswersAndEndsWhenTheServerDrains) {
  auto server = std::make_unique<GrammarServer>();
  Follower follower(*server);
  follower.Open(LotsAlongX(server->NameOf(kRows), 3), ViewAt(0));
  ASSERT_TRUE(follower.Read());
  server->test().server().BeginDrain();
  EXPECT_FALSE(follower.Read());
  EXPECT_EQ(follower.Finish().error_code(), grpc::StatusCode::UNAVAILABLE);
}

}  // namespace
}  // namespace warpyard::test_support
