#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Warpyard Authors
# SPDX-License-Identifier: Apache-2.0

"""Tests the pictures of collisions, read back by a decoder of their own."""

import json
import struct
import sys
import tempfile
import unittest
import zlib
from pathlib import Path

import processes
from processes import run

SCRIPT = processes.SOURCE / "client_examples/python/render_collisions.py"
WIDTH, HEIGHT = 64, 40


def decode(data):
    """The pixels of a PNG of three bytes a pixel, row by row."""
    width, height = struct.unpack(">2I", data[16:24])
    at, packed = 8, b""
    while at < len(data):
        (length,) = struct.unpack(">I", data[at:at + 4])
        name, body = data[at + 4:at + 8], data[at + 8:at + 8 + length]
        (check,) = struct.unpack(">I", data[at + 8 + length:at + 12 + length])
        assert check == zlib.crc32(name + body)
        packed += body if name == b"IDAT" else b""
        at += 12 + length
    lines, above, rows = zlib.decompress(packed), bytes(3 * width), []
    for y in range(height):
        line = lines[y * (3 * width + 1):(y + 1) * (3 * width + 1)]
        row = bytearray()
        for x, value in enumerate(line[1:]):
            left, corner = (row[x - 3], above[x - 3]) if x >= 3 else (0, 0)
            guesses = (left, above[x], corner)
            near = min(guesses, key=lambda guess: abs(left + above[x] - corner - guess))
            row.append((value + (0, left, above[x], (left + above[x]) // 2, near)[line[0]]) & 255)
        rows.append([tuple(row[i:i + 3]) for i in range(0, len(row), 3)])
        above = row
    return rows


class Render(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        # Two triangles that stand beside each other and face the camera.
        self.mesh = self.folder / "mesh.obj"
        self.mesh.write_text("v 0 0 0\nv 1 0 0\nv 0.5 0 1\nv 2 0 0\nv 3 0 0\nv 2.5 0 1\n"
                             "f 1 2 3\nf 4 5 6\n", encoding="ascii")

    def render(self, collisions):
        listed, out = self.folder / "collisions.json", self.folder / "out.png"
        listed.write_text(json.dumps(collisions), encoding="ascii")
        shown = run(sys.executable, SCRIPT, self.mesh, listed, out, "--width", WIDTH,
                    "--height", HEIGHT)
        self.assertEqual(shown.returncode, 0, shown.stderr)
        rows = decode(out.read_bytes())
        self.assertEqual((len(rows), len(rows[0])), (HEIGHT, WIDTH))
        return rows

    @staticmethod
    def red_columns(rows):
        return [x for row in rows for x, (red, green, blue) in enumerate(row)
                if red > 1.5 * green and red > 1.5 * blue]

    def test_marks_the_triangles_that_collide(self):
        none = self.red_columns(self.render({"vertex_face": [], "edge_edge": []}))
        self.assertEqual(none, [])
        face = self.red_columns(self.render({"vertex_face": [[0, 1, 0.0]], "edge_edge": []}))
        self.assertGreater(len(face), 20)
        self.assertGreater(min(face), WIDTH // 2)
        edges = self.red_columns(self.render({"vertex_face": [], "edge_edge": [[0, 1, 1, 2, 0.0]]}))
        self.assertGreater(len(edges), 20)
        self.assertLess(max(edges), WIDTH // 2)

    def test_names_the_file_that_it_cannot_read(self):
        good, other = self.folder / "good.json", self.folder / "other.json"
        good.write_text('{"vertex_face": [], "edge_edge": []}', encoding="ascii")
        other.write_text('{"vertex_face": [[0, 9, 0.5]], "edge_edge": []}', encoding="ascii")
        for mesh, collisions, problem in (
                (self.folder / "nothing.ply", good, "nothing.ply: No such file"),
                (self.mesh, self.mesh, f"{self.mesh}: not what"),
                (self.mesh, other, "face 9 does not exist"),
                (self.mesh, self.folder / "nothing.json", "nothing.json")):
            shown = run(sys.executable, SCRIPT, mesh, collisions, self.folder / "out.png")
            self.assertEqual(shown.returncode, 2)
            self.assertIn(problem, shown.stderr)
            self.assertNotIn("Traceback", shown.stderr)


if __name__ == "__main__":
    processes.main()
