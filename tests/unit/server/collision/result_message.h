// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Parts of results as a client reads them.
#ifndef WARPYARD_TESTS_UNIT_SERVER_COLLISION_RESULT_MESSAGE_H_
#define WARPYARD_TESTS_UNIT_SERVER_COLLISION_RESULT_MESSAGE_H_

#include "gtest/gtest.h"
#include "server/collision/result_bytes.h"
#include "server/rpc/wire.h"
#include "warpyard/v1/collision_service.pb.h"

namespace warpyard::test_support {

/// The part as bytes, parsed.
inline v1::CollisionResult MessageOf(const server::ResultPart& part) {
  server::BufferPool buffers(0);
  grpc::ByteBuffer bytes =
      server::ResultBytes(v1::StepResponse(), v1::StepResponse::kResultFieldNumber, part, buffers);
  v1::StepResponse response;
  EXPECT_TRUE(server::Parse(&bytes, &response).ok());
  return response.result();
}

}  // namespace warpyard::test_support

#endif  // WARPYARD_TESTS_UNIT_SERVER_COLLISION_RESULT_MESSAGE_H_
