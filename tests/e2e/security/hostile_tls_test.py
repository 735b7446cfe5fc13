#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Warpyard Authors
# SPDX-License-Identifier: Apache-2.0

"""Handshakes of TLS that are never finished, against a server with few descriptors."""

import os
import shutil
import socket
import ssl
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import processes  # noqa: E402
from security.frames import EndlessRequest  # noqa: E402
from security.hostile import FILES, HostileTest  # noqa: E402
from security.identities import (  # noqa: E402
    Authority, new_token, token_entry, write_tenants)

HALF_OPEN = 1_000


def client_hello():
    """The first message of a client."""
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    context = ssl.create_default_context()
    context.set_alpn_protocols(["h2"])
    client = context.wrap_bio(incoming, outgoing, server_hostname="localhost")
    try:
        client.do_handshake()
    except ssl.SSLWantReadError:
        pass
    return outgoing.read()


class HalfOpenHandshakes(HostileTest):
    def flags(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        authority = Authority(folder.name)
        self.authority = authority.pem.read_bytes()
        certificate, key = authority.sign("warpyard.test", "server")
        return ["--tls-cert", str(certificate), "--tls-key", str(key)]

    def test_end_wherever_they_stop(self):
        hello = client_hello()
        before, memory = self.known.slowest(), self.server.resident_mib()
        held = [self.connect(part) for part in (b"", hello[:3], hello[:100], hello)
                for _ in range(HALF_OPEN // 4)]
        self.assertLess(self.known.slowest(), max(3 * before, 0.5))
        self.assertLessEqual(self.server.files(), FILES)
        self.wait_until_closed()  # by the server: the clients hold them open
        self.assertLess(self.server.resident_mib(), memory + 128)
        self.assert_recovers()
        for one in filter(None, held):
            one.close()

    def test_end_where_they_are_nonsense(self):
        hello = client_hello()
        for i in range(200):
            nonsense = bytearray(hello)
            nonsense[i % len(hello)] ^= 1 + i % 255
            for data in (bytes(nonsense), os.urandom(600), b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"):
                connection = self.connect(data)
                if connection is not None:
                    connection.close()
        self.known.call()
        self.assertIsNone(self.server.process.poll())
        self.assert_recovers()


class Strangers(HostileTest):
    """They reach the port with TLS, and have no token."""

    def flags(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        authority = Authority(folder.name)
        self.authority = authority.pem.read_bytes()
        certificate, key = authority.sign("warpyard.test", "server")
        self.token, tenants = new_token(), Path(folder.name, "tenants.json")
        write_tenants(tenants, {"name": "known", "number": 1, "tokens": [token_entry(self.token)],
                                "rights": {"metrics": True}})
        return ["--tls-cert", str(certificate), "--tls-key", str(key), "--tokens", str(tenants)]

    def connect_with_tls(self):
        context = ssl.create_default_context(cadata=self.authority.decode())
        context.set_alpn_protocols(["h2"])
        return context.wrap_socket(socket.create_connection(self.server.socket_address),
                                   server_hostname="localhost")

    def test_are_refused_before_their_requests_are_read(self):
        memory = self.server.resident_mib()
        for _ in range(20):
            request = EndlessRequest(self.connect_with_tls, 200 << 20)
            request.send(190 << 20)
            self.assertTrue(request.refused)
            self.assertLess(request.sent, 8 << 20)
            request.close()
            self.known.call()
        self.assertLess(self.server.resident_mib(), memory + 64)
        self.assertEqual(self.server.metric("warpyard_callers_refused_total"), 20)


if __name__ == "__main__":
    if shutil.which("openssl") is None:
        print("openssl is not installed")
        sys.exit(processes.SKIPPED)
    processes.main()
