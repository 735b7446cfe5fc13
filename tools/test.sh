#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Warpyard Authors
# SPDX-License-Identifier: Apache-2.0

# Installs what is missing, builds, and runs tests. The last line counts the tests.
# Usage: tools/test.sh          the functional tests
#        tools/test.sh --all    with all seeds (WARPYARD_LONG=1), tests of benchmarks and research,
#                               tests under ThreadSanitizer, and the checks of tools/check.sh
#        tools/test.sh REGEX    only the tests whose names match, of all kinds that are built
set -euo pipefail
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
cd "$root"
jobs="$(nproc)"

# Builds with a preset. Compilers allocate much memory; with huge pages for it, clang++ and nvcc take
# a tenth less time. Tests do not get huge pages, since some of them measure memory.
build_preset() {
  GLIBC_TUNABLES=glibc.malloc.hugetlb=1 cmake --build --parallel "$jobs" --preset "$@"
}

# Builds a target with the release preset.
build() {
  [[ -e build/release/build.ninja ]] || cmake --preset release
  build_preset release --target "$1"
}

# Tests run side by side, but those with the property RUN_SERIAL alone. A test that computes counts
# as two processors, a script that mostly waits as one.
run_preset() {
  ctest --parallel "$((2 * jobs))" --no-label-summary --preset "$@"
}

run_tests() {
  run_preset release "$@"
}

functional() {
  tools/setup.sh build python
  build warpyard_tests
  run_tests "$@"
}

# Prints again which tests of a build folder failed and what they complained of: the end of a long
# log is often all that is kept of it.
complaints() {
  local folder="$1/Testing/Temporary"
  cat "$folder/LastTestsFailed.log" 2>/dev/null || return 0
  grep -hE -A 6 'ThreadSanitizer: |: Failure$|^Error|Traceback' "$folder/LastTest.log" |
    cut -c 1-300 | head -n 80 || true
}

# A failure does not stop the rest, so that one run shows everything that is wrong.
all() {
  local failed=() log build_log
  tools/setup.sh
  cmake --preset release -DWARPYARD_BUILD_BENCHMARKS=ON -DWARPYARD_BUILD_RESEARCH=ON
  build all
  tools/check.sh || failed+=("checks")
  [[ -e build/cpu-tsan/build.ninja ]] || cmake --preset cpu-tsan
  # Many tests mostly wait. Meanwhile compilers run, but only where no test wants the processor.
  build_log="$(mktemp)"
  { chrt --idle --pid 0 "$BASHPID" || true; build_preset cpu-tsan; } >"$build_log" 2>&1 &
  log="$(mktemp)"
  WARPYARD_LONG=1 run_tests | tee "$log" || failed+=("tests")
  wait "$!" || failed+=("the build with ThreadSanitizer: $(tail -n 20 "$build_log")")
  rm -f "$build_log"
  run_preset cpu-tsan || failed+=("tests under ThreadSanitizer")
  if [[ ${#failed[@]} -gt 0 ]]; then
    complaints build/cpu-tsan >&2
    complaints build/release >&2
    printf 'test: failed: %s\n' "${failed[@]}" >&2
  fi
  grep 'tests passed' "$log"
  rm -f "$log"
  [[ ${#failed[@]} -eq 0 ]]
}

case "${1-}" in
  '') functional --label-exclude '^(benchmarks|research)$' ;;
  --all) all ;;
  -*) echo "usage: tools/test.sh [--all | REGEX]" >&2; exit 2 ;;
  *) functional --tests-regex "$1" ;;
esac
