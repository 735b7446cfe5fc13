#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Warpyard Authors
# SPDX-License-Identifier: Apache-2.0

"""TLS: certificates of the server and of clients, and files that change."""

import shutil
import sys
import time
from pathlib import Path

import grpc

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import processes  # noqa: E402
from processes import CLI, run  # noqa: E402
from security.callers import Client, scene  # noqa: E402
from security.case import SecurityTest  # noqa: E402
from security.identities import Authority, new_token, token_entry, write_tenants  # noqa: E402

Code = grpc.StatusCode
PYTHON_CLIENTS = processes.SOURCE / "client_examples/python"


class Tls(SecurityTest):
    def setUp(self):
        if shutil.which("openssl") is None:
            self.skipTest("openssl is not installed")
        super().setUp()
        self.authority = Authority(self.folder)
        self.pem, self.key = self.authority.sign("warpyard.test", "server")
        self.flags = ["--tls-cert", self.pem, "--tls-key", self.key]

    def credentials(self, certificate=None, key=None, authority=None):
        return grpc.ssl_channel_credentials(
            (authority or self.authority).pem.read_bytes(), key and key.read_bytes(),
            certificate and certificate.read_bytes())

    def assert_no_connection(self, server, credentials):
        channel = self.channel(server, credentials)
        with self.assertRaises(grpc.RpcError) as raised:
            Client(channel, None).collision.OpenScene(scene(), timeout=10)
        self.assertEqual(raised.exception.code(), Code.UNAVAILABLE)

    def test_encrypts(self):
        server = self.start(*self.flags)
        client = Client(self.channel(server, self.credentials()), None)
        client.close(client.open())
        self.assert_no_connection(server, None)
        self.assert_no_connection(server, self.credentials(authority=Authority(self.folder, "x")))

    def test_clients_need_certificates_of_the_authority(self):
        write_tenants(self.tenants, {"name": "robots", "number": 3,
                                     "certificates": ["robots.test"]})
        server = self.start(*self.flags, "--tls-client-ca", self.authority.pem,
                            "--tokens", self.tenants)
        robots = Client(self.channel(server, self.credentials(
            *self.authority.sign("robots.test"))), None)
        robots.close(robots.open(tenant=3))
        unknown = Client(self.channel(server, self.credentials(
            *self.authority.sign("others.test"))), None)
        self.assert_refused(Code.UNAUTHENTICATED, unknown.open, "missing")
        self.assert_no_connection(server, self.credentials())
        self.assert_no_connection(server, self.credentials(
            *self.authority.sign("robots.test", "old", expired=True)))
        foreign = Authority(self.folder, "foreign")
        self.assert_no_connection(server, self.credentials(
            *foreign.sign("robots.test", "forged")))

    def test_a_new_authority_of_clients_is_taken(self):
        trusted = self.folder / "trusted.pem"
        shutil.copy(self.authority.pem, trusted)
        server = self.start(*self.flags, "--tls-client-ca", trusted)
        first = Client(self.channel(server, self.credentials(*self.authority.sign("a.test"))), None)
        name = first.open()
        newer = Authority(self.folder, "newer")
        mine = newer.sign("b.test", "newcomer")
        self.assert_no_connection(server, self.credentials(*mine))
        shutil.copy(newer.pem, trusted)
        self.wait_until_it_comes_in(server, self.credentials(*mine))
        first.close(name)  # the connection from before goes on
        self.assert_no_connection(server, self.credentials(*self.authority.sign("a.test", "late")))

    def wait_until_it_comes_in(self, server, credentials):
        give_up = time.monotonic() + processes.PATIENCE_S
        while True:
            client = Client(self.channel(server, credentials), None)
            try:
                return client.close(client.open())
            except grpc.RpcError:
                self.assertLess(time.monotonic(), give_up)
                time.sleep(0.5)

    def test_a_new_certificate_is_taken(self):
        server = self.start(*self.flags)
        first = Client(self.channel(server, self.credentials()), None)
        name = first.open()
        newer = Authority(self.folder, "newer")
        pem, key = newer.sign("warpyard.test", "renewed")
        shutil.copy(key, self.key)
        shutil.copy(pem, self.pem)
        self.wait_until_it_comes_in(server, self.credentials(authority=newer))
        first.close(name)  # the connection from before goes on

    def test_clients_of_all_kinds_come_in(self):
        token = new_token()
        write_tenants(self.tenants, {"name": "all", "number": 1, "tokens": [token_entry(token)]})
        server = self.start(*self.flags, "--tokens", self.tenants)
        file = self.folder / "token"
        file.write_text(token + "\n", encoding="ascii")
        meshes = processes.write_meshes(self.folder)
        flags = ["--server", server.address, "--tls-ca", self.authority.pem, "--token-file", file]
        for command in ([CLI, "collide"], ["/usr/bin/python3", PYTHON_CLIENTS / "warpyard_collide.py"]):
            shown = run(*command, *meshes, *flags)
            self.assertEqual(shown.returncode, 0, shown.stderr)
            self.assertIn("earliest", shown.stdout)
            shown = run(*command, *meshes, *flags[:4])
            self.assertEqual(shown.returncode, 1)
            self.assertIn("send a bearer token", shown.stderr)
            shown = run(*command, *meshes, *flags[:2])
            self.assertIn("pass --tls-ca", shown.stderr)
            shown = run(*command, *meshes, *flags[:4], "--token-file", self.folder / "none")
            self.assertIn("--token-file", shown.stderr)
            shown = run(*command, *meshes, "--server", "192.0.2.1:1", "--token-file", file)
            self.assertIn("others could read it", shown.stderr)


if __name__ == "__main__":
    processes.main()
