#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Warpyard Authors
# SPDX-License-Identifier: Apache-2.0

"""Tests both examples of many worlds against a server, and what they find against arithmetic."""

import importlib.util
import os
import re
import sys
import unittest

import processes
from processes import Server, run

SCRIPT = processes.SOURCE / "client_examples/python/worlds.py"
EXECUTABLE = os.environ["WARPYARD_WORLDS"]


class Worlds(unittest.TestCase):
    def test_finds_when_each_box_arrives(self):
        clients = [[EXECUTABLE]]
        if importlib.util.find_spec("grpc") is not None:
            clients.append([sys.executable, SCRIPT])
        with Server() as server:
            results = [run(*client, "--server", server.address, "--worlds", "100")
                       for client in clients]
            server.wait_for_metric("warpyard_residents 0")
        for shown in results:
            self.assertEqual(shown.returncode, 0, shown.stderr)
            self.assertEqual(shown.stdout, results[0].stdout)
        lines = results[0].stdout.splitlines()
        self.assertEqual(len(lines), 100)
        for world, line in enumerate(lines):
            found = re.fullmatch(rf"world {world}: arrives after (\d\.\d{{4}}) s", line)
            self.assertTrue(found, line)
            # Boxes sink at 1 m/s from 0.25 m, and 0.01 m more for each world before.
            self.assertAlmostEqual(float(found[1]), 0.25 + 0.01 * world, delta=1e-4)

    def test_says_what_the_server_refuses(self):
        with Server("--max-worlds", "9") as server:
            shown = run(EXECUTABLE, "--server", server.address)
        self.assertEqual(shown.returncode, 1)
        self.assertIn("worlds: 64, expected 1 to 9 (--max-worlds)", shown.stderr)

    def test_exit_status_says_who_was_wrong(self):
        for number in ("many", "0", "65537"):
            shown = run(EXECUTABLE, "--worlds", number)
            self.assertEqual(shown.returncode, 2)
            self.assertIn("--worlds", shown.stderr)
        refused = run(EXECUTABLE, "--server", "127.0.0.1:1")
        self.assertEqual(refused.returncode, 1)
        self.assertIn("warpyard-worlds: ", refused.stderr)


if __name__ == "__main__":
    processes.main()
