#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Warpyard Authors
# SPDX-License-Identifier: Apache-2.0

# Installs the Debian packages of a folder, and does what an operator does in the first ten minutes:
# TLS and a token, the service's command line, jobs from C++ and Python, the metrics in Prometheus.
# Then it builds the project CONSUMER, if it is named, with the package for developers.
# Every step is timed. Run it as root in a bare Debian 12 root; docs/packages.md has the same steps.
# Usage: tools/try_packages.sh FOLDER [CONSUMER]     CONSUMER: a copy of tests/packages/consumer
#        tools/try_packages.sh --unpacked ROOT       of packages that were unpacked there; as any user
set -eEuo pipefail
usage="usage: tools/try_packages.sh FOLDER [CONSUMER] | --unpacked ROOT"
debs="" consumer="" root=""
if [[ ${1-} == --unpacked ]]; then
  root="$(cd "${2:?$usage}" && pwd)"
  export PATH="$root/usr/bin:$PATH" PYTHONPATH="$root/usr/lib/python3/dist-packages"
else
  debs="$(cd "${1:?$usage}" && pwd)"
  consumer="${2:+$(cd "$2" && pwd)}"
fi
here="$(mktemp -d)"
chmod 755 "$here"
cd "$here"
started=()
name="the start"
trap 'echo "try_packages: failed: $name" >&2' ERR
trap 'kill "${started[@]}" 2>/dev/null || true; wait; rm -rf "$here"' EXIT

# Runs a step and tells how long it took.
step() {
  local begin
  name="$1"
  shift
  begin="$(date +%s%N)"
  "$@"
  printf '%-52s %7.2f s\n' "$name" "$(awk "BEGIN {print ($(date +%s%N) - $begin) / 1e9}")"
}

# Waits until a command succeeds, for a minute.
wait_for() {
  local begin=$SECONDS
  while ((SECONDS - begin < 60)); do
    if timeout 10 "$@" >/dev/null 2>&1; then return; fi
    sleep 0.2
  done
  echo "try_packages: '$*' did not succeed within a minute" >&2
  exit 1
}

install_packages() {
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends \
    "$debs"/warpyard-server_*.deb "$debs"/warpyard-client_*.deb python3-grpcio python3-protobuf \
    prometheus openssl curl >/dev/null 2>&1
}

make_certificate() {
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 30 -keyout key.pem \
    -out cert.pem -subj /CN=localhost -addext subjectAltName=DNS:localhost,IP:127.0.0.1 2>/dev/null
  chmod 644 key.pem
}

make_token() {
  local text
  text="$(warpyard token --tenant me)"
  head -1 <<<"$text" >token
  python3 - "$text" >tenants.json <<'EOF'
import json, sys
file = json.loads(sys.argv[1].partition("\n")[2])
file["tenants"][0]["rights"] = {"metrics": True}  # for Prometheus
print(json.dumps(file))
EOF
}

# Ports that are free now: of the server, of its metrics, of Prometheus.
choose_ports() {
  read -r grpc metrics web < <(python3 - <<'EOF'
import socket
listeners = [socket.create_server(("127.0.0.1", 0)) for _ in range(3)]
print(*(listener.getsockname()[1] for listener in listeners))
EOF
  )
  server=(--server "127.0.0.1:$grpc" --tls-ca cert.pem)
}

# The command line of the unit; as the user nobody, if this is root.
start_server() {
  local flags=(--listen "127.0.0.1:$grpc" --metrics "127.0.0.1:$metrics" --tls-cert "$here/cert.pem"
               --tls-key "$here/key.pem" --tokens "$here/tenants.json")
  local as=()
  if [[ $EUID == 0 && -z $root ]]; then as=(setpriv --reuid=65534 --regid=65534 --clear-groups); fi
  "${as[@]}" warpyard-server --check "${flags[@]}"
  "${as[@]}" warpyard-server "${flags[@]}" >server.log 2>&1 &
  started+=($!)
  wait_for warpyard health "${server[@]}"
}

job_from_cpp() {
  printf 'v 0 0 0\nv 4 0 0\nv 0 4 0\nv 1 1 1\nv 1.5 1 2\nv 1 1.5 2\nf 1 2 3\nf 4 5 6\n' >start.obj
  printf 'v 0 0 0\nv 4 0 0\nv 0 4 0\nv 1 1 -1\nv 1.5 1 1\nv 1 1.5 1\nf 1 2 3\nf 4 5 6\n' >end.obj
  warpyard collide start.obj end.obj "${server[@]}" --token-file token
}

job_from_python() {
  /usr/bin/python3 "$root/usr/share/warpyard/python/robot_cell.py" "${server[@]}" --token-file token
}

start_prometheus() {
  cat >prometheus.yaml <<EOF
global: {scrape_interval: 1s, evaluation_interval: 1s}
rule_files: [$root/usr/share/warpyard/prometheus/rules/*.yaml]
scrape_configs:
  - job_name: warpyard
    basic_auth: {username: prometheus, password_file: $here/token}
    static_configs: [{targets: ["127.0.0.1:$metrics"]}]
EOF
  prometheus --config.file=prometheus.yaml --storage.tsdb.path=data \
    --web.listen-address="127.0.0.1:$web" >prometheus.log 2>&1 &
  started+=($!)
  wait_for curl -fsS http://127.0.0.1:$web/-/ready
  for _ in $(seq 60); do
    if sees_jobs; then return; fi
    sleep 0.5
  done
  echo "try_packages: Prometheus shows no job" >&2
  exit 1
}

sees_jobs() {
  curl -fsS http://127.0.0.1:$web/api/v1/query --data-urlencode \
    'query=sum(warpyard_jobs_finished_total{outcome="ok"})' | grep -q '"value":\[[0-9.]*,"[1-9]'
}

install_for_developers() {
  DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends \
    "$debs"/libwarpyard-dev_*.deb g++ cmake ninja-build pkg-config >/dev/null 2>&1
}

build_consumer() {
  cmake -S "$consumer" -B consumer -G Ninja >consumer.log && cmake --build consumer >>consumer.log
  ./consumer/engine
}

begin="$(date +%s)"
if [[ -n $debs ]]; then step "install the packages" install_packages; fi
choose_ports
step "make a certificate" make_certificate
step "make a token" make_token
step "check and start the server" start_server
step "a job from the command line" job_from_cpp
step "jobs from Python" job_from_python
step "start Prometheus, and see the jobs in it" start_prometheus
if [[ -n $consumer ]]; then
  step "install the package for developers" install_for_developers
  step "a project that uses it" build_consumer
fi
echo "try_packages: all in $(($(date +%s) - begin)) s"
