// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/admission/byte_budget.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "server/errors/error_details.h"

namespace warpyard::server {
namespace {

constexpr std::size_t kBytesPerMebibyte = std::size_t{1} << 20;

}  // namespace

absl::StatusOr<ByteBudget::Hold> ByteBudget::Take(std::size_t bytes) {
  std::size_t used = used_.load(std::memory_order_relaxed);
  do {
    if (bytes > limit_ || used > limit_ - bytes) {
      return MakeError(bytes > limit_ ? ErrorReason::kLimitExceeded : wording_.full,
                       absl::StrCat(wording_.noun, ": ", used, " bytes ", wording_.held,
                                    ", and this one has ", bytes, "; the limit is ",
                                    limit_ / kBytesPerMebibyte, " MiB (", wording_.flag, ")"));
    }
  } while (!used_.compare_exchange_weak(used, used + bytes, std::memory_order_relaxed));
  taken_.fetch_add(bytes, std::memory_order_relaxed);
  return Hold(this, [bytes](ByteBudget* budget) {
    budget->used_.fetch_sub(bytes, std::memory_order_relaxed);
  });
}

}  // namespace warpyard::server
