#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Warpyard Authors
# SPDX-License-Identifier: Apache-2.0

"""Tests `warpyard health` as the probe of a container runs it."""

import socket
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import processes  # noqa: E402
from processes import CLI, Server, free_port, run, start_collide, write_slow_meshes  # noqa: E402
from security.identities import Authority, new_token, token_entry, write_tenants  # noqa: E402

SERVICE = "warpyard.v1.CollisionService"


def health(address, *words):
    """Exit status, standard output and standard error."""
    shown = run(CLI, "health", "--server", address, *words)
    return shown.returncode, shown.stdout, shown.stderr


class Health(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def start(self, *flags):
        server = Server(*map(str, flags))
        self.addCleanup(server.__exit__)
        return server

    def test_a_server_serves(self):
        server = self.start()
        self.assertEqual(health(server.address), (0, "SERVING\n", ""))
        self.assertEqual(health(server.address, "--service", SERVICE), (0, "SERVING\n", ""))
        status, out, error = health(server.address, "--service", "warpyard.v1.NoService")
        self.assertEqual((status, out), (1, ""))
        self.assertIn("has no service warpyard.v1.NoService", error)

    def test_a_server_that_drains_does_not(self):
        server = self.start("--drain-timeout", "1m")
        start, end = write_slow_meshes(self.folder)
        job = start_collide(server.address, start, end, "--tolerance", "1e-12")
        self.addCleanup(job.communicate)
        self.addCleanup(job.kill)
        server.wait_for_metric("warpyard_jobs_running 1")
        server.process.terminate()
        give_up = time.monotonic() + processes.PATIENCE_S
        answer = health(server.address)
        while answer[0] == 0 and time.monotonic() < give_up:
            answer = health(server.address)
        self.assertEqual(answer, (1, "NOT_SERVING\n", ""))

    def test_nobody_answers(self):
        status, out, error = health(f"127.0.0.1:{free_port()}")
        self.assertEqual((status, out), (1, ""))
        self.assertIn("no server answers", error)

    def test_a_port_that_accepts_and_says_nothing(self):
        with socket.create_server(("127.0.0.1", 0)) as listener:
            accepted = []
            accept = threading.Thread(target=lambda: accepted.append(listener.accept()))
            accept.start()
            status, out, error = health(f"127.0.0.1:{listener.getsockname()[1]}")
            accept.join()
            accepted[0][0].close()
        self.assertEqual((status, out), (1, ""))
        self.assertIn("no server answers", error)

    def test_tls_by_the_name_in_the_certificate(self):
        authority = Authority(self.folder)
        pem, key = authority.sign("warpyard", only_name=True)
        server = self.start("--tls-cert", pem, "--tls-key", key)
        ca = "--tls-ca", authority.pem
        self.assertEqual(health(server.address, *ca, "--tls-name", "warpyard"),
                         (0, "SERVING\n", ""))
        for words in ([], ca, (*ca, "--tls-name", "another")):
            status, out, error = health(server.address, *words)
            self.assertEqual((status, out), (1, ""), words)
            self.assertIn("no server answers", error)
        self.python_clients_know_the_name(server, authority)

    def python_clients_know_the_name(self, server, authority):
        client = processes.SOURCE / "client_examples/python/warpyard_collide.py"
        start, end = processes.write_meshes(self.folder)
        for name, expected in (("warpyard", 0), ("another", 1)):
            shown = run(sys.executable, client, start, end, "--server", server.address,
                        "--tls-ca", authority.pem, "--tls-name", name)
            self.assertEqual(shown.returncode, expected, shown.stderr)

    def test_mutual_tls(self):
        authority = Authority(self.folder)
        pem, key = authority.sign("warpyard")
        server = self.start("--tls-cert", pem, "--tls-key", key, "--tls-client-ca", authority.pem)
        ca = "--tls-ca", authority.pem
        self.assertEqual(health(server.address, *ca)[0], 1)
        pem, key = authority.sign("probe")
        self.assertEqual(health(server.address, *ca, "--tls-cert", pem, "--tls-key", key),
                         (0, "SERVING\n", ""))

    def test_health_needs_no_token(self):
        tenants = self.folder / "tenants.json"
        write_tenants(tenants, {"name": "robots", "number": 1,
                                "tokens": [token_entry(new_token())]})
        self.assertEqual(health(self.start("--tokens", tenants).address), (0, "SERVING\n", ""))

    def test_wrong_usage(self):
        for words, part in ((["--deadline", "0"], "--deadline"),
                            (["--deadline", "soon"], "--deadline"),
                            (["--service"], "--service"),
                            (["--tls-ca", "/nowhere"], "--tls-ca: /nowhere"),
                            (["--tls-name", "warpyard"], "--tls-name need"),
                            (["serving"], "flags only"),
                            (["--serving"], "--serving: no such flag")):
            shown = run(CLI, "health", *words)
            self.assertEqual((shown.returncode, shown.stdout), (2, ""), words)
            self.assertIn(part, shown.stderr)
        shown = run(CLI, "health", "--help")
        self.assertEqual((shown.returncode, shown.stderr), (0, ""))
        for flag in ("--server", "--service", "--tls-ca", "--tls-name", "--token-file"):
            self.assertIn(flag, shown.stdout)


if __name__ == "__main__":
    processes.main()
