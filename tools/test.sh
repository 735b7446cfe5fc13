#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Warpyard Authors
# SPDX-License-Identifier: Apache-2.0

# Installs what is missing, builds, and runs every check and test. The last line counts the tests.
# Usage: tools/test.sh [REGEX]    only the tests whose names match, and no checks
set -euo pipefail
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
cd "$root"

tools/setup.sh
jobs="$(nproc)"
[[ -e build/release/build.ninja ]] || cmake --preset release
cmake --build --preset release --parallel "$jobs"

if [[ $# -gt 0 ]]; then
  exec ctest --preset release --tests-regex "$1"
fi

# A failure does not stop the rest: one run tells everything that is wrong.
failed=()
tools/check.sh || failed+=("checks")
[[ -e build/cpu-tsan/build.ninja ]] || cmake --preset cpu-tsan
cmake --build --preset cpu-tsan --parallel "$jobs"
ctest --preset cpu-tsan --no-label-summary || failed+=("tests under ThreadSanitizer")

log="$(mktemp)"
trap 'rm -f "$log"' EXIT
ctest --preset release --no-label-summary | tee "$log" || failed+=("tests")
if [[ ${#failed[@]} -gt 0 ]]; then
  printf 'test: failed: %s\n' "${failed[@]}" >&2
fi
grep 'tests passed' "$log"
[[ ${#failed[@]} -eq 0 ]]
