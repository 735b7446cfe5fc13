#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Warpyard Authors
# SPDX-License-Identifier: Apache-2.0

"""Sends animation frames through server and client by every method, where the data is at hand.

The data is in ../shared beside the checkout.
"""

import json
import sys
import tempfile
import unittest

import processes
from processes import Server, collide

SCENES = processes.SOURCE.parent / "shared/data/ccd"
NAMES = ("cloth-ball", "armadillo-rollers")
OF_NODES = ("work-queue", "compaction", "balancing", "stealing", "front")
METHODS = (
    [("--traversal", name) for name in ("independent", *OF_NODES)]
    + [("--traversal", name, "--volume", "oriented") for name in ("stealing", "front")]
    + [("--traversal", name, "--build", "top-down") for name in ("clusters", "stealing")])


class ExactMethods(unittest.TestCase):
    def collide_to_json(self, server, name, *flags):
        frames = sorted((SCENES / name / "frames").glob("*.ply"))
        with tempfile.NamedTemporaryFile(suffix=".json") as out:
            shown = collide(server, *frames, "--out", out.name, *flags)
            self.assertEqual(shown.returncode, 0, shown.stderr)
            return json.load(out)

    def check(self, name):
        with Server() as server:
            expected = self.collide_to_json(server, name)
            self.assertNotIn("traversal", expected["statistics"])
            earliest = {}
            for method in METHODS:
                with self.subTest(scene=name, method=method):
                    found = self.collide_to_json(server, name, *method)
                    for key in ("vertex_face", "edge_edge", "earliest_toi"):
                        # assertEqual would print the difference of lists of a hundred thousand
                        # pairs.
                        self.assertTrue(found[key] == expected[key], key)
                    statistics = found["statistics"].get("traversal", {})
                    of_nodes = method[1] in OF_NODES
                    self.assertEqual(statistics.get("visited_node_pairs", 0) > 0, of_nodes)
                    self.assertEqual(statistics.get("front_pairs", 0) > 0, method[1] == "front")
            for method in ((), ("--traversal", "front"), ("--build", "top-down")):
                found = self.collide_to_json(server, name, "--report", "earliest", *method)
                earliest[method] = found["earliest_toi"]
            self.assertEqual(set(earliest.values()), {expected["earliest_toi"]})

    def test_cloth_ball(self):
        self.check("cloth-ball")

    def test_armadillo_rollers(self):
        self.check("armadillo-rollers")


if __name__ == "__main__":
    if not all((SCENES / name).is_dir() for name in NAMES):
        print(f"skipped: no scenes in {SCENES}")
        sys.exit(processes.SKIPPED)
    processes.main()
