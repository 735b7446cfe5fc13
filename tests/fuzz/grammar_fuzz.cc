// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Fuzzes the parser, the compiler and the interpreter of grammars with libFuzzer.
//
// The input is up to three files, divided by bytes 0xFF. What compiles is derived on the calling
// thread with little memory, so that limits are reached, too. CMakeLists.txt beside this file says
// how to build and run it.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/support/grammar/derive_driver.h"

namespace {

using warpyard::grammar::SourceFile;

std::vector<SourceFile> FilesOf(const std::uint8_t* data, std::size_t size) {
  std::vector<SourceFile> files = {{"a.wyg", ""}};
  for (std::size_t i = 0; i < size; ++i) {
    if (data[i] == 0xFF && files.size() < 3) {
      files.push_back({files.size() == 1 ? "b.wyg" : "c.wyg", ""});
    } else {
      files.back().text.push_back(static_cast<char>(data[i]));
    }
  }
  return files;
}

void Derive(warpyard::grammar::CompiledCode code, bool coarse) {
  static warpyard::device::CpuBackend backend(1, 0);
  static warpyard::test_support::GrammarWorkers workers(1);
  auto grammar = warpyard::grammar::Grammar::Open(backend, std::move(code));
  if (!grammar.ok()) return;
  warpyard::grammar::DeriveOptions options = warpyard::test_support::Lots(2, 9, 6, 7);
  options.max_bytes = 16 << 20;
  options.max_depth = 32;
  options.max_instances = 10'000;
  if (coarse) options.on_limit = warpyard::grammar::OnLimit::kCoarse;
  options.take = [](warpyard::grammar::DerivedBatch, const warpyard::procedure::CancelToken&) {
    return absl::OkStatus();
  };
  (*grammar)->Derive(workers, options, warpyard::procedure::CancelToken()).status().IgnoreError();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::vector<SourceFile> files = FilesOf(data, size);
  warpyard::grammar::Diagnostics diagnostics(files);
  warpyard::grammar::CompiledCode code =
      warpyard::grammar::CompileFiles(files, diagnostics, warpyard::procedure::CancelToken());
  for (const auto& diagnostic : diagnostics.Sorted()) TextOf(diagnostic);
  if (!diagnostics.HasErrors()) Derive(std::move(code), size % 2 == 0);
  return 0;
}
