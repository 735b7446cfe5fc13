#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Warpyard Authors
# SPDX-License-Identifier: Apache-2.0

"""Tests the Python clients against a server, and that they agree with the C++ client."""

import importlib.util
import json
import math
import struct
import sys
import tempfile
import unittest
from pathlib import Path

import processes
from processes import Server, collide, run

sys.path.append(str(processes.SOURCE / "client_examples/python"))
import mesh_files

SCRIPT = processes.SOURCE / "client_examples/python/warpyard_collide.py"
SIMPLIFY = processes.SOURCE / "client_examples/python/simplify_mesh.py"


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


def write_hills(path, quads=20):
    """Writes a sheet of hills as OBJ; returns the number of its triangles."""
    rows = range(quads + 1)
    lines = [f"v {x} {y} {math.sin(x / 3) * math.cos(y / 4)!r}" for y in rows for x in rows]
    for y in range(quads):
        for x in range(quads):
            corner = 1 + y * (quads + 1) + x
            lines.append(f"f {corner} {corner + 1} {corner + quads + 2} {corner + quads + 1}")
    path.write_text("\n".join(lines), encoding="ascii")
    return 2 * quads * quads


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
                      ["--min-separation", "0.6", "--max-time", "0.9", "--geometry", "on"],
                      ["--traversal", "work-queue", "--volume", "oriented", "--build", "top-down"]):
            results = []
            for client in (self.script, lambda *a: collide(self.server, *a)):
                out = self.folder / "out.json"
                shown = client(*self.meshes, "--out", out, *flags)
                self.assertEqual(shown.returncode, 0, shown.stderr)
                result = json.loads(out.read_text(encoding="utf-8"))
                self.assertGreaterEqual(len(result["statistics"].pop("phases_ms")), 6)
                self.assertEqual("traversal" in result["statistics"], "--traversal" in flags)
                results.append(result)
            self.assertEqual(results[0], results[1])
        self.server.wait_for_metric("warpyard_residents 0")

    def test_every_method_finds_the_same(self):
        results = []
        for traversal in ("clusters", "independent", "work-queue", "compaction", "balancing",
                          "stealing", "front"):
            for build in ("morton", "top-down"):
                out = self.folder / "out.json"
                shown = self.script(*self.meshes, "--out", out, "--traversal", traversal,
                                    "--build", build)
                self.assertEqual(shown.returncode, 0, shown.stderr)
                result = json.loads(out.read_text(encoding="utf-8"))
                statistics = result.pop("statistics").get("traversal", {})
                self.assertEqual(statistics.get("visited_node_pairs", 0) > 0,
                                 traversal not in ("clusters", "independent"))
                results.append(result)
        self.assertEqual(len(results[0]["vertex_face"]), 1)
        for result in results:
            self.assertEqual(result, results[0])

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
        shown = self.script(*self.meshes, "--volume", "oriented")
        self.assertEqual(shown.returncode, 1)
        self.assertIn("collision.bounding_volume: oriented boxes need the traversal", shown.stderr)
        shown = self.script(*self.meshes, "--min-separation", "nan")
        self.assertEqual(shown.returncode, 1)
        self.assertIn("collision.min_separation: nan", shown.stderr)
        self.assertEqual(self.script(*self.meshes, "--report", "all").returncode, 2)
        shown = self.script(*self.meshes, "--deadline", "0")
        self.assertEqual(shown.returncode, 2)
        self.assertIn("--deadline", shown.stderr)
        shown = self.script(*self.meshes, "--out", self.folder / "no/such/folder")
        self.assertEqual(shown.returncode, 2)
        self.assertIn("no/such/folder: No such file or directory", shown.stderr)
        self.assertNotIn("Traceback", shown.stderr)
        shown = run(sys.executable, SCRIPT, *self.meshes, "--server", "127.0.0.1:1")
        self.assertEqual(shown.returncode, 1)
        self.assertIn("no server answers at 127.0.0.1:1", shown.stderr)

    def test_help_explains_every_flag(self):
        shown = run(sys.executable, SCRIPT, "--help")
        self.assertEqual(shown.returncode, 0)
        for part in ("never misses a collision", "gives up after", "HOST:PORT", "swept boxes"):
            self.assertIn(part, " ".join(shown.stdout.split()))

    def test_earliest_prints_only_the_earliest_time(self):
        shown = self.script(*self.meshes, "--report", "earliest")
        self.assertRegex(shown.stdout, r"^earliest 0\.49999\d+\n$")
        shown = self.script(*self.meshes, "--report", "candidates")
        self.assertNotIn("earliest", shown.stdout)

    def test_refuses_frames_of_different_meshes_as_the_other_client_does(self):
        start, end = self.meshes
        end.write_text(processes.FALLING_END.replace("f 4 5 6", "f 4 6 5"), encoding="ascii")
        for shown in (self.script(start, end), collide(self.server, start, end)):
            self.assertEqual(shown.returncode, 2)
            self.assertIn(f"{end}: the triangles differ from those of {start}\n", shown.stderr)
        end.write_text(processes.FALLING_END + "v 0 0 0\n", encoding="ascii")
        for shown in (self.script(start, end), collide(self.server, start, end)):
            self.assertEqual(shown.returncode, 2)
            self.assertIn(f"{end}: 7 vertices, expected 6 as in {start}\n", shown.stderr)

    def test_skips_a_byte_order_mark(self):
        for path in self.meshes:
            path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
        for shown in (self.script(*self.meshes), collide(self.server, *self.meshes)):
            self.assertEqual(shown.returncode, 0, shown.stderr)
            self.assertIn("1 vertex-face and 0 edge-edge pairs", shown.stdout)

    def test_names_the_file_and_the_place_that_it_cannot_read(self):
        points = "v 0 0 0\nv 4 0 0\nv 0 4 0\n"
        header = ("ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n"
                  "property float z\nelement face 1\nproperty list uchar int vertex_indices\n"
                  "end_header\n0 0 0 4 0 0 0 4 0\n")
        bad = self.folder / "bad.obj"
        for text, problem in (
                (points + "f 1 2 -9\n", 'line 4: "-9" is not a vertex of a face'),
                (points + "f 0 1 2\n", 'line 4: "0" is not a vertex of a face'),
                (points + "f 1 2 4\n", "triangle 0: vertex 3 does not exist, there are 3"),
                (points + "f 1 2 99999999999\n", "triangle 0: vertex 99999999998 does not exist"),
                (points + "f 1 2\n", "line 4: a face needs at least 3 vertices, not 2"),
                (points + "v 1 2\n", "line 4: "), ("v a b c\n", "line 1: "),
                (points + "v 1 2 inf\n", "a coordinate is not finite"), ("", "no vertices"),
                (header + "3 0 1 -1\n", "triangle 0: vertex -1 does not exist, there are 3"),
                (header + "3 0 1\n", "face 0: the file ends too early"),
                (header.replace(" 3\n", " 99999999999\n"), "vertex 3: the file ends too early"),
                (header.replace("float x", "frob x"), 'line 4: cannot read "property frob x"'),
                ("ply\n", "the header has no end_header")):
            bad.write_text(text, encoding="ascii")
            shown = self.script(self.meshes[0], bad)
            self.assertEqual(shown.returncode, 2, text)
            self.assertIn(f"warpyard_collide: {bad}: {problem}", shown.stderr)
            self.assertNotIn("Traceback", shown.stderr)
        shown = self.script(self.folder / "nothing.obj", bad)
        self.assertEqual(shown.returncode, 2)
        self.assertIn("nothing.obj: No such file or directory\n", shown.stderr)


