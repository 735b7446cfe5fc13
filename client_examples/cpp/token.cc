// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// warpyard token [--tenant NAME] [--number N]: a new bearer token, and its line for --tokens.

#include <openssl/sha.h>
#include <sys/random.h>

#include <array>
#include <cstdint>
#include <iostream>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/escaping.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "client_examples/cpp/command.h"
#include "client_examples/support/command_line.h"

namespace warpyard::cli {
namespace {

using client_support::Flag;

constexpr std::size_t kTokenBytes = 32;
constexpr std::uint32_t kMostNumber = 15;

struct TokenArguments {
  std::string tenant = "tenant";
  std::uint32_t number = 1;
};

std::vector<Flag> TokenFlags(TokenArguments& arguments) {
  const auto is_name = [&arguments](const std::string& word) {
    arguments.tenant = word;
    return !word.empty() && word.size() <= 64 && word.find_first_of("\"\\") == std::string::npos;
  };
  const auto is_number = [&arguments](const std::string& word) {
    return absl::SimpleAtoi(word, &arguments.number) && arguments.number <= kMostNumber;
  };
  return {{"--tenant", "NAME", "whose token it is (default tenant)",
           "1 to 64 characters without quotes", is_name},
          {"--number", "N", "the tenant's number for the scheduler (default 1)",
           absl::StrCat("a number from 0 to ", kMostNumber), is_number}};
}

}  // namespace

std::string TokenHelp() {
  TokenArguments defaults;
  return absl::StrCat(
      "usage: warpyard token [FLAG VALUE]...\n"
      "\n"
      "Makes a random token. Prints it on the first line: give it to the client, as the content "
      "of\n"
      "the file of --token-file. Prints a tenant for the file of warpyard-server --tokens after "
      "it:\n"
      "that has only the token's SHA-256, so that the server's file tells nobody the token.\n"
      "\n",
      client_support::FlagsHelp(TokenFlags(defaults)),
      "\n"
      "Exit status: 0 done, 1 the system gave no random numbers, 2 wrong usage.\n");
}

int RunToken(const std::vector<std::string>& words) {
  TokenArguments arguments;
  const auto others = client_support::ParseFlags(TokenFlags(arguments), words);
  if (!others.ok()) return FailUsage(others.status(), "token");
  if (!others->empty()) {
    return FailUsage(
        absl::InvalidArgumentError(absl::StrCat("token: ", others->front(), ": flags only")),
        "token");
  }
  std::array<char, kTokenBytes> random;
  if (getrandom(random.data(), random.size(), 0) != static_cast<ssize_t>(random.size())) {
    return Fail(absl::UnavailableError("token: the system gave no random numbers"), kExitRefused);
  }
  const std::string token =
      absl::WebSafeBase64Escape(absl::string_view(random.data(), random.size()));
  std::string digest(SHA256_DIGEST_LENGTH, '\0');
  SHA256(reinterpret_cast<const unsigned char*>(token.data()), token.size(),
         reinterpret_cast<unsigned char*>(digest.data()));
  std::cout << token << "\n{\"tenants\": [{\"name\": \"" << arguments.tenant
            << "\", \"number\": " << arguments.number << ", \"tokens\": [{\"sha256\": \""
            << absl::BytesToHexString(digest) << "\"}]}]}\n";
  return 0;
}

}  // namespace warpyard::cli
