#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Warpyard Authors
# SPDX-License-Identifier: Apache-2.0

# Installs the Debian packages of tools/packages.txt that are missing; does nothing when all are
# there. Usage: tools/setup.sh [SET...], the sets being build, python and check (default: all).
set -euo pipefail
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"

# Prints the packages of the wanted sets, one a line.
wanted_packages() {
  awk -v sets=" $* " '!/^#/ && NF == 2 && index(sets, " " $1 " ") {print $2}' \
    "$root/tools/packages.txt"
}

# Prints the given packages that are not installed.
missing_packages() {
  comm -23 <(printf '%s\n' "$@" | sort -u) \
    <(dpkg-query -W -f '${db:Status-Abbrev}${Package}\n' "$@" 2>/dev/null |
      sed -n 's/^ii  *//p' | sort -u)
}

give_up() {
  {
    echo "setup: $1"
    echo "setup: these packages are missing:"
    printf '  %s\n' "${missing[@]}"
    echo "setup: install them with"
    echo "  apt-get install --no-install-recommends ${missing[*]}"
  } >&2
  exit 1
}

# Runs apt-get as root; its output goes to $log.
as_root_apt_get() {
  local as_root=()
  if [[ $EUID -ne 0 ]]; then
    as_root=(sudo)
  fi
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -y -q \
    -o Dpkg::Use-Pty=0 -o Acquire::Retries=2 "$@" >>"$log" 2>&1
}

main() {
  local sets=("$@")
  if [[ ${#sets[@]} -eq 0 ]]; then
    sets=(build python check)
  fi
  if ! command -v dpkg-query >/dev/null; then
    echo "setup: this is no Debian system; install the counterparts of tools/packages.txt and" \
      "build with cmake --preset release" >&2
    exit 1
  fi
  mapfile -t packages < <(wanted_packages "${sets[@]}")
  mapfile -t missing < <(missing_packages "${packages[@]}")
  # A CUDA toolkit brings libcu++ itself.
  if [[ -e /usr/local/cuda/include/cccl/cuda/atomic ]]; then
    mapfile -t missing < <(printf '%s\n' "${missing[@]}" | grep -vxF -e 'libcu++-dev' -e '')
  fi
  if [[ ${#missing[@]} -eq 0 ]]; then
    return
  fi
  if [[ $EUID -ne 0 ]]; then
    command -v sudo >/dev/null || give_up "not root, and there is no sudo"
    if ! sudo -n true 2>/dev/null && [[ ! -t 0 ]]; then
      give_up "not root, and sudo wants a password but there is no terminal"
    fi
  fi
  log="$(mktemp)"
  trap 'rm -f "$log"' EXIT
  echo "setup: installing ${#missing[@]} Debian packages: ${missing[*]}" >&2
  # Package lists may be missing or old. Without a network the old ones may suffice.
  as_root_apt_get update || true
  if ! as_root_apt_get install --no-install-recommends "${missing[@]}"; then
    grep -E '^(W|E):' "$log" | head -n 4 >&2
    give_up "apt-get could not install them (its first complaints are above); is this machine offline?"
  fi
}

main "$@"
