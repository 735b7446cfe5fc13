#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Warpyard Authors
# SPDX-License-Identifier: Apache-2.0

# Installs what is missing, builds, starts a server on loopback, and streams a scene through it.
# Usage: tools/demo.sh                 a cloth that falls on a ball: 20 steps
#        tools/demo.sh START END       one step between two frames of a mesh (PLY or OBJ)
set -euo pipefail
started_in="$PWD"
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"

if [[ $# -ne 0 && $# -ne 2 ]]; then
  echo "usage: tools/demo.sh [START END]" >&2
  exit 2
fi
for file in "$@"; do
  if [[ ! -r $file ]]; then
    echo "demo: cannot read $file" >&2
    exit 2
  fi
done

cd "$root"
tools/setup.sh build python
[[ -e build/release/build.ninja ]] || cmake --preset release
# Also builds what "First steps" of README.md needs.
cmake --build --preset release --parallel "$(nproc)" \
  --target warpyard-server warpyard-demo warpyard warpyard_proto_python

log="$(mktemp)"
server=""
stop_server() {
  if [[ -n $server ]]; then
    kill -TERM "$server" 2>/dev/null || true
    wait "$server" || echo "demo: the server ended with status $?" >&2
    server=""
  fi
}
trap 'stop_server; rm -f "$log"' EXIT

build/release/bin/warpyard-server --listen 127.0.0.1:0 --metrics 127.0.0.1:0 >"$log" 2>&1 &
server=$!

# Waits for the line that says where the server listens.
address=""
for _ in $(seq 300); do
  address="$(sed -n 's/^warpyard-server: listening on \([^ ,]*\).*/\1/p' "$log")"
  [[ -n $address ]] && break
  if ! kill -0 "$server" 2>/dev/null; then
    break
  fi
  sleep 0.1
done
if [[ -z $address ]]; then
  echo "demo: the server did not start; it said:" >&2
  cat "$log" >&2
  exit 1
fi
grep '^warpyard-server: listening on' "$log"

cd "$started_in"
status=0
"$root/build/release/bin/warpyard-demo" --server "$address" "$@" || status=$?
exit "$status"
