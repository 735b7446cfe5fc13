#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Warpyard Authors
# SPDX-License-Identifier: Apache-2.0

"""Servers on other machines need TLS: HAProxy between clients and servers that speak it."""

import shutil
import sys
import tempfile
import time
import unittest
import urllib.parse
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import processes  # noqa: E402
from processes import CLI, SOURCE, run  # noqa: E402
from scaling.proxy import HAPROXY, Proxy  # noqa: E402
from security.identities import Authority, new_token, token_entry, write_tenants  # noqa: E402

TOWER = SOURCE / "client_examples/grammars/tower.wyg"


class HaproxyTlsTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.authority = Authority(self.folder)
        pem, key = self.authority.sign("warpyard.test", "server")
        both = self.folder / "both.pem"
        both.write_text(pem.read_text() + key.read_text(), encoding="ascii")
        token, tenants = new_token(), self.folder / "tenants.json"
        write_tenants(tenants, {"name": "me", "number": 1, "tokens": [token_entry(token)]})
        (self.folder / "token").write_text(token, encoding="ascii")
        self.servers = [processes.Server("--tls-cert", str(pem), "--tls-key", str(key), "--tokens",
                                         str(tenants), "--threads", "1") for _ in range(2)]
        for server in self.servers:
            self.addCleanup(server.__exit__)
        self.proxy = Proxy(folder.name, [
            (server.address, urllib.parse.urlparse(server.metrics_url).netloc)
            for server in self.servers], both, self.authority.pem)
        self.addCleanup(self.proxy.__exit__)

    def derive(self, *more):
        return run(CLI, "grammar", "derive", TOWER, "--server", self.proxy.address, "--tls-ca",
                   self.authority.pem, *more)

    def test_jobs_pass(self):
        token = ("--token-file", self.folder / "token")
        give_up = time.monotonic() + processes.PATIENCE_S
        while self.derive(*token).returncode != 0:  # HAProxy has not yet found the servers
            self.assertLess(time.monotonic(), give_up)
        for _ in range(4):
            shown = self.derive(*token)
            self.assertEqual(shown.returncode, 0, shown.stderr)
        shown = self.derive()
        self.assertEqual(shown.returncode, 1)
        self.assertIn("send a bearer token", shown.stderr)


if __name__ == "__main__":
    if HAPROXY is None or shutil.which("openssl") is None:
        print("haproxy or openssl is not installed")
        sys.exit(processes.SKIPPED)
    processes.main()
