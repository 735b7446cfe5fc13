# SPDX-FileCopyrightText: 2026 The Warpyard Authors
# SPDX-License-Identifier: Apache-2.0

"""A server with few descriptors, clients that it knows, and connections that are none, for tests."""

import base64
import os
import resource
import socket
import time
import unittest
import urllib.request

import grpc

import processes
from processes import SERVER
from security.callers import bearer
from warpyard.v1 import collision_service_pb2 as pb, collision_service_pb2_grpc

FILES = 256


class FewFiles(processes.Server):
    """A server that may open few files."""

    def __init__(self, *flags):
        hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        self.before = resource.getrlimit(resource.RLIMIT_NOFILE)
        # The server raises its soft limit to the hard one, so that both must be low. A test that
        # lowered its own hard limit could not raise it again: a shell does it for the server.
        assert hard > FILES
        self.token = None  # for the metrics, where the server has tenants
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

    def metrics(self):
        request = urllib.request.Request(self.metrics_url)
        if self.token:
            secret = base64.b64encode(f"any:{self.token}".encode()).decode()
            request.add_header("Authorization", f"Basic {secret}")
        with urllib.request.urlopen(request, timeout=processes.PATIENCE_S) as response:
            return response.read().decode()

    def metric(self, name):
        for line in self.metrics().splitlines():
            if line.startswith(name + " "):
                return float(line.split()[-1])
        raise AssertionError(f"no metric {name}")


class Known:
    """A client with an open connection.

    authority: PEM of the server's, if it has TLS. token: that it sends, if any.
    """

    def __init__(self, server, authority=None, token=None):
        # A connection of its own: channels to one address would share one.
        options = [("grpc.use_local_subchannel_pool", 1),
                   ("grpc.ssl_target_name_override", "localhost")]
        self.channel = (grpc.insecure_channel(server.address, options) if authority is None
                        else grpc.secure_channel(
                            server.address, grpc.ssl_channel_credentials(authority), options))
        self.metadata = bearer(token) if token else None
        self.stub = collision_service_pb2_grpc.CollisionServiceStub(self.channel)

    def call(self, wait_for_ready=False):
        """Seconds of a call that is refused for its content, and so was served."""
        begin = time.perf_counter()
        try:
            self.stub.Step(pb.StepRequest(scene="scene-0"), timeout=processes.PATIENCE_S,
                           wait_for_ready=wait_for_ready, metadata=self.metadata)
        except grpc.RpcError as error:
            assert error.code() == grpc.StatusCode.NOT_FOUND, error
        return time.perf_counter() - begin

    def slowest(self, calls=100):
        """The 99th percentile of some calls."""
        return sorted(self.call() for _ in range(calls))[calls - 2]


class HostileTest(unittest.TestCase):
    authority = None  # PEM of that of the server's certificate
    token = None  # of the known clients, where the server has tenants

    def setUp(self):
        self.server = FewFiles(*self.flags())
        self.addCleanup(self.server.__exit__)
        self.server.token = self.token
        self.known = Known(self.server, self.authority, self.token)
        self.addCleanup(self.known.channel.close)
        self.known.call()
        self.files = self.server.files()

    def flags(self):
        return []

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

    def wait_until_closed(self):
        """Waits until the server has closed what it opened since the start; known clients go on."""
        give_up = time.monotonic() + processes.PATIENCE_S
        while self.server.files() > self.files + 16:
            self.assertLess(time.monotonic(), give_up, "descriptors stay open")
            self.known.call()
            time.sleep(0.2)

    def assert_recovers(self):
        self.wait_until_closed()
        newcomer = Known(self.server, self.authority, self.token)
        self.addCleanup(newcomer.channel.close)
        # Connections that the system holds for the server come first, and may fill it once more.
        newcomer.call(wait_for_ready=True)
        self.known.call()
        self.server.wait_for_metric("warpyard_connections 2\n")
