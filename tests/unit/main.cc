// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The main function of unit tests. Arguments that are no options are source files of the
// executable: their tests run and no others. So one executable serves several tests of ctest.
#include <gmock/gmock.h>

#include <algorithm>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

namespace {

/// All tests of the executable.
std::vector<const testing::TestInfo*> Tests() {
  std::vector<const testing::TestInfo*> tests;
  const auto& all = *testing::UnitTest::GetInstance();
  for (int i = 0; i < all.total_test_suite_count(); ++i) {
    const testing::TestSuite& suite = *all.GetTestSuite(i);
    for (int j = 0; j < suite.total_test_count(); ++j) tests.push_back(suite.GetTestInfo(j));
  }
  return tests;
}

/// Names all tests of the given files, as a filter; empty after a complaint.
std::string FilterOf(const std::vector<std::string>& files) {
  std::vector<std::string> left = files;
  std::string filter;
  for (const testing::TestInfo* test : Tests()) {
    if (!std::string_view(test->file()).ends_with(".cc")) {
      // No file would run it.
      std::cerr << test->file() << ": tests of several files need an executable of their own\n";
      return "";
    }
    if (std::find(files.begin(), files.end(), test->file()) == files.end()) continue;
    std::erase(left, test->file());
    if (!filter.empty()) filter += ':';
    filter.append(test->test_suite_name()).append(".").append(test->name());
  }
  if (left.empty()) return filter;
  std::cerr << left.front() << ": no test is in this file\n";
  return "";
}

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleMock(&argc, argv);
  if (argc > 1) {
    const std::string given = GTEST_FLAG_GET(filter);
    if (given != "*" && !given.starts_with('-')) {
      std::cerr << "with files, a filter can only leave out tests\n";
      return 2;
    }
    const std::string filter = FilterOf({argv + 1, argv + argc});
    if (filter.empty()) return 2;
    GTEST_FLAG_SET(filter, given == "*" ? filter : filter + given);
  }
  return RUN_ALL_TESTS();
}
