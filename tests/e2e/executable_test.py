#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Warpyard Authors
# SPDX-License-Identifier: Apache-2.0

"""Tests the executables warpyard-server and warpyard as a user starts them."""

import array
import collections
import json
import signal
import socket
import tempfile
import threading
import time
import unittest
from pathlib import Path

import grpc

import processes
from warpyard.v1 import collision_service_pb2 as pb, collision_service_pb2_grpc, mesh_pb2
from processes import CLI, SERVER, Server, collide, run, start_collide


class ServerCommandLine(unittest.TestCase):
    def test_help_and_version(self):
        shown = run(SERVER, "--help")
        self.assertEqual(shown.returncode, 0)
        self.assertIn("--resident-ttl", shown.stdout)
        self.assertRegex(run(SERVER, "--version").stdout, r"^warpyard-server \d+\.\d+\.\d+\n$")

    def test_usage_errors_name_the_flag(self):
        for flags in (["--frob"], ["--threads", "many"], ["--listen", "0.0.0.0:0"],
                      ["--metrics", "192.0.2.1:1"]):
            shown = run(SERVER, *flags)
            self.assertEqual(shown.returncode, 2, flags)
            self.assertIn(flags[0], shown.stderr)
            self.assertEqual(shown.stdout, "")

    def test_a_port_in_use_is_an_error(self):
        with Server() as server:
            shown = run(SERVER, "--listen", server.address, "--metrics", "off", "--backend", "cpu")
            self.assertEqual(shown.returncode, 1)
            self.assertIn("--listen: cannot listen on", shown.stderr)

    def check(self, *flags):
        shown = run(SERVER, "--check", "--backend", "cpu", "--listen", "127.0.0.1:0", "--metrics",
                    "127.0.0.1:0", *map(str, flags))
        self.assertEqual(shown.stderr, "")
        return shown.returncode, shown.stdout

    def test_a_check_says_what_it_finds(self):
        status, lines = self.check("--threads", 2)
        self.assertEqual(status, 0, lines)
        self.assertRegex(lines, r"^ok: --max-connections: room for \d+\n"
                                r"ok: --listen: 127.0.0.1:0 is free\n"
                                r"ok: --metrics: 127.0.0.1:0 is free\n"
                                r"ok: --backend: cpu, 2 threads\n$")

    def test_a_check_makes_all_checks(self):
        with Server() as server, tempfile.TemporaryDirectory() as folder:
            tokens = Path(folder, "tenants.json")
            tokens.write_text('{"tenants": [{}]}', encoding="ascii")
            status, lines = self.check("--listen", server.address, "--tokens", tokens)
        self.assertEqual(status, 1)
        self.assertRegex(lines, r"failed: --tokens: .*tenants\[0\]")
        self.assertIn(f"failed: --listen: cannot listen on {server.address}: Address already in use",
                      lines)
        self.assertIn("ok: --backend: cpu", lines)

    def test_a_check_leaves_nothing_behind(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "socket")
            self.assertEqual(self.check("--listen", f"unix:{path}")[0], 0)
            self.assertFalse(path.exists())
            self.assertEqual(self.check("--listen", f"unix:{folder}/none/socket")[0], 1)

    def test_says_where_it_serves(self):
        with Server() as server:
            self.assertEqual(server.backend, "cpu, 2 threads")
            self.assertIn("warpyard_residents 0", server.metrics())
        with Server("--metrics", "off") as server:
            self.assertIsNone(server.metrics_url)


