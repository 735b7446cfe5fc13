#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Warpyard Authors
# SPDX-License-Identifier: Apache-2.0

"""Connections that do nothing, or not what they should, against a server with few descriptors."""

import os
import socket
import struct
import sys
import time
import urllib.request
from pathlib import Path
from urllib.parse import urlparse

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import processes  # noqa: E402
from processes import SERVER, run  # noqa: E402
from security.frames import (  # noqa: E402
    CALL, CONTINUATION, HEADERS, PING, PREFACE, RST_STREAM, SETTINGS, EndlessRequest, frame, literal)
from security.hostile import FILES, FewFiles, HostileTest, Known  # noqa: E402

CONNECTIONS = 10_000
HALF_OPEN = 1_000
SLOW_SENDERS = 200
MIB = 1 << 20


class HostileClients(HostileTest):
    def test_idle_connections(self):
        before = self.known.slowest()
        memory = self.server.resident_mib()
        held = []
        for opened in range(CONNECTIONS):
            connection = self.connect()
            if connection is not None:
                held.append(connection)
            if len(held) >= 800:  # this test has few descriptors, too
                for one in held[:400]:
                    one.close()
                del held[:400]
            if opened % 1000 == 999:
                self.known.call()
        during = self.known.slowest()
        self.assertLessEqual(self.server.files(), FILES)
        self.assertGreater(self.server.metric('warpyard_connections_refused_total{reason="limit"}'),
                           CONNECTIONS / 10)
        self.assertLess(during, max(3 * before, 0.5))
        self.assertLess(self.server.resident_mib(), memory + 64)
        for one in held:
            one.close()
        self.assert_recovers()

    def test_half_open_handshakes_end(self):
        held = [self.connect(PREFACE[:9]) for _ in range(HALF_OPEN)]
        self.known.call()
        self.wait_until_closed()  # the server closes them, not the clients
        self.assert_recovers()
        for one in filter(None, held):
            one.close()

    def test_slow_senders(self):
        before = self.known.slowest()
        begin = PREFACE + frame(SETTINGS) + frame(HEADERS, 4, 1, CALL)
        message = b"\x00\x00\x00\x03\xe8" + bytes(1000)
        senders = [one for one in (self.connect(begin) for _ in range(SLOW_SENDERS)) if one]
        for i in range(20):
            for one in senders:
                try:
                    one.sendall(frame(0, 0, 1, message[i:i + 1]))
                except OSError:
                    pass
        self.assertLess(self.known.slowest(), max(3 * before, 0.5))
        for one in senders:
            one.close()
        self.assert_recovers()

    def test_requests_without_an_end_do_not_fill_the_memory(self):
        limits = ("--max-request-mib", "64", "--max-pending-mib", "64", "--max-receiving-mib", "64")
        with FewFiles(*limits) as server:
            known = Known(server)
            known.call()
            memory = server.resident_mib()
            requests = []
            for _ in range(20):
                requests.append(EndlessRequest(
                    lambda: socket.create_connection(server.socket_address), 64 * MIB))
                requests[-1].send(60 * MIB)
                known.call()
                # What is received and what is held, and room for what the heap keeps.
                self.assertLess(server.resident_mib(), memory + 64 + 64 + 96)
            sent = sum(request.sent for request in requests)
            self.assertGreater(sent, 500 * MIB, "the server took too little to show anything")
            for request in requests:
                request.close()
            self.assertLess(known.call(), processes.PATIENCE_S)
            known.channel.close()

    def test_frames_in_masses(self):
        """Floods that HTTP/2 servers have fallen to; see docs/listener.md."""
        start = PREFACE + frame(SETTINGS)
        rapid_reset = b"".join(frame(HEADERS, 5, 2 * i + 1, CALL) +
                               frame(RST_STREAM, 0, 2 * i + 1, struct.pack(">I", 8))
                               for i in range(5_000))
        long_headers = frame(HEADERS, 1, 1, CALL) + b"".join(
            frame(CONTINUATION, 0, 1, literal(b"x", b"y" * 120) * 100) for _ in range(200))
        odd_headers = [frame(HEADERS, 5, 1, CALL + literal(name, value)) for name, value in (
            (b"te", b"gzip"), (b"grpc-timeout", b"99999999999H"), (b"key-bin", b"!!!"),
            (b"grpc-encoding", b"gzip"), (b"grpc-accept-encoding", b""), (b"authorization", b"\x00"))]
        dynamic = frame(HEADERS, 5, 1, CALL + b"\x3f\xe1\xff\xff\xff\x0f" + b"\x40\x01a\x01b" * 2000)
        floods = [frame(PING, 0, 0, bytes(8)) * 20_000, frame(SETTINGS) * 20_000, rapid_reset,
                  long_headers, dynamic, os.urandom(100_000), b"GET / HTTP/1.1\r\n\r\n",
                  *odd_headers]
        # Each of the four arenas keeps what one flood needed. Later rounds need no more.
        memory = [self.server.resident_mib()]
        while len(memory) < 4 or memory[-1] > memory[-2] + 16:
            self.assertLess(len(memory), 16, f"memory grows: {memory}")
            self.flood(start, floods)
            memory.append(self.server.resident_mib())
        self.assertLess(memory[-1], 1024, memory)
        self.assertIsNone(self.server.process.poll())
        self.assert_recovers()

    def flood(self, start, floods):
        for flood in floods:
            connection = self.connect()
            try:
                connection.sendall(start + flood)
                connection.settimeout(0.2)
                while connection.recv(65536):
                    pass
            except OSError:
                pass
            connection.close()
            self.known.call()

    def test_slow_readers_of_metrics(self):
        """A scrape is answered while others send their requests a byte at a time."""
        url = urlparse(self.server.metrics_url)
        slow = []
        for _ in range(SLOW_SENDERS):
            connection = socket.socket()
            connection.settimeout(5)
            try:
                connection.connect((url.hostname, url.port))
                connection.sendall(b"GET /met")
                slow.append(connection)
            except OSError:
                connection.close()
        with urllib.request.urlopen(self.server.metrics_url, timeout=60) as response:
            self.assertIn(b"warpyard_connections", response.read())
        self.known.call()
        for connection in slow:
            connection.close()
        self.assert_recovers()

    def test_nonsense_to_the_metrics(self):
        """Neither odd requests nor clients that read nothing keep a scrape from its answer."""
        url = urlparse(self.server.metrics_url)
        floods = [b"GET /metrics HTTP/1.1\r\n" + b"X: " + b"y" * 100_000 + b"\r\n\r\n",
                  b"GET /" + b"a" * 100_000, os.urandom(10_000), PREFACE, b"\r\n" * 10_000,
                  b"POST /metrics HTTP/1.1\r\nContent-Length: 99999999999\r\n\r\n" + bytes(1000),
                  b"GET /../../etc/passwd HTTP/1.1\r\n\r\n", b"GET %00%ff HTTP/9.9\r\n\r\n",
                  b"GET /metrics HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFFF\r\n"]
        unread = b"GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n" * 500
        held = []
        for data in floods * 5 + [unread] * 20:
            connection = socket.create_connection((url.hostname, url.port), processes.PATIENCE_S)
            connection.setblocking(False)
            try:
                connection.send(data)
            except OSError:
                pass
            held.append(connection)
        with urllib.request.urlopen(self.server.metrics_url, timeout=60) as response:
            self.assertIn(b"warpyard_connections", response.read())
        self.known.call()
        for connection in held:
            connection.close()
        self.assertIsNone(self.server.process.poll())
        self.assert_recovers()

    def test_a_limit_that_does_not_fit_is_told(self):
        shown = run("sh", "-c", f'ulimit -n {FILES} && exec "$0" "$@"', SERVER, "--listen",
                    "127.0.0.1:0", "--metrics", "off", "--backend", "cpu", "--max-connections", "300")
        self.assertEqual(shown.returncode, 1)
        self.assertIn("--max-connections: 300, but the process may open 256 files", shown.stderr)

    def test_connections_have_a_limit(self):
        with FewFiles("--max-connections", "2") as server:
            known = Known(server)
            known.call()
            self.server = server
            first = self.connect(PREFACE)
            server.wait_for_metric("warpyard_connections 2\n")
            refused = self.connect(PREFACE)
            self.assertTrue(refused is None or self.is_closed(refused))
            first.close()
            server.wait_for_metric("warpyard_connections 1\n")
            newcomer = Known(server)
            newcomer.call()
            known.call()
            for client in (known, newcomer):
                client.channel.close()

    def test_an_address_cannot_take_all_connections(self):
        with FewFiles("--max-connections-per-address", "5") as server:
            self.server = server
            held = [self.connect(PREFACE) for _ in range(20)]
            server.wait_for_metric('warpyard_connections_refused_total{reason="address"} 15')
            server.wait_for_metric("warpyard_connections 5\n")
            with socket.create_connection(server.socket_address, processes.PATIENCE_S,
                                          source_address=("127.0.0.2", 0)) as other:
                other.sendall(PREFACE + frame(SETTINGS))
                self.assertEqual(other.recv(9)[3], SETTINGS)
            for one in filter(None, held):
                one.close()
            self.files = server.files()
            known = Known(server)
            known.call(wait_for_ready=True)
            known.channel.close()

    @staticmethod
    def is_closed(connection):
        try:
            return connection.recv(1) == b""
        except ConnectionError:
            return True


if __name__ == "__main__":
    processes.main()
