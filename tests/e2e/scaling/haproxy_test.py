#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Warpyard Authors
# SPDX-License-Identifier: Apache-2.0

"""Three servers behind HAProxy: what clients see when servers end and come."""

import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import urllib.parse
from pathlib import Path

import grpc

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import processes  # noqa: E402
sys.path.insert(0, str(processes.SOURCE / "client_examples/python"))
import service_config  # noqa: E402
import session  # noqa: E402
from scaling.proxy import HAPROXY, Proxy  # noqa: E402
from security.callers import scene as make_scene  # noqa: E402
from warpyard.v1 import collision_service_pb2 as api, collision_service_pb2_grpc  # noqa: E402

CELL = os.environ["WARPYARD_ROBOT_CELL"]


class Clients:
    """Threads that repeat an action until they are told to stop."""

    def __init__(self):
        self.stop = threading.Event()
        self.threads, self.done, self.errors = [], [], []

    def start(self, act):
        index = len(self.threads)
        self.done.append(0)

        def run():
            try:
                while not self.stop.is_set():
                    act()
                    self.done[index] += 1
            except Exception as error:  # the test fails with it
                self.errors.append(error)
        self.threads.append(threading.Thread(target=run))
        self.threads[-1].start()

    def finish(self):
        self.stop.set()
        for thread in self.threads:
            thread.join(processes.PATIENCE_S)


class HaproxyTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.servers = [self.start_server() for _ in range(3)]
        # One that is in the configuration, but does not run yet.
        self.later = tuple(f"127.0.0.1:{processes.free_port()}" for _ in range(2))
        self.proxy = Proxy(folder.name, [
            *((server.address, urllib.parse.urlparse(server.metrics_url).netloc)
              for server in self.servers), self.later])
        self.addCleanup(self.proxy.__exit__)
        self.channel = self.connect()
        grpc.channel_ready_future(self.channel).result(timeout=processes.PATIENCE_S)
        self.wait_until(lambda: session.server_of(self.detect(self.channel)) is not None)

    def start_server(self, *flags):
        server = processes.Server("--threads", "1", *flags)
        self.addCleanup(server.__exit__)
        return server

    def connect(self):
        # A connection for each client: HAProxy balances calls, not connections, but one connection
        # carries at most a hundred calls.
        channel = grpc.insecure_channel(self.proxy.address, options=[
            ("grpc.use_local_subchannel_pool", 1), ("grpc.initial_reconnect_backoff_ms", 100),
            *service_config.channel_options()])
        self.addCleanup(channel.close)
        return channel

    def wait_until(self, holds):
        give_up = time.monotonic() + processes.PATIENCE_S
        while True:
            try:
                if holds():
                    return
            except grpc.RpcError:
                pass  # HAProxy has not yet found the servers
            self.assertLess(time.monotonic(), give_up)
            time.sleep(0.05)

    @staticmethod
    def detect(channel):
        """A job that any server can do. Returns the call."""
        request = make_scene()
        stub = collision_service_pb2_grpc.CollisionServiceStub(channel)
        _, call = stub.Detect.with_call(api.DetectRequest(
            mesh=request.mesh, end=request.mesh.positions), timeout=30)
        return call

    def calls_of(self, server):
        found = re.findall(r'warpyard_rpc_completed_total\{code="OK",method="[^"]*/Detect"\} (\d+)',
                           server.metrics())
        return sum(map(int, found))

    def one_shots(self, clients, count):
        for _ in range(count):
            channel = self.connect()
            clients.start(lambda channel=channel: self.detect(channel))

    def cells(self, clients, count):
        """Clients with a scene each, whose triangle moves a little further with each step."""
        scenes = []
        for _ in range(count):
            stub = collision_service_pb2_grpc.CollisionServiceStub(self.connect())
            resident = session.Resident(stub.OpenScene, make_scene(), "scene")
            scenes.append(resident)
            clients.start(lambda stub=stub, resident=resident: self.step(stub, resident))
        return scenes

    @staticmethod
    def step(stub, resident):
        mesh = make_scene().mesh

        def request(name, is_new):
            step = api.StepRequest(scene=name, end=mesh.positions)
            if is_new:
                step.start.CopyFrom(mesh.positions)
            return step
        resident.call(stub.Step, request, timeout=30)

    def run_clients(self, clients, during, seconds=1.5):
        """Lets the clients work before, during and after what happens to the servers."""
        time.sleep(seconds)
        during()
        before = list(clients.done)
        time.sleep(seconds)
        # Each client goes on, however long HAProxy needs to see that a server is gone.
        self.wait_until(lambda: clients.errors or all(
            now > then + 3 for now, then in zip(clients.done, before)))
        clients.finish()
        self.assertEqual(clients.errors, [])

    def test_calls_spread_and_residents_stay(self):
        clients = Clients()
        self.one_shots(clients, 4)
        scenes = self.cells(clients, 6)
        self.run_clients(clients, lambda: None)
        for server in self.servers:
            self.assertGreater(self.calls_of(server), 0)
        self.assertEqual([scene.opened for scene in scenes], [1] * len(scenes))

    def test_a_server_dies(self):
        clients = Clients()
        self.one_shots(clients, 2)
        scenes = self.cells(clients, 6)
        self.run_clients(clients, lambda: self.servers[0].stop(signal.SIGKILL))
        self.assertLess(sum(scene.opened for scene in scenes), 6 * 4)
        self.assertGreater(sum(scene.opened for scene in scenes), 6)

    def test_a_server_drains(self):
        clients = Clients()
        self.one_shots(clients, 2)
        self.cells(clients, 6)
        self.run_clients(clients, lambda: self.assertEqual(self.servers[0].stop(), 0))

    def test_a_server_comes(self):
        clients = Clients()
        self.one_shots(clients, 6)
        scenes = self.cells(clients, 2)
        came = []

        def start():
            came.append(self.start_server("--listen", self.later[0], "--metrics", self.later[1]))
            self.wait_until(lambda: self.calls_of(came[0]) > 0)
        self.run_clients(clients, start)
        self.assertEqual([scene.opened for scene in scenes], [1, 1])

    def test_a_call_for_a_server_that_is_gone_says_so(self):
        stub = collision_service_pb2_grpc.CollisionServiceStub(self.channel)
        with self.assertRaises(grpc.RpcError) as raised:
            stub.Step(api.StepRequest(scene="scene-1"), metadata=[(session.SERVER, "gone")])
        self.assertEqual(raised.exception.code(), grpc.StatusCode.NOT_FOUND)
        self.assertIn("the call is for gone, but this is", raised.exception.details())

    def test_clients_of_all_kinds_stay_with_one_server(self):
        with tempfile.TemporaryDirectory() as folder:
            for command in self.commands(Path(folder), *processes.write_meshes(folder)):
                for _ in range(4):  # by chance all calls of a program could meet one server
                    shown = processes.run(*command, "--server", self.proxy.address)
                    self.assertEqual((shown.returncode, shown.stderr), (0, ""), command)

    @staticmethod
    def commands(folder, start, end):
        """Programs that open something in a server, and use it."""
        python, out = processes.SOURCE / "client_examples/python", folder / "out"
        tower = processes.SOURCE / "client_examples/grammars/tower.wyg"
        lots = ("--lots", "2x2", "--lot-size", "20x30x20")
        return ((processes.CLI, "grammar", "derive", tower, *lots),
                (processes.CLI, "simplify", start, f"{out}.obj", "--triangles", "1"),
                (processes.CLI, "collide", start, end),
                (sys.executable, python / "derive_city.py", tower, f"{out}.png", *lots,
                 "--width", "32", "--height", "24"),
                (sys.executable, python / "follow_camera.py", tower, "--lots", "2x2", "--frames", "2"),
                (sys.executable, python / "warpyard_collide.py", start, end))

    def test_a_cell_in_cpp_outlives_its_servers(self):
        def cell(swings):
            return subprocess.Popen([CELL, "--server", self.proxy.address, "--swings", str(swings)],
                                    stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        expected = cell(1).communicate(timeout=processes.PATIENCE_S)
        running = cell(400)
        for end in (signal.SIGKILL, signal.SIGTERM):
            holders = []

            def find():
                holders[:] = [server for server in self.servers
                              if server.process.poll() is None
                              and "warpyard_residents 1\n" in server.metrics()]
                return holders
            self.wait_until(find)
            self.assertIsNone(running.poll(), "the cell has ended before its server")
            holders[0].stop(end)
        self.assertEqual(running.communicate(timeout=processes.PATIENCE_S), expected)
        self.assertEqual((running.returncode, expected[1]), (0, ""))

    def test_a_session_gives_up_in_the_end(self):
        for server in self.servers:
            server.stop(signal.SIGKILL)
        stub = collision_service_pb2_grpc.CollisionServiceStub(self.channel)
        resident = session.Resident(stub.OpenScene, make_scene(), "scene", tries=3)
        with self.assertRaises(grpc.RpcError) as raised:
            self.step(stub, resident)
        self.assertEqual(raised.exception.code(), grpc.StatusCode.UNAVAILABLE)


if __name__ == "__main__":
    if HAPROXY is None:
        print("haproxy is not installed")
        sys.exit(processes.SKIPPED)
    processes.main()
