// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Malformed requests: each is refused with the right code, and the server works as before.

#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <functional>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/e2e/test_server.h"

namespace warpyard {
namespace {

using test_support::Bytes;
using test_support::CallRaw;
using test_support::Doubles;
using test_support::kServicePath;
using test_support::NewContext;
using test_support::SquareEnd;
using test_support::SquareMesh;
using test_support::SquareStep;
using test_support::TestServer;

using Random = std::mt19937;

/// Bytes that this process has in memory.
std::size_t ResidentBytes() {
  std::ifstream statm("/proc/self/statm");
  std::size_t total = 0;
  std::size_t resident = 0;
  statm >> total >> resident;
  return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

std::string RandomBytes(Random& random, std::size_t size) {
  std::string bytes(size, '\0');
  for (char& byte : bytes) byte = static_cast<char>(random());
  return bytes;
}

/// Sets wrong values in some of the fields that every kind of job has.
void BreakOptions(Random& random, v1::CollisionOptions* collision, v1::JobOptions* job) {
  switch (random() % 10) {
    case 0:
      collision->set_report(static_cast<v1::Report>(4 + random() % 1000));
      break;
    case 1:
      collision->set_root_finder(static_cast<v1::RootFinder>(-1 - static_cast<int>(random() % 9)));
      break;
    case 2:
      collision->set_tolerance(random() % 2 == 0 ? -1.0 : std::numeric_limits<double>::quiet_NaN());
      break;
    case 3:
      collision->set_max_intervals(100'000'001 + static_cast<std::uint32_t>(random() % 1'000'000));
      break;
    case 4:
      job->mutable_deadline()->set_seconds(-static_cast<std::int64_t>(random()));
      job->mutable_deadline()->set_nanos(-1);
      break;
    case 5:
      job->set_tenant(16 + static_cast<std::uint32_t>(random() % 1'000'000));
      break;
    case 6:
      collision->set_traversal(static_cast<v1::Traversal>(8 + random() % 1000));
      break;
    case 7:
      collision->set_bounding_volume(v1::BOUNDING_VOLUME_ORIENTED_BOXES);
      break;
    case 8:
      collision->set_rebuild_factor(random() % 2 == 0 ? -1.0
                                                      : std::numeric_limits<double>::quiet_NaN());
      break;
    default:
      job->set_priority(static_cast<v1::Priority>(5 + random() % 1000));
  }
}

void BreakPositions(Random& random, v1::Positions* positions) {
  std::string* data = positions->mutable_data();
  switch (random() % 5) {
    case 0:
      data->resize(data->size() - 1 - random() % 20);
      break;
    case 4:
      positions->set_scalar_type(v1::SCALAR_TYPE_QUANTIZED16);
      positions->set_data(RandomBytes(random, 24));
      for (std::size_t i = random() % 5; i > 0; --i) positions->mutable_box()->add_low(2);
      for (std::size_t i = random() % 5; i > 0; --i) positions->mutable_box()->add_high(1);
      break;
    case 1:
      positions->set_scalar_type(static_cast<v1::ScalarType>(random() % 2 == 0 ? 0 : 77));
      break;
    case 2:
      data->clear();
      break;
    default:
      *positions = Doubles({0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1,
                            random() % 2 == 0 ? std::numeric_limits<double>::infinity() : 1e300});
  }
}

void BreakMesh(Random& random, v1::TriangleMesh* mesh) {
  switch (random() % 5) {
    case 0:
      BreakPositions(random, mesh->mutable_positions());
      break;
    case 1:
      mesh->mutable_triangles()->resize(random() % 24 / 12 * 12 + 1 + random() % 11);
      break;
    case 2:
      mesh->set_triangles(Bytes<std::uint32_t>(
          {0, 1, 4 + static_cast<std::uint32_t>(random() % 0xFFFFFFF0), 0, 2, 3}));
      break;
    case 3:
      mesh->set_triangles(Bytes<std::uint32_t>({0, 1, 2, 3, 3, 0}));
      break;
    default:
      mesh->set_vertex_groups(RandomBytes(random, 1 + random() % 15));
  }
}

/// A request and its method.
struct Request {
  std::string method;
  std::string bytes;
};

Request BrokenRequest(Random& random, const std::string& scene) {
  v1::DetectRequest detect;
  *detect.mutable_mesh() = SquareMesh();
  *detect.mutable_end() = SquareEnd();
  v1::StepRequest step = SquareStep(scene);
  *step.mutable_start() = SquareEnd();
  v1::OpenSceneRequest open;
  *open.mutable_mesh() = SquareMesh();
  switch (random() % 8) {
    case 0:
      BreakMesh(random, open.mutable_mesh());
      return {"OpenScene", open.SerializeAsString()};
    case 1:
      open.set_group_rule(static_cast<v1::GroupRule>(4 + random() % 100));
      return {"OpenScene", open.SerializeAsString()};
    case 2:
      BreakMesh(random, detect.mutable_mesh());
      return {"Detect", detect.SerializeAsString()};
    case 3:
      BreakOptions(random, detect.mutable_collision(), detect.mutable_job());
      return {"Detect", detect.SerializeAsString()};
    case 4:
      BreakPositions(random, random() % 2 == 0 ? step.mutable_end() : step.mutable_start());
      return {"Step", step.SerializeAsString()};
    case 5:
      step.set_scene("scene-" + std::to_string(random()));
      return {"Step", step.SerializeAsString()};
    case 6:
      (random() % 2 == 0 ? step.mutable_end_pose() : step.mutable_start_pose())
          ->set_matrices(RandomBytes(random, random() % 200));
      return {"Step", step.SerializeAsString()};
    default: {
      v1::CloseSceneRequest close;
      close.set_scene(std::string(random() % 2000, 'x'));
      return {"CloseScene", close.SerializeAsString()};
    }
  }
}

/// Bytes that may or may not be a message: truncated, changed, random, or with a length of
/// gigabytes.
Request BrokenBytes(Random& random, const std::string& scene) {
  Request request = BrokenRequest(random, scene);
  std::string& bytes = request.bytes;
  switch (random() % 4) {
    case 0:
      bytes.resize(random() % (bytes.size() + 1));
      break;
    case 1:
      for (int i = 0; i < 5 && !bytes.empty(); ++i) {
        bytes[random() % bytes.size()] = static_cast<char>(random());
      }
      break;
    case 2:
      bytes = RandomBytes(random, random() % 5000);
      break;
    default:
      bytes = std::string("\x0a\xff\xff\xff\xff\x07", 6) + RandomBytes(random, 50);
  }
  return request;
}

class MalformedTest : public ::testing::Test {
 protected:
  grpc::Status Send(const Request& request) {
    std::string response;
    return CallRaw(server_->channel(), kServicePath + request.method, request.bytes, &response);
  }

  void ExpectServes() {
    v1::StepResponse response;
    const auto context = NewContext();
    const grpc::Status status = server_->stub().Step(context.get(), SquareStep(scene_), &response);
    EXPECT_TRUE(status.ok()) << status.error_message();
  }

  const std::unique_ptr<TestServer> server_ = TestServer::WithRealEngine();
  const std::string scene_ = server_->Open(SquareMesh());
};

TEST_F(MalformedTest, HundredRandomRequestsAreRefusedWithTheRightCode) {
  Random random(2026);
  for (int i = 0; i < 100; ++i) {
    const Request request = BrokenRequest(random, scene_);
    const grpc::Status status = Send(request);
    EXPECT_THAT(status.error_code(),
                ::testing::AnyOf(grpc::StatusCode::INVALID_ARGUMENT, grpc::StatusCode::NOT_FOUND))
        << i << " " << request.method << ": " << status.error_message();
    EXPECT_THAT(status.error_message(), ::testing::HasSubstr(": "));
  }
  ExpectServes();
}

TEST_F(MalformedTest, RandomBytesAreRefused) {
  Random random(7);
  for (int i = 0; i < 300; ++i) {
    // After a cut or a change the message may still be valid, even for the open scene.
    EXPECT_THAT(Send(BrokenBytes(random, scene_)).error_code(),
                ::testing::AnyOf(grpc::StatusCode::INVALID_ARGUMENT, grpc::StatusCode::NOT_FOUND,
                                 grpc::StatusCode::OK));
  }
  const grpc::Status status = Send({"Step", "\xff\xff\xff"});
  EXPECT_EQ(status.error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_EQ(status.error_message(), "the request is not a valid warpyard.v1.StepRequest message");
  ExpectServes();
}

TEST_F(MalformedTest, MemoryStaysWhereItWas) {
  Random random(99);
  const auto round = [&] {
    for (int i = 0; i < 100; ++i) {
      Send(BrokenRequest(random, scene_));
      Send({"Detect", RandomBytes(random, 100'000)});
      // Only the last triangle is malformed, so the large request is refused late.
      v1::DetectRequest detect;
      *detect.mutable_mesh() = SquareMesh();
      std::string* triangles = detect.mutable_mesh()->mutable_triangles();
      const std::string valid = *triangles;
      while (triangles->size() < 2'000'000) triangles->append(valid);
      triangles->append(Bytes<std::uint32_t>({0, 1, 9}));
      EXPECT_EQ(Send({"Detect", detect.SerializeAsString()}).error_code(),
                grpc::StatusCode::INVALID_ARGUMENT);
    }
  };
  round();
  const std::size_t before = ResidentBytes();
  round();
  EXPECT_LT(ResidentBytes(), before + (std::size_t{16} << 20));
  ExpectServes();
}

TEST_F(MalformedTest, StreamsEndAtTheFirstMalformedStep) {
  Random random(5);
  for (int i = 0; i < 30; ++i) {
    const auto context = NewContext();
    const auto stream = server_->stub().StreamSteps(context.get());
    v1::StreamStepsRequest request;
    *request.mutable_step() = SquareStep(scene_);
    stream->Write(request);
    BreakOptions(random, request.mutable_step()->mutable_collision(),
                 request.mutable_step()->mutable_job());
    for (int more = 0; more < 3; ++more) stream->Write(request);
    stream->WritesDone();
    v1::StreamStepsResponse response;
    EXPECT_TRUE(stream->Read(&response));
    EXPECT_FALSE(stream->Read(&response));
    EXPECT_EQ(stream->Finish().error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  }
  ExpectServes();
}

TEST_F(MalformedTest, BytesThatAreNotHttpAreIgnored) {
  Random random(3);
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(server_->server().port()));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  for (int i = 0; i < 20; ++i) {
    const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    ASSERT_GE(socket, 0);
    ASSERT_EQ(connect(socket, reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
    std::string bytes = i % 2 == 0 ? "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" : "";
    bytes += RandomBytes(random, 3000);
    // The server may close the connection before it has read everything.
    static_cast<void>(!send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL));
    close(socket);
  }
  ExpectServes();
}

}  // namespace
}  // namespace warpyard
