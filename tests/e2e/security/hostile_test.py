#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Warpyard Authors
# SPDX-License-Identifier: Apache-2.0

"""Connections that do nothing, or not what they should, against a server with few descriptors."""

import os
import resource
import socket
import struct
import sys
import time
import unittest
import urllib.request
from pathlib import Path
from urllib.parse import urlparse

import grpc

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import processes  # noqa: E402
from processes import SERVER, run  # noqa: E402
from warpyard.v1 import collision_service_pb2 as pb, collision_service_pb2_grpc  # noqa: E402

FILES = 256
CONNECTIONS = 10_000
HALF_OPEN = 1_000
SLOW_SENDERS = 200
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
SETTINGS, HEADERS, PING, RST_STREAM, CONTINUATION = 4, 1, 6, 3, 9


def frame(kind, flags=0, stream=0, payload=b""):
    return struct.pack(">I", len(payload))[1:] + struct.pack(">BBI", kind, flags, stream) + payload


def literal(name, value):
    """A header of HPACK that is neither compressed nor remembered; both parts below 127 bytes."""
    return b"\x00" + bytes([len(name)]) + name + bytes([len(value)]) + value


CALL = b"".join(literal(name, value) for name, value in (
    (b":method", b"POST"), (b":scheme", b"http"), (b":authority", b"x"),
    (b":path", b"/warpyard.v1.CollisionService/Step"), (b"te", b"trailers"),
    (b"content-type", b"application/grpc")))


class FewFiles(processes.Server):
    """A server that may open few files."""

    def __init__(self, *flags):
        hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        self.before = resource.getrlimit(resource.RLIMIT_NOFILE)
        # The server raises its soft limit to the hard one, so that both must be low. A test that
        # lowered its own hard limit could not raise it again: a shell does it for the server.
        assert hard > FILES
        script = f'ulimit -n {FILES} && exec "$0" "$@"'
        self.process = processes.subprocess.Popen(
            ["sh", "-c", script, SERVER, "--listen", "127.0.0.1:0", "--metrics", "127.0.0.1:0",
             "--backend", "cpu", "--threads", "1", *flags], stdout=processes.subprocess.PIPE,
            stderr=processes.subprocess.DEVNULL, text=True)
        ready = processes.READY.fullmatch(self.process.stdout.readline())
        assert ready
        self.address, self.metrics_url, self.backend = ready.groups()
        host, port = self.address.split(":")
        self.socket_address = host, int(port)

    def files(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def resident_mib(self):
        with open(f"/proc/{self.process.pid}/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * resource.getpagesize() >> 20

    def metric(self, name):
        for line in self.metrics().splitlines():
            if line.startswith(name + " "):
                return float(line.split()[-1])
        raise AssertionError(f"no metric {name}")


class Known:
    """A client with an open connection."""

    def __init__(self, server):
        # A connection of its own: channels to one address would share one.
        self.channel = grpc.insecure_channel(
            server.address, options=[("grpc.use_local_subchannel_pool", 1)])
        self.stub = collision_service_pb2_grpc.CollisionServiceStub(self.channel)

    def call(self):
        """Seconds of a call that is refused for its content, and so was served."""
        begin = time.perf_counter()
        try:
            self.stub.Step(pb.StepRequest(scene="scene-0"), timeout=processes.PATIENCE_S)
        except grpc.RpcError as error:
            assert error.code() == grpc.StatusCode.NOT_FOUND, error
        return time.perf_counter() - begin

    def slowest(self, calls=100):
        """The 99th percentile of some calls."""
        return sorted(self.call() for _ in range(calls))[calls - 2]


class HostileTest(unittest.TestCase):
    def setUp(self):
        self.server = FewFiles()
        self.addCleanup(self.server.__exit__)
        self.known = Known(self.server)
        self.addCleanup(self.known.channel.close)
        self.known.call()
        self.files = self.server.files()

    def connect(self, data=b""):
        """A connection, or None where the server refuses it."""
        connection = socket.socket()
        connection.settimeout(10)
        try:
            connection.connect(self.server.socket_address)
            if data:
                connection.sendall(data)
            return connection
        except OSError:
            connection.close()
            return None

    def assert_recovers(self):
        give_up = time.monotonic() + processes.PATIENCE_S
        while self.server.files() > self.files + 16:
            self.assertLess(time.monotonic(), give_up, "descriptors stay open")
            time.sleep(0.1)
        newcomer = Known(self.server)
        self.addCleanup(newcomer.channel.close)
        newcomer.call()
        self.known.call()
        self.server.wait_for_metric("warpyard_connections 2\n")

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
                           CONNECTIONS / 2)
        self.assertLess(during, max(3 * before, 0.5))
        self.assertLess(self.server.resident_mib(), memory + 64)
        for one in held:
            one.close()
        self.assert_recovers()

    def test_half_open_handshakes_end(self):
        held = [self.connect(PREFACE[:9]) for _ in range(HALF_OPEN)]
        self.known.call()
        give_up = time.monotonic() + processes.PATIENCE_S
        while self.server.files() > self.files + 16:  # the server closes them, not the clients
            self.assertLess(time.monotonic(), give_up, "silent handshakes stay")
            self.known.call()
            time.sleep(0.5)
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
            refused = self.connect(PREFACE)
            time.sleep(0.2)
            self.assertTrue(refused is None or self.is_closed(refused))
            first.close()
            server.wait_for_metric("warpyard_connections 1\n")
            newcomer = Known(server)
            newcomer.call()
            known.call()
            for client in (known, newcomer):
                client.channel.close()

    @staticmethod
    def is_closed(connection):
        try:
            return connection.recv(1) == b""
        except ConnectionError:
            return True


if __name__ == "__main__":
    processes.main()
