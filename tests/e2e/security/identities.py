# SPDX-FileCopyrightText: 2026 The Warpyard Authors
# SPDX-License-Identifier: Apache-2.0

"""Certificates by the openssl command, tokens, and files of tenants, for tests."""

import hashlib
import json
import os
import secrets
import subprocess
from pathlib import Path

KEY = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]


def _openssl(*words):
    subprocess.run(["openssl", *map(str, words)], check=True, capture_output=True)


class Authority:
    """Signs certificates; all files lie in one folder."""

    def __init__(self, folder, name="authority"):
        self.folder, self.name = Path(folder), name
        self.pem, self._key = self.folder / f"{name}.pem", self.folder / f"{name}.key"
        _openssl("req", "-x509", *KEY, "-keyout", self._key, "-out", self.pem, "-days", 2,
                 "-subj", f"/CN={name}")

    def sign(self, name, file=None, expired=False, only_name=False):
        """Returns the files of a new certificate and its key.

        Its DNS names are the name and, unless only_name, those of this machine.
        """
        file = file or name
        pem, key = self.folder / f"{file}.pem", self.folder / f"{file}.key"
        request, names = self.folder / f"{file}.csr", self.folder / f"{file}.names"
        local = "" if only_name else ",DNS:localhost,IP:127.0.0.1"
        names.write_text(f"subjectAltName=DNS:{name}{local}", encoding="ascii")
        _openssl("req", *KEY, "-keyout", key, "-out", request, "-subj", f"/CN={name}")
        if expired:
            self._sign_expired(request, pem, names)
        else:
            _openssl("x509", "-req", "-in", request, "-CA", self.pem, "-CAkey", self._key,
                     "-CAcreateserial", "-days", 2, "-out", pem, "-extfile", names)
        return pem, key

    def _sign_expired(self, request, pem, names):
        # The command `x509` knows no dates in the past, but `ca` does.
        settings = self.folder / "ca.conf"
        (self.folder / "index.txt").write_text("", encoding="ascii")
        (self.folder / "serial").write_text(secrets.token_hex(8), encoding="ascii")
        settings.write_text(
            f"[ca]\ndefault_ca=own\n[own]\ndatabase={self.folder}/index.txt\n"
            f"serial={self.folder}/serial\nnew_certs_dir={self.folder}\ndefault_md=sha256\n"
            "policy=any\n[any]\ncommonName=supplied\n", encoding="ascii")
        _openssl("ca", "-batch", "-config", settings, "-in", request, "-out", pem, "-notext",
                 "-cert", self.pem, "-keyfile", self._key, "-startdate", "20200101000000Z",
                 "-enddate", "20200102000000Z", "-extfile", names)


def new_token():
    return secrets.token_urlsafe(32)


def token_entry(token, **more):
    return {"sha256": hashlib.sha256(token.encode()).hexdigest(), **more}


def write_tenants(path, *tenants):
    """Replaces the file at once, as an operator should, so that no server reads half of it."""
    new = Path(f"{path}.new")
    new.write_text(json.dumps({"tenants": tenants}), encoding="utf-8")
    os.replace(new, path)
