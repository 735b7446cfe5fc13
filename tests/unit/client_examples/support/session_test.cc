// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/support/session.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "tests/unit/client_examples/support/scripted_server.h"

namespace warpyard::client_support {
namespace {

const grpc::Status kLost(grpc::NOT_FOUND, "lost"), kBusy(grpc::UNAVAILABLE, "no server"),
    kWrong(grpc::INVALID_ARGUMENT, "wrong");

class ResidentTest : public ::testing::Test {
 protected:
  Resident Make(int tries = 10) {
    Resident::Options options;
    options.tries = tries;
    options.pause = [this](absl::Duration time) { pauses_.push_back(time); };
    return Resident(
        [this](grpc::ClientContext& call, std::string& name) {
          v1::OpenSceneResponse opened;
          const grpc::Status status = stub_->OpenScene(&call, v1::OpenSceneRequest(), &opened);
          name = opened.scene();
          return status;
        },
        options);
  }

  grpc::Status Use(Resident& resident) {
    return resident.Call(kPatience,
                         [this](grpc::ClientContext& call, const Resident::Handle& handle) {
                           used_.push_back(handle.name + (handle.is_new ? " new" : ""));
                           v1::StepResponse response;
                           return stub_->Step(&call, v1::StepRequest(), &response);
                         });
  }

  static constexpr absl::Duration kPatience = absl::Seconds(60);
  ScriptedServer server_;
  const std::unique_ptr<v1::CollisionService::Stub> stub_ = v1::CollisionService::NewStub(
      grpc::CreateChannel(server_.address(), grpc::InsecureChannelCredentials()));
  std::vector<std::string> used_;
  std::vector<absl::Duration> pauses_;
};

TEST_F(ResidentTest, IsOpenedOnceWhereNothingIsLost) {
  Resident scene = Make();
  EXPECT_TRUE(Use(scene).ok());
  EXPECT_TRUE(Use(scene).ok());
  EXPECT_EQ(scene.opened(), 1);
  EXPECT_EQ(used_, (std::vector<std::string>{"scene-1 new", "scene-1"}));
  EXPECT_TRUE(pauses_.empty());
}

TEST_F(ResidentTest, IsOpenedAgainAtOnceWhereItWasLost) {
  Resident scene = Make();
  EXPECT_TRUE(Use(scene).ok());
  server_.step_answers = {kLost};
  EXPECT_TRUE(Use(scene).ok());
  EXPECT_EQ(scene.opened(), 2);
  EXPECT_EQ(used_, (std::vector<std::string>{"scene-1 new", "scene-1", "scene-2 new"}));
  EXPECT_TRUE(pauses_.empty());
}

TEST_F(ResidentTest, WaitsLongerAndLongerWhereNoServerTakesCalls) {
  Resident scene = Make();
  server_.step_answers = {kBusy};
  server_.open_answers = {grpc::Status::OK, kBusy, kBusy, kBusy, kBusy, kBusy, kBusy, kBusy};
  EXPECT_TRUE(Use(scene).ok());
  ASSERT_EQ(pauses_.size(), 8u);
  absl::Duration longest = absl::Milliseconds(50);
  for (const absl::Duration pause : pauses_) {
    EXPECT_GE(pause, longest / 2);
    EXPECT_LE(pause, longest);
    longest = std::min(2 * longest, absl::Seconds(2));
  }
}

TEST_F(ResidentTest, GivesUpWithTheLastError) {
  Resident scene = Make(3);
  server_.open_answers = {kBusy, kBusy, kBusy, kBusy};
  EXPECT_EQ(Use(scene).error_code(), grpc::UNAVAILABLE);
  EXPECT_EQ(server_.opens, 3);
  EXPECT_EQ(pauses_.size(), 2u);
  EXPECT_EQ(scene.opened(), 0);
}

TEST_F(ResidentTest, RepeatsNothingThatIsTheFaultOfTheRequest) {
  Resident scene = Make();
  server_.step_answers = {kWrong};
  EXPECT_EQ(Use(scene).error_code(), grpc::INVALID_ARGUMENT);
  EXPECT_EQ(used_.size(), 1u);
  // What the opening does not find is no resident that was lost.
  Resident model = Make();
  server_.open_answers = {kLost};
  EXPECT_EQ(Use(model).error_code(), grpc::NOT_FOUND);
  EXPECT_EQ(server_.opens, 2);
}

TEST_F(ResidentTest, ClosesWhereItIsAndMindsNoServerThatIsGone) {
  Resident scene = Make();
  std::string closed;
  const auto close = [&closed](grpc::Status status) {
    return [&closed, status](grpc::ClientContext&, const Resident::Handle& handle) {
      closed = handle.name;
      return status;
    };
  };
  EXPECT_TRUE(scene.Close(close(kWrong)).ok()) << "was never open";
  EXPECT_EQ(closed, "");
  for (const grpc::Status& gone : {kLost, kBusy}) {
    EXPECT_TRUE(Use(scene).ok());
    EXPECT_TRUE(scene.Close(close(gone)).ok());
  }
  EXPECT_EQ(closed, "scene-2");
  EXPECT_TRUE(Use(scene).ok());
  EXPECT_EQ(scene.Close(close(kWrong)).error_code(), grpc::INVALID_ARGUMENT);
}

TEST_F(ResidentTest, NamesTheServerThatHasIt) {
  Resident scene = Make();
  EXPECT_TRUE(Use(scene).ok());
  EXPECT_EQ(server_.asked, (std::vector<std::string>{"any", "b7"}));
  // Any server may open what was lost.
  server_.step_answers = {kLost};
  EXPECT_TRUE(Use(scene).ok());
  EXPECT_EQ(server_.asked, (std::vector<std::string>{"any", "b7", "b7", "any", "b7"}));
}

}  // namespace
}  // namespace warpyard::client_support