class Stopping(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.slow = processes.write_slow_meshes(folder.name)

    def test_an_idle_server_stops_at_once(self):
        for number in (signal.SIGTERM, signal.SIGINT):
            with Server() as server:
                begin = time.monotonic()
                self.assertEqual(server.stop(number), 0)
                self.assertLess(time.monotonic() - begin, 10)

    def test_a_running_step_finishes_first(self):
        meshes = processes.write_slow_meshes(self.folder, triangles=500)
        with Server("--drain-timeout", "2m") as server, start_collide(server.address, *meshes) as client:
            server.wait_for_metric('warpyard_jobs_submitted_total{kind="collision_step",'
                                   'priority="normal"} 1')
            self.assertEqual(server.stop(), 0)
            self.assertEqual(client.wait(processes.PATIENCE_S), 0, client.stderr.read())

    def test_a_step_that_takes_too_long_is_cancelled(self):
        with Server("--drain-timeout", "0s") as server:
            with start_collide(server.address, *self.slow, "--tolerance", "1e-12") as client:
                server.wait_for_metric("warpyard_jobs_running 1")
                self.assertEqual(server.stop(), 0)
                client.wait(processes.PATIENCE_S)

    def test_a_client_that_dies_takes_its_job_with_it(self):
        with Server() as server:
            with start_collide(server.address, *self.slow, "--tolerance", "1e-12") as client:
                # Only the step is slow: a job that runs before it opens the scene.
                server.wait_for_metric('warpyard_jobs_submitted_total{kind="collision_step",'
                                       'priority="normal"} 1')
                server.wait_for_metric("warpyard_jobs_running 1")
                client.kill()
            server.wait_for_metric('warpyard_jobs_finished_total{kind="collision_step",'
                                   'outcome="cancelled"} 1')
            server.wait_for_metric("warpyard_jobs_running 0")


class Draining(unittest.TestCase):
    """Calls that arrive while a server goes, and a metrics port with stalled connections."""

    def test_calls_that_arrive_meanwhile_are_unavailable(self):
        corners = array.array("d", [0, 0, 0, 4, 0, 0, 0, 4, 0]).tobytes()
        positions = mesh_pb2.Positions(scalar_type=mesh_pb2.SCALAR_TYPE_FLOAT64, data=corners)
        request = pb.DetectRequest(
            mesh=mesh_pb2.TriangleMesh(positions=positions,
                                       triangles=array.array("I", [0, 1, 2]).tobytes()),
            end=positions)
        outcomes = collections.Counter()
        stop = threading.Event()

        def call(address):
            options = [("grpc.use_local_subchannel_pool", 1)]
            with grpc.insecure_channel(address, options=options) as channel:
                service = collision_service_pb2_grpc.CollisionServiceStub(channel)
                while not stop.is_set():
                    try:
                        service.Detect(request)
                        outcomes["OK"] += 1
                    except grpc.RpcError as error:
                        outcomes[error.code().name] += 1

        with Server() as server:
            threads = [threading.Thread(target=call, args=[server.address]) for _ in range(8)]
            for thread in threads:
                thread.start()
            time.sleep(0.5)
            self.assertEqual(server.stop(), 0)
            stop.set()
            for thread in threads:
                thread.join(processes.PATIENCE_S)
        self.assertEqual(set(outcomes), {"OK", "UNAVAILABLE"}, outcomes)

    def test_stalled_connections_do_not_silence_the_metrics(self):
        with Server() as server:
            port = int(server.metrics_url.split(":")[2].split("/")[0])
            stalled = []
            for _ in range(6):
                connection = socket.create_connection(("127.0.0.1", port))
                connection.sendall(b"GET /metrics HTTP/1.1\r\n")
                stalled.append(connection)
            begin = time.monotonic()
            self.assertIn("warpyard_residents", server.metrics())
            self.assertLess(time.monotonic() - begin, 8)
            for connection in stalled:
                connection.close()


class Client(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Server()
        cls.addClassCleanup(cls.server.__exit__)
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = folder.name
        cls.meshes = processes.write_meshes(folder.name)

    def collide_to_json(self, *flags):
        out = f"{self.folder}/out.json"
        shown = collide(self.server, *self.meshes, "--out", out, *flags)
        self.assertEqual(shown.returncode, 0, shown.stderr)
        with open(out, encoding="utf-8") as file:
            return shown.stdout, json.load(file)

    def test_collisions(self):
        shown, result = self.collide_to_json("--priority", "urgent", "--deadline", "30000")
        self.assertEqual(len(result["vertex_face"]), 1)
        vertex, face, time_of_impact = result["vertex_face"][0]
        self.assertEqual((vertex, face), (3, 0))
        self.assertAlmostEqual(time_of_impact, 0.5, 5)
        self.assertEqual(result["edge_edge"], [])
        self.assertEqual(result["earliest_toi"], time_of_impact)
        statistics = result["statistics"]
        self.assertEqual([statistics[name] for name in ("vertices", "edges", "triangles",
                                                        "capped_pairs")], [6, 6, 2, 0])
        self.assertGreaterEqual(statistics["vertex_face_candidates"], 1)
        self.assertIn("edge_edge_candidates", statistics)
        self.assertEqual(list(statistics["phases_ms"]),
                         ["queue", "copy_in", "refit", "broad", "narrow", "copy_out"])
        self.assertIn("1 vertex-face and 0 edge-edge pairs", shown)

    def test_earliest_and_cubic(self):
        _, result = self.collide_to_json("--report", "earliest", "--root-finder", "cubic",
                                         "--tolerance", "1e-9")
        self.assertAlmostEqual(result["earliest_toi"], 0.5, 9)

    def test_front_tracking_tells_its_front(self):
        _, expected = self.collide_to_json()
        _, result = self.collide_to_json("--traversal", "front", "--volume", "oriented")
        self.assertEqual(result["vertex_face"], expected["vertex_face"])
        statistics = result["statistics"]["traversal"]
        self.assertGreater(statistics["front_pairs"], 0)
        self.assertIs(statistics["from_front"], False)

    def test_candidates_have_no_times(self):
        _, result = self.collide_to_json("--report", "candidates")
        self.assertIsNone(result["earliest_toi"])
        self.assertIn([3, 0], result["vertex_face"])

    def test_the_scene_is_closed_again(self):
        self.collide_to_json()
        self.server.wait_for_metric("warpyard_residents 0")

    def test_what_the_service_refuses_is_status_1(self):
        shown = collide(self.server, *self.meshes, "--tolerance", "1e9")
        self.assertEqual(shown.returncode, 1)
        self.assertIn("collision.tolerance: 1e+09, expected 0 or from", shown.stderr)
        shown = collide(self.server, *self.meshes, "--volume", "oriented")
        self.assertEqual(shown.returncode, 1)
        self.assertIn("collision.bounding_volume: oriented boxes need the traversal", shown.stderr)
        shown = run(CLI, "collide", *self.meshes, "--server", "127.0.0.1:1")
        self.assertEqual(shown.returncode, 1)
        self.assertNotEqual(shown.stderr, "")

    def test_a_deadline_that_passes_is_status_1(self):
        slow = processes.write_slow_meshes(self.folder)
        shown = collide(self.server, *slow, "--deadline", "20", "--tolerance", "1e-12")
        self.assertEqual(shown.returncode, 1)
        self.assertIn("eadline", shown.stderr)

    def test_wrong_usage_is_status_2(self):
        start, end = self.meshes
        other = f"{self.folder}/other.obj"
        with open(other, "w", encoding="ascii") as file:
            file.write(processes.FALLING_END.replace("f 4 5 6", "f 4 6 5"))
        for arguments in ([], [start], [start, end, end], [start, end, "--report", "all"],
                          [start, end, "--frob", "1"], [start, end, "--deadline", "-1"],
                          [start, end, "--tolerance"], [start, f"{self.folder}/nothing.ply"],
                          [start, other], [start, end, "--out", f"{self.folder}/no/such/folder"]):
            shown = collide(self.server, *arguments)
            self.assertEqual(shown.returncode, 2, arguments)
            self.assertNotEqual(shown.stderr, "")
        for command in ([], ["frob"]):
            shown = run(CLI, *command)
            self.assertEqual(shown.returncode, 2)
            self.assertIn("expected collide", shown.stderr)

    def test_usage_errors_name_the_flag(self):
        messages = set()
        for flag, value, problem in (("--frob", ["1"], "no such flag"), ("--out", [], "missing"),
                                     ("--report", ["all"], '"all", expected collisions')):
            shown = collide(self.server, *self.meshes, flag, *value)
            self.assertEqual(shown.returncode, 2)
            self.assertIn(f"warpyard: {flag}: ", shown.stderr)
            self.assertIn(problem, shown.stderr)
            messages.add(shown.stderr.replace(flag, ""))
        self.assertEqual(len(messages), 3)

    def test_help_explains_every_flag(self):
        for words in (["--help"], ["-h"], ["collide", "--help"]):
            shown = run(CLI, *words)
            self.assertEqual((shown.returncode, shown.stderr), (0, ""))
            for flag in ("--server", "--report", "--root-finder", "--tolerance", "--min-separation",
                         "--max-time", "--geometry", "--traversal", "--volume", "--build",
                         "--deadline", "--priority", "--out"):
                self.assertRegex(shown.stdout, rf"\n  {flag} \S+ *\n? +[a-z]")

    def test_takes_fractions_of_a_millisecond(self):
        self.collide_to_json("--deadline", "30000.5")
        # gRPC rounds deadlines up to a millisecond, which is enough time for the small meshes.
        slow = processes.write_slow_meshes(self.folder)
        shown = collide(self.server, *slow, "--deadline", "0.001", "--tolerance", "1e-12")
        self.assertEqual(shown.returncode, 1)
        self.assertIn("eadline", shown.stderr)

    def test_earliest_prints_only_the_earliest_time(self):
        shown, _ = self.collide_to_json("--report", "earliest")
        self.assertRegex(shown, r"^earliest 0\.\d+\n$")
        shown, _ = self.collide_to_json("--report", "candidates")
        self.assertNotIn("earliest", shown)

    def test_waits_for_a_server_that_is_just_starting(self):
        port = processes.free_port()
        with start_collide(f"127.0.0.1:{port}", *self.meshes) as client:
            time.sleep(0.5)
            with Server("--listen", f"127.0.0.1:{port}"):
                self.assertEqual(client.wait(processes.PATIENCE_S), 0, client.stderr.read())


if __name__ == "__main__":
    processes.main()
