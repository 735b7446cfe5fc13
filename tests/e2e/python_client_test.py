#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Warpyard Authors
# SPDX-License-Identifier: Apache-2.0

"""Tests the Python client against a server, and that it agrees with the C++ client."""

import importlib.util
import json
import struct
import sys
import tempfile
import unittest
from pathlib import Path

import processes
from processes import Server, collide, run

SCRIPT = processes.SOURCE / "client_examples/python/warpyard_collide.py"


def write_binary_ply(path, points, order):
    """Writes the falling triangle as binary PLY of a byte order, with a property that is skipped."""
    name = {"<": "little", ">": "big"}[order]
    with open(path, "wb") as file:
        file.write(f"ply\nformat binary_{name}_endian 1.0\nelement vertex {len(points)}\n"
                   "property double x\nproperty uchar red\nproperty double y\nproperty double z\n"
                   "element face 2\nproperty list uchar int vertex_indices\nend_header\n".encode())
        for x, y, z in points:
            file.write(struct.pack(order + "dBdd", x, 200, y, z))
        for face in ((0, 1, 2), (3, 4, 5)):
            file.write(struct.pack(order + "B3i", 3, *face))


class PythonClient(unittest.TestCase):
    def setUp(self):
        self.server = Server()
        self.addCleanup(self.server.__exit__)
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.meshes = processes.write_meshes(folder.name)

    def script(self, *arguments):
        return run(sys.executable, SCRIPT, *arguments, "--server", self.server.address)

    def test_agrees_with_the_other_client(self):
        for flags in ([], ["--report", "candidates"], ["--report", "earliest"],
                      ["--root-finder", "cubic", "--priority", "high", "--deadline", "30000"],
                      ["--min-separation", "0.6", "--max-time", "0.9", "--geometry", "on"]):
            results = []
            for client in (self.script, lambda *a: collide(self.server, *a)):
                out = self.folder / "out.json"
                shown = client(*self.meshes, "--out", out, *flags)
                self.assertEqual(shown.returncode, 0, shown.stderr)
                result = json.loads(out.read_text(encoding="utf-8"))
                self.assertEqual(len(result["statistics"].pop("phases_ms")), 6)
                results.append(result)
            self.assertEqual(results[0], results[1])
        self.server.wait_for_metric("warpyard_scenes 0")

    def test_shows_where_features_meet(self):
        out = self.folder / "out.json"
        shown = self.script(*self.meshes, "--out", out, "--geometry", "on",
                            "--min-separation", "0.5")
        self.assertEqual(shown.returncode, 0, shown.stderr)
        result = json.loads(out.read_text(encoding="utf-8"))
        self.assertEqual(len(result["vertex_face"]), 1)
        self.assertAlmostEqual(result["earliest_toi"], 0.25, places=5)
        (geometry,) = result["vertex_face_geometry"]
        self.assertAlmostEqual(sum(geometry[:3]), 1)
        self.assertEqual(geometry[3:], [0, 0, -1])
        self.assertEqual(result["edge_edge_geometry"], [])

    def test_reads_binary_ply_of_both_byte_orders(self):
        frames = [[tuple(map(float, line.split()[1:])) for line in text.splitlines()
                   if line.startswith("v ")]
                  for text in (processes.FALLING_START, processes.FALLING_END)]
        for order in "<>":
            paths = [self.folder / "start.ply", self.folder / "end.ply"]
            for path, points in zip(paths, frames):
                write_binary_ply(path, points, order)
            shown = self.script(*paths)
            self.assertEqual(shown.returncode, 0, shown.stderr)
            self.assertIn("1 vertex-face and 0 edge-edge pairs", shown.stdout)

    def test_exit_status_says_who_was_wrong(self):
        shown = self.script(*self.meshes, "--tolerance", "1e9")
        self.assertEqual(shown.returncode, 1)
        self.assertIn("collision.tolerance", shown.stderr)
        shown = self.script(*self.meshes, "--min-separation", "nan")
        self.assertEqual(shown.returncode, 1)
        self.assertIn("collision.min_separation: nan", shown.stderr)
        self.assertEqual(self.script(self.meshes[0], self.folder / "nothing.obj").returncode, 2)
        self.assertEqual(self.script(*self.meshes, "--report", "all").returncode, 2)


if __name__ == "__main__":
    if importlib.util.find_spec("grpc") is None:
        print(f"skipped: {sys.executable} has no grpc; install python3-grpcio")
        sys.exit(processes.SKIPPED)
    processes.main()
