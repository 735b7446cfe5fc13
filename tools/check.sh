#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Warpyard Authors
# SPDX-License-Identifier: Apache-2.0

# Runs every check that is not a test: formatting, include layers, sizes, duplicates, the names of unit
# tests, headers alone, scripts, fences.
# Usage: tools/check.sh [--format]    --format rewrites the sources instead of complaining
set -euo pipefail
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
cd "$root"

failed=()

# Runs one check and remembers whether it failed.
check() {
  local name="$1"
  shift
  "$@" || failed+=("$name")
}

# Lists the files of the project (with one of the given suffixes), each ended by NUL.
files() {
  python3 tools/source_tree.py "$@"
}

format() {
  if ! clang-format --version 2>/dev/null | grep -q 'version 14\.'; then
    echo "formatting: clang-format 14 is not installed (tools/setup.sh check installs it)" >&2
    return 1
  fi
  files .h .cc .cuh .cu | xargs -0 clang-format --style=file "$@" && echo "formatting: ok"
}

scripts() {
  local bad=0
  while IFS= read -r -d '' file; do
    bash -n "$file" || bad=1
    [[ -x $file ]] || { echo "$file is not executable" >&2; bad=1; }
  done < <(files .sh; printf '.ci/run\0')
  if command -v shellcheck >/dev/null; then
    { files .sh; printf '.ci/run\0'; } | xargs -0 shellcheck --severity=warning || bad=1
  fi
  [[ $bad -eq 0 ]] && echo "scripts: ok"
}

# Complains of lines that match a pattern. Usage: refuse NAME PATTERN WHY [SUFFIX...]
refuse() {
  local name="$1" pattern="$2" why="$3" found
  shift 3
  found="$(files "$@" | xargs -0 grep -nIE "$pattern" || true)"
  if [[ -n $found ]]; then
    printf '%s\n%s: the lines above %s\n' "$found" "$name" "$why" >&2
    return 1
  fi
  echo "$name: ok"
}

# Paths of a machine must not be in files of the project.
paths() {
  refuse paths '(^|[^A-Za-z0-9_.{}$-])/(work|root|home/[a-z]+)/' 'name folders of one machine'
}

# ThreadSanitizer does not see what stand-alone fences order (docs/adr/0002), and clang++ does not
# warn of them.
fences() {
  refuse fences '\batomic_(thread|signal)_fence\b' 'have stand-alone fences' .h .cc .cuh .cu
}

# Configures again, because CMake reads what headers include. Huge pages: see tools/test.sh.
headers() {
  cmake --preset release >/dev/null
  GLIBC_TUNABLES=glibc.malloc.hugetlb=1 cmake --build build/release --target check_headers &&
    echo "headers alone: ok"
}

if [[ ${1-} == --format ]]; then
  format -i
  exit
fi
check formatting format --dry-run --Werror
check layering python3 tools/check_layering.py
check sizes python3 tools/check_sizes.py
check duplicates python3 tools/check_duplicates.py
check mirror python3 tools/check_mirror.py
check scripts scripts
check paths paths
check fences fences
check headers headers
if [[ ${#failed[@]} -gt 0 ]]; then
  echo "check: failed: ${failed[*]}" >&2
  exit 1
fi
echo "check: all ok"