class SimplifyMesh(unittest.TestCase):
    def setUp(self):
        self.server = Server()
        self.addCleanup(self.server.__exit__)
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.mesh = self.folder / "hills.obj"
        self.triangles = write_hills(self.mesh)

    def script(self, *arguments):
        return run(sys.executable, SIMPLIFY, *arguments, "--server", self.server.address)

    def test_writes_levels_and_prints_a_table(self):
        for ending in ("ply", "obj"):
            shown = self.script(self.mesh, self.folder / f"out.{ending}", "--triangles", "300,40")
            self.assertEqual((shown.returncode, shown.stderr), (0, ""))
            opened, header, *rows = shown.stdout.splitlines()
            self.assertTrue(opened.startswith(f"{self.triangles} triangles, 441 vertices, "))
            self.assertEqual(header.split(), ["file", "triangles", "vertices", "error", "ms"])
            for i, (row, most) in enumerate(zip(rows, (300, 40), strict=True)):
                path = self.folder / f"out_{i}.{ending}"
                file, triangles, vertices, error, ms = row.split()
                self.assertEqual(file, str(path))
                self.assertTrue(0 < float(error) < 1, error)
                self.assertGreater(float(ms), 0)
                positions, corners = mesh_files.read_mesh(path)
                self.assertEqual((len(corners), len(positions)),
                                 (3 * int(triangles), 3 * int(vertices)))
                self.assertLessEqual(int(triangles), most)
                self.assertGreater(int(triangles), most / 2)
        self.server.wait_for_metric("warpyard_residents 0")

    def test_agrees_with_the_other_client(self):
        ours, theirs = self.folder / "ours.obj", self.folder / "theirs.obj"
        shown = self.script(self.mesh, ours, "--errors", "0.05", "--finish", "cut")
        self.assertEqual(shown.returncode, 0, shown.stderr)
        self.assertLessEqual(float(shown.stdout.split()[-2]), 0.05)
        shown = run(processes.CLI, "simplify", self.mesh, theirs, "--error", "0.05", "--finish",
                    "cut", "--server", self.server.address)
        self.assertEqual(shown.returncode, 0, shown.stderr)
        self.assertEqual(mesh_files.read_mesh(self.folder / "ours_0.obj"),
                         mesh_files.read_mesh(theirs))

    def test_halves_three_times_unless_told_otherwise(self):
        shown = self.script(self.mesh, self.folder / "out.ply")
        counts = [int(row.split()[1]) for row in shown.stdout.splitlines()[2:]]
        self.assertEqual(len(counts), 3)
        for count, ratio in zip(counts, (0.5, 0.25, 0.125)):
            self.assertLessEqual(count, ratio * self.triangles)

    def test_exit_status_says_who_was_wrong(self):
        out = self.folder / "out.ply"
        for words, status, part in (
                ((self.mesh, out, "--ratios", "7"), 1, "ratio: 7, expected more than 0"),
                ((self.mesh, out, "--ratios", "x"), 2, "--ratios"),
                ((self.mesh, out, "--ratios", "0.5", "--errors", "1"), 2, "not allowed with"),
                ((self.mesh, self.folder / "out.glb"), 2, "neither with .obj nor with .ply"),
                ((self.mesh, self.folder / "no/out.ply"), 2, "No such file or directory"),
                ((self.folder / "none.obj", out), 2, "none.obj: No such file or directory")):
            shown = self.script(*words)
            self.assertEqual((shown.returncode, shown.stdout), (status, ""), words)
            self.assertIn(part, shown.stderr)
            self.assertNotIn("Traceback", shown.stderr)
        self.assertEqual([path.name for path in self.folder.iterdir()], ["hills.obj"])
        shown = run(sys.executable, SIMPLIFY, self.mesh, out, "--server", "127.0.0.1:1")
        self.assertEqual(shown.returncode, 1)
        self.assertIn("no server answers at 127.0.0.1:1", shown.stderr)


if __name__ == "__main__":
    if importlib.util.find_spec("grpc") is None:
        print(f"skipped: {sys.executable} has no grpc; install python3-grpcio")
        sys.exit(processes.SKIPPED)
    processes.main()
