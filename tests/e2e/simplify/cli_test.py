#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Warpyard Authors
# SPDX-License-Identifier: Apache-2.0

"""Tests `warpyard simplify` as a user starts it."""

import collections
import json
import math
import tempfile
import unittest
from pathlib import Path

import processes
from processes import CLI, Server, run

RINGS, SECTORS = 30, 60
TRIANGLES = 2 * RINGS * SECTORS


def sphere():
    """The lines of an OBJ file: a closed sphere of radius 1, with a colour at each vertex."""
    def at(ring, sector):
        return 1 + ring * SECTORS + sector % SECTORS

    points = [(math.sin(polar) * math.cos(turn), math.sin(polar) * math.sin(turn), math.cos(polar))
              for polar in (math.pi * (ring + 1) / (RINGS + 1) for ring in range(RINGS))
              for turn in (2 * math.pi * sector / SECTORS for sector in range(SECTORS))]
    points += [(0, 0, 1), (0, 0, -1)]
    top, bottom = len(points) - 1, len(points)
    lines = [f"v {x} {y} {z} {0.5 + x / 2:.3f} 0 1" for x, y, z in points]
    for s in range(SECTORS):
        lines.append(f"f {top} {at(0, s)} {at(0, s + 1)}")
        for r in range(RINGS - 1):
            lines.append(f"f {at(r, s)} {at(r + 1, s)} {at(r + 1, s + 1)} {at(r, s + 1)}")
        lines.append(f"f {bottom} {at(RINGS - 1, s + 1)} {at(RINGS - 1, s)}")
    return lines


def read_obj(path):
    """The points with their colours, and the triangles, of an OBJ file."""
    words = [line.split() for line in path.read_text(encoding="ascii").splitlines()]
    points = [tuple(map(float, line[1:])) for line in words if line and line[0] == "v"]
    triangles = [tuple(int(word.split("/")[0]) - 1 for word in line[1:])
                 for line in words if line and line[0] == "f"]
    return points, triangles


