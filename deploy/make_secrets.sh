#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Warpyard Authors
# SPDX-License-Identifier: Apache-2.0

# Makes what a server with TLS and tokens needs, for a trial or a closed network: an authority, a
# certificate of the server, a tenant "client" that uses all workloads, and a tenant "prometheus" that
# reads the metrics. Where you have an authority, take its certificates instead.
# Usage: deploy/make_secrets.sh FOLDER [NAME...]    NAME: further DNS names or addresses of the server
#   FOLDER/authority   the authority's key: keep it to yourself
#   FOLDER/server      for the server: certificate, key, tenants (hashes of the tokens only)
#   FOLDER/clients     for clients: the authority's certificate and a token
#   FOLDER/prometheus  the token for the metrics
set -euo pipefail
umask 077
days=365

fail() {
  echo "make_secrets: $1" >&2
  exit "${2:-1}"
}

# The names of the certificate: those of the compose file and of the Kubernetes manifests, this
# machine, and those of the command line.
subject_names() {
  local name names="DNS:warpyard,DNS:warpyard.warpyard.svc,DNS:warpyard.warpyard.svc.cluster.local"
  names+=",DNS:localhost,IP:127.0.0.1"
  for name in "$@"; do
    if [[ $name =~ ^[0-9.]+$ || $name == *:* ]]; then
      names+=",IP:$name"
    else
      names+=",DNS:$name"
    fi
  done
  printf 'subjectAltName=%s\n' "$names"
}

# Runs openssl, which is silent unless it fails.
run_openssl() {
  openssl "$@" 2>log || fail "openssl $1: $(tail -n 1 log)"
}

make_certificates() {
  local new_key=(-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes)
  run_openssl req -x509 "${new_key[@]}" -days "$days" -subj "/CN=Warpyard authority" \
    -keyout authority/ca.key -out authority/ca.crt
  run_openssl req "${new_key[@]}" -subj /CN=warpyard -keyout server/tls.key -out request
  subject_names "$@" >names
  run_openssl x509 -req -in request -CA authority/ca.crt -CAkey authority/ca.key -CAcreateserial \
    -days "$days" -extfile names -out server/tls.crt
  cp authority/ca.crt server/ca.crt
  cp authority/ca.crt clients/ca.crt
}

# Writes a new token into a file, and prints its SHA-256.
make_token() {
  openssl rand -base64 32 | tr '+/' '-_' | tr -d '=\n' >"$1"
  openssl dgst -sha256 -r "$1" | cut -d ' ' -f 1
}

make_tenants() {
  local client prometheus
  client="$(make_token clients/token)"
  prometheus="$(make_token prometheus/token)"
  cat >server/tenants.json <<JSON
{"tenants": [
  {"name": "client", "number": 1, "tokens": [{"sha256": "$client"}]},
  {"name": "prometheus", "number": 15, "tokens": [{"sha256": "$prometheus"}],
   "rights": {"metrics": true, "workloads": ["load"]}}
]}
JSON
}

# The containers read their files as users of their own.
give_to_containers() {
  if chown -R 65532:65532 server 2>/dev/null && chown -R 65534:65534 prometheus 2>/dev/null; then
    return
  fi
  echo "make_secrets: not root, so the containers' users cannot read the files yet; run" >&2
  echo "  sudo chown -R 65532:65532 $folder/server && sudo chown -R 65534:65534 $folder/prometheus" >&2
}

[[ $# -ge 1 && $1 != -* ]] || fail "usage: deploy/make_secrets.sh FOLDER [NAME...]" 2
command -v openssl >/dev/null || fail "openssl is not installed"
folder="${1%/}"
shift
[[ ! -e $folder ]] || fail "$folder exists; new secrets would replace those in use"
# Under another name until all is there.
work="$(mktemp -d "$folder.XXXXXX")" || fail "cannot write beside $folder"
trap 'rm -rf "$work"' EXIT
(
  cd "$work"
  mkdir authority server clients prometheus
  make_certificates "$@"
  make_tenants
  rm -f log request names
  give_to_containers
)
mv "$work" "$folder"
trap - EXIT
echo "$folder/server, $folder/clients and $folder/prometheus are ready; put $folder/authority away"
