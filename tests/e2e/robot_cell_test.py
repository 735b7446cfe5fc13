#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Warpyard Authors
# SPDX-License-Identifier: Apache-2.0

"""Tests both robot cells against a server, and their collision against the geometry of the cell."""

import importlib.util
import math
import os
import re
import sys
import unittest

import processes
from processes import Server, run

SCRIPT = processes.SOURCE / "client_examples/python/robot_cell.py"
EXECUTABLE = os.environ["WARPYARD_ROBOT_CELL"]


class RobotCell(unittest.TestCase):
    def test_finds_where_the_arm_meets_the_post(self):
        clients = [[EXECUTABLE]]
        if importlib.util.find_spec("grpc") is not None:
            clients.append([sys.executable, SCRIPT])
        with Server() as server:
            results = [run(*client, "--server", server.address) for client in clients]
            server.wait_for_metric("warpyard_residents 0")
        for shown in results:
            self.assertEqual(shown.returncode, 0, shown.stderr)
            self.assertEqual(shown.stdout, results[0].stdout)
        found = re.fullmatch(
            r"step (\d+) of 50: forearm and post meet, base at (\d\.\d+) rad\n"
            r"straight paths stray from arcs by at most (\d\.\d+) mm a body\n", results[0].stdout)
        self.assertTrue(found, results[0].stdout)
        step, angle, strays = int(found[1]), float(found[2]), float(found[3])
        # The side of the forearm, 0.05 m before its axis, comes to the near edge of the post:
        # 0.95 cos(angle) - 0.05 sin(angle) = 0.05.
        contact = math.acos(0.05 / math.hypot(0.95, 0.05)) - math.atan2(0.05, 0.95)
        self.assertAlmostEqual(angle, contact, delta=strays / 1000 / 0.95 + 0.001)
        self.assertEqual(step, 10 + math.ceil(contact / 0.05))
        # The forearm swings by 0.05 rad, 1 m from the axis.
        self.assertGreater(strays, 1000 * (1 - math.cos(0.025)))
        self.assertLess(strays, 0.5)

    def test_exit_status_says_who_was_wrong(self):
        shown = run(EXECUTABLE, "--swing")
        self.assertEqual(shown.returncode, 2)
        self.assertIn("--swing: no such flag", shown.stderr)
        shown = run(EXECUTABLE, "--help")
        self.assertEqual((shown.returncode, shown.stderr), (0, ""))
        self.assertIn("--server HOST:PORT", shown.stdout)
        refused = run(EXECUTABLE, "--server", "127.0.0.1:1")
        self.assertEqual(refused.returncode, 1)
        self.assertIn("warpyard-robot-cell: ", refused.stderr)


if __name__ == "__main__":
    processes.main()