class Simplify(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        cls.model = cls.folder / "sphere.obj"
        cls.model.write_text("\n".join(sphere()) + "\n", encoding="ascii")
        cls.server = Server()
        cls.addClassCleanup(cls.server.__exit__)

    def simplify(self, *words):
        return run(CLI, "simplify", *words, "--server", self.server.address)

    def simplified(self, *words):
        """Runs a command that must succeed; returns what it printed."""
        shown = self.simplify(*words)
        self.assertEqual((shown.returncode, shown.stderr), (0, ""))
        return shown.stdout

    def refused(self, *words):
        """Runs a command that must fail; returns its exit status and its message."""
        shown = self.simplify(*words)
        self.assertEqual(shown.stdout, "")
        self.assertTrue(shown.stderr.startswith("warpyard: "), shown.stderr)
        return shown.returncode, shown.stderr

    def test_reaches_each_goal_and_keeps_the_sphere_closed(self):
        out, statistics = self.folder / "out.obj", self.folder / "statistics.json"
        for goal, most in ((("--triangles", "300"), 300), (("--ratio", "0.1"), TRIANGLES / 10),
                           (("--error", "0.01"), TRIANGLES / 2), (("--level", "3"), TRIANGLES / 2),
                           (("--max-bytes", "9000"), 9000 / 18)):
            for finish in ("collapse", "cut"):
                shown = self.simplified(self.model, out, *goal, "--finish", finish, "--statistics",
                                        statistics)
                points, triangles = read_obj(out)
                self.assertEqual(shown, f"{len(triangles)} of {TRIANGLES} triangles, {len(points)} "
                                        "vertices\n")
                self.assertLessEqual(len(triangles), most)
                edges = collections.Counter(
                    (t[i], t[(i + 1) % 3]) for t in triangles for i in range(3))
                self.assertEqual(set(edges.values()), {1})
                self.assertTrue(all((b, a) in edges for a, b in edges))
                written = json.loads(statistics.read_text(encoding="utf-8"))
                self.assertEqual(written["triangles"], len(triangles))
                self.assertEqual(written["vertices"], len(points))
                self.assertEqual(written["input_triangles"], TRIANGLES)
                self.assertEqual(written["shortfall"], "none")
                self.assertEqual("collapse" in written["phases_ms"], finish == "collapse")
        self.server.wait_for_metric("warpyard_residents 0")

    def test_takes_colours_from_vertices_nearby(self):
        out = self.folder / "coloured.obj"
        self.simplified(self.model, out, "--triangles", "500")
        for x, y, z, red, green, blue in read_obj(out)[0]:
            self.assertAlmostEqual(math.hypot(x, y, z), 1, delta=0.1)
            self.assertAlmostEqual(red, 0.5 + x / 2, delta=0.2)
            self.assertEqual((green, blue), (0, 1))

    def test_writes_every_format(self):
        for name in ("out.ply", "out.stl", "out.glb"):
            out = self.folder / name
            self.simplified(self.model, out, "--triangles", "500")
            again = self.simplified(out, self.folder / "again.obj", "--triangles", "200",
                                    "--attributes", "drop")
            self.assertLessEqual(int(again.split()[0]), 200, name)

    def test_refuses_seams_unless_attributes_are_dropped(self):
        seam = self.folder / "seam.obj"
        # Each triangle of a tetrahedron has normals of its own.
        seam.write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nvn 0 0 -1\nvn 0 -1 0\nvn -1 0 0\n"
                        "vn 1 1 1\nf 1//1 3//1 2//1\nf 1//2 2//2 4//2\nf 1//3 4//3 3//3\n"
                        "f 2//4 3//4 4//4\n", encoding="ascii")
        out = self.folder / "whole.obj"
        status, message = self.refused(seam, out, "--ratio", "1")
        self.assertEqual(status, 2)
        self.assertIn("seam.obj: there is a seam", message)
        self.assertIn("--attributes drop", message)
        self.assertFalse(out.exists())
        self.assertEqual(self.simplified(seam, out, "--ratio", "1", "--attributes", "drop"),
                         "4 of 4 triangles, 4 vertices\n")

    def test_gives_its_best_until_the_deadline(self):
        self.simplified(self.model, self.folder / "soon.obj", "--triangles", "300", "--deadline",
                        "60000", "--best-effort")
        status, message = self.refused(self.model, self.folder / "late.obj", "--triangles", "300",
                                       "--deadline", "0.001")
        self.assertEqual(status, 1)
        self.assertIn("deadline", message)
        self.assertFalse((self.folder / "late.obj").exists())

    def test_exit_status_says_who_was_wrong(self):
        out = self.folder / "none.obj"
        for words, status, part in (
                ((self.model, out), 2, "0 goals, expected one of"),
                ((self.model, out, "--triangles", "many"), 2, "--triangles: \"many\""),
                ((self.folder / "missing.ply", out, "--level", "1"), 2, "missing.ply"),
                ((self.model, self.folder / "out.xyz", "--level", "3"), 2, "out.xyz"),
                ((self.model, out, "--level", "22"), 1, "level: 22, expected 0 to 21"),
                ((self.model, out, "--ratio", "7"), 1, "ratio: 7, expected more than 0")):
            shown = self.simplify(*words)
            self.assertEqual(shown.returncode, status, words)
            self.assertIn(part, shown.stderr)
        self.assertFalse(out.exists())
        refused = run(CLI, "simplify", self.model, out, "--level", "1", "--server", "127.0.0.1:1")
        self.assertEqual(refused.returncode, 1)
        shown = run(CLI, "simplify", "--help")
        self.assertEqual((shown.returncode, shown.stderr), (0, ""))
        self.assertIn("usage: warpyard simplify IN OUT", shown.stdout)
        self.assertIn("expected collide or simplify", run(CLI, "frob").stderr)


if __name__ == "__main__":
    processes.main()
