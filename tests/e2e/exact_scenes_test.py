#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Warpyard Authors
# SPDX-License-Identifier: Apache-2.0

"""Sends animation frames with exact answers through server and client, where the data is at hand.

The data is in ../shared beside the checkout, together with the program that compares.
"""

import json
import sys
import tempfile
import unittest

import processes
from processes import Server, collide, run

SHARED = processes.SOURCE.parent / "shared"
SCENES = SHARED / "data/ccd"
CHECK = SHARED / "tools/check_collisions.py"
NAMES = ("cloth-ball", "armadillo-rollers")
# The first contact of armadillo-rollers is between these times (tests/property/ccd_data_test.cc).
EARLIEST = {"cloth-ball": (0, 1), "armadillo-rollers": (3.98e-5, 3.986e-5)}


class ExactScenes(unittest.TestCase):
    def collide_to_json(self, server, name, *flags):
        frames = sorted((SCENES / name / "frames").glob("*.ply"))
        with tempfile.NamedTemporaryFile(suffix=".json") as out:
            shown = collide(server, *frames, "--out", out.name, *flags)
            self.assertEqual(shown.returncode, 0, shown.stderr)
            compared = run(sys.executable, CHECK, out.name, SCENES / name,
                           "--max-false-positives", 0)
            return compared, json.load(out)

    def test_finds_exactly_what_touches(self):
        with Server() as server:
            for name in NAMES:
                compared, result = self.collide_to_json(server, name)
                print(name, compared.stdout)
                self.assertEqual(compared.returncode, 0, compared.stdout + compared.stderr)
                times = [pair[-1] for pair in result["vertex_face"] + result["edge_edge"]]
                self.assertEqual(result["earliest_toi"], min(times))
                low, high = EARLIEST[name]
                self.assertTrue(low <= result["earliest_toi"] <= high, result["earliest_toi"])
                _, earliest = self.collide_to_json(server, name, "--report", "earliest")
                self.assertEqual(earliest["earliest_toi"], result["earliest_toi"])


if __name__ == "__main__":
    if not (SCENES.is_dir() and CHECK.is_file()):
        print(f"skipped: no scenes with exact answers in {SCENES}")
        sys.exit(processes.SKIPPED)
    processes.main()
