#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Warpyard Authors
# SPDX-License-Identifier: Apache-2.0

"""Tests `warpyard simplify` as a user starts it."""

import collections
import json
import math
import re
import struct
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


def sheet(name, quads, textured=False, first=1):
    """The lines of an OBJ file: a flat square of side 2, whose first vertex has the number `first`.

    Textures have a seam in the middle: coordinates are (x, y / 2), and (x, y / 2 + 1) right of it.
    """
    at = [(2 * x / quads, 2 * y / quads) for y in range(quads + 1) for x in range(quads + 1)]
    lines = [f"o {name}"] + [f"v {x} {y} 0" for x, y in at]
    if textured:
        lines += [f"vt {x} {y / 2 + side}" for side in (0, 1) for x, y in at]
    for y in range(quads):
        for x in range(quads):
            corner = y * (quads + 1) + x
            side = len(at) if 2 * x >= quads else 0
            lines.append("f " + " ".join(
                f"{first + vertex}/{vertex + side + 1}" if textured else str(first + vertex)
                for vertex in (corner, corner + 1, corner + quads + 2, corner + quads + 1)))
    return lines


def ring(sectors, rings):
    """The lines of an OBJ file: a flat ring between circles of radius 1 and 2."""
    lines = [f"v {radius * math.cos(turn)} {radius * math.sin(turn)} 0"
             for radius in (1 + i / rings for i in range(rings + 1))
             for turn in (2 * math.pi * sector / sectors for sector in range(sectors))]
    for r in range(rings):
        for s in range(sectors):
            a, b = 1 + r * sectors + s, 1 + r * sectors + (s + 1) % sectors
            lines.append(f"f {a} {a + sectors} {b + sectors} {b}")
    return lines


def read_glb(path):
    """The JSON of a GLB file."""
    data = path.read_bytes()
    length, kind = struct.unpack_from("<I4s", data, 12)
    assert data[:4] == b"glTF" and kind == b"JSON"
    return json.loads(data[20:20 + length])


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
                self.assertTrue(0 < written["max_error"] < 1, written)
                if goal[0] == "--error":
                    self.assertLessEqual(written["max_error"], 0.01)
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

    def test_keeps_seams_unless_attributes_are_dropped(self):
        seam = self.folder / "seam.obj"
        # Each triangle of a tetrahedron has normals of its own.
        seam.write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nvn 0 0 -1\nvn 0 -1 0\nvn -1 0 0\n"
                        "vn 1 1 1\nf 1//1 3//1 2//1\nf 1//2 2//2 4//2\nf 1//3 4//3 3//3\n"
                        "f 2//4 3//4 4//4\n", encoding="ascii")
        out = self.folder / "whole.obj"
        self.assertEqual(self.simplified(seam, out, "--ratio", "1"),
                         "4 of 4 triangles, 12 vertices\n")
        self.assertEqual(self.simplified(seam, out, "--ratio", "1", "--attributes", "drop"),
                         "4 of 4 triangles, 4 vertices\n")

    def test_keeps_the_seam_of_a_texture(self):
        textured, out = self.folder / "textured.obj", self.folder / "textured_out.obj"
        textured.write_text("\n".join(sheet("sheet", 16, textured=True)), encoding="ascii")
        self.simplified(textured, out, "--triangles", "100")
        lines = [line.split() for line in out.read_text(encoding="ascii").splitlines()]
        points = [tuple(map(float, line[1:4])) for line in lines if line[0] == "v"]
        uvs = [tuple(map(float, line[1:])) for line in lines if line[0] == "vt"]
        for line in lines:
            if line[0] != "f":
                continue
            corners = [tuple(int(number) - 1 for number in word.split("/")[:2])
                       for word in line[1:]]
            is_right = sum(points[point][0] for point, _ in corners) > 3
            for point, uv in corners:
                x, y, _ = points[point]
                self.assertAlmostEqual(uvs[uv][0], x, delta=0.05)
                self.assertAlmostEqual(uvs[uv][1], y / 2 + is_right, delta=0.05)

    def test_locks_borders(self):
        plane, out = self.folder / "plane.obj", self.folder / "plane_out.obj"
        plane.write_text("\n".join(sheet("plane", 16)), encoding="ascii")
        self.simplified(plane, out, "--triangles", "2")
        self.assertEqual(len(read_obj(out)[0]), 4)
        self.simplify(plane, out, "--triangles", "2", "--lock-borders")
        places = {point[:2] for point in read_obj(out)[0]}
        for i in range(17):
            self.assertIn((i / 8, 0), places)
            self.assertIn((2, i / 8), places)

    def test_frees_borders(self):
        flat, out = self.folder / "ring.obj", self.folder / "ring_out.obj"
        flat.write_text("\n".join(ring(40, 6)), encoding="ascii")
        self.simplified(flat, out, "--error", "1e-5")
        self.assertGreaterEqual(len(read_obj(out)[0]), 80, "both circles keep their points")
        self.simplified(flat, out, "--error", "1e-5", "--free-borders")
        self.assertLess(len(read_obj(out)[0]), 20)

    def test_keeps_detail_where_it_is_seen(self):
        views, out = self.folder / "views.json", self.folder / "seen.obj"
        sizes = []
        for eye in ([0, 0, 4], [0, 0, 400]):
            views.write_text(json.dumps({"views": [{"eye": eye, "near": 0.1}]}), encoding="ascii")
            self.simplified(self.model, out, "--view", views)
            sizes.append(len(read_obj(out)[1]))
        self.assertGreater(sizes[0], 4 * sizes[1])
        views.write_text('{"views": [{"nose": 1}]}', encoding="ascii")
        status, message = self.refused(self.model, out, "--view", views)
        self.assertEqual(status, 2)
        self.assertIn("views.json", message)

    def test_says_which_weights_have_no_effect(self):
        shown = self.simplify(self.model, self.folder / "weighted.obj", "--level", "3", "--weight",
                              "uvs=1", "--weight", "colours=1")
        self.assertEqual(shown.returncode, 0)
        self.assertEqual(shown.stderr, "warpyard: --weight: no mesh has uvs that are simplified with "
                                       "it, so uvs=1 has no effect\n")

    def test_takes_an_stl_file_as_the_mesh_that_it_was(self):
        plain, out = self.folder / "plain.stl", self.folder / "plain_out.ply"
        self.simplified(self.model, plain, "--ratio", "1")
        shown = self.simplified(plain, out, "--ratio", "1")
        self.assertEqual(shown, f"{TRIANGLES} of {TRIANGLES} triangles, "
                                f"{TRIANGLES // 2 + 2} vertices\n")

    def test_keeps_meshes_and_materials(self):
        scene = self.folder / "scene.obj"
        left, right = sheet("left", 20), sheet("right", 10, first=21 * 21 + 1)
        faces = [i for i, line in enumerate(left) if line.startswith("f")]
        left.insert(faces[len(faces) // 2], "usemtl blue")
        left.insert(faces[0], "usemtl red")
        scene.write_text("\n".join(left + right), encoding="ascii")
        out = self.folder / "scene.glb"
        statistics = self.folder / "scene.json"
        self.simplified(scene, out, "--triangles", "100", "--statistics", statistics)
        gltf = read_glb(out)
        self.assertEqual([mesh["name"] for mesh in gltf["meshes"]], ["left", "right"])
        self.assertEqual([material["name"] for material in gltf["materials"]], ["red", "blue"])
        triangles = [[gltf["accessors"][primitive["indices"]]["count"] // 3
                      for primitive in mesh["primitives"]] for mesh in gltf["meshes"]]
        self.assertEqual([len(mesh) for mesh in triangles], [2, 1])
        self.assertLessEqual(sum(triangles[0]), 80)
        self.assertLessEqual(sum(triangles[1]), 20)
        written = json.loads(statistics.read_text(encoding="utf-8"))
        self.assertEqual(written["input_triangles"], 1000)
        self.assertEqual(written["triangles"], sum(map(sum, triangles)))
        self.assertEqual([mesh["triangles"] for mesh in written["meshes"]],
                         [sum(mesh) for mesh in triangles])
        self.server.wait_for_metric("warpyard_residents 0")

    def test_writes_levels_of_detail(self):
        out, statistics = self.folder / "lod.glb", self.folder / "lod.json"

        def jobs():
            return int(re.search(r'finished_total{kind="simplify_levels",outcome="ok"} (\d+)',
                                 self.server.metrics())[1])

        before = jobs()
        shown = self.simplified(self.model, out, "--lods", "4", "--statistics", statistics)
        self.assertFalse(out.exists())
        levels = json.loads(statistics.read_text(encoding="utf-8"))["lods"]
        most = TRIANGLES / 2
        self.assertEqual(jobs(), before + 1, "all levels are one job")
        for i, (line, level) in enumerate(zip(shown.splitlines(), levels, strict=True)):
            path = self.folder / f"lod_{i}.glb"
            self.assertTrue(line.startswith(f"{path}: {level['triangles']} of {TRIANGLES} "), line)
            self.assertEqual(level["file"], str(path))
            self.assertTrue(path.exists())
            self.assertLessEqual(level["triangles"], most)
            self.assertGreater(level["triangles"], 0.9 * most)
            most /= 2
        self.simplified(self.model, out, "--lods", "3", "--error", "0.004", "--statistics",
                        statistics)
        self.assertEqual(jobs(), before + 2, "levels of errors are one job, too")
        levels = json.loads(statistics.read_text(encoding="utf-8"))["lods"]
        for level, error in zip(levels, (0.004, 0.008, 0.016), strict=True):
            self.assertLessEqual(level["max_error"], 1.001 * error)
            self.assertGreater(level["max_error"], error / 4)
        self.assertGreater(levels[0]["triangles"], levels[1]["triangles"])
        self.assertGreater(levels[1]["triangles"], levels[2]["triangles"])
        self.simplified(self.model, out, "--lods", "1", "--triangles", "100")
        self.assertEqual(read_glb(self.folder / "lod_0.glb")["asset"]["version"], "2.0")

    def test_verifies_the_file_that_it_wrote(self):
        statistics = self.folder / "verified.json"
        for name in ("verified.obj", "verified.stl"):
            shown = self.simplified(self.model, self.folder / name, "--triangles", "500", "--verify",
                                    "--statistics", statistics)
            self.assertIn("\ndistance from IN: RMS ", shown)
            verification = json.loads(statistics.read_text(encoding="utf-8"))["verification"]
            self.assertLess(verification["rms"], verification["max"])
            self.assertLess(verification["max"], 0.05)
            self.assertGreater(verification["rms"], 1e-4)
            self.assertEqual(verification["samples"], 100_000)
            for count in ("border_edges", "non_manifold_edges", "degenerate_triangles"):
                self.assertEqual(verification[count], 0, count)

    def test_compresses_glb_files(self):
        plain, compressed = self.folder / "plain.glb", self.folder / "compressed.glb"
        self.simplified(self.model, plain, "--triangles", "1000")
        self.simplified(self.model, compressed, "--triangles", "1000", "--meshopt")
        self.assertIn("EXT_meshopt_compression", read_glb(compressed)["extensionsRequired"])
        self.assertLess(compressed.stat().st_size, plain.stat().st_size)
        again = self.simplified(compressed, self.folder / "again.ply", "--ratio", "1")
        self.assertEqual(again, self.simplified(plain, self.folder / "again.ply", "--ratio", "1"))

    def test_replaces_files_whole_or_not_at_all(self):
        model = self.folder / "same.obj"
        model.write_bytes(self.model.read_bytes())
        self.simplified(model, model, "--triangles", "500")
        self.assertLessEqual(len(read_obj(model)[1]), 500)
        before = model.read_bytes()
        self.assertEqual(self.refused(model, model, "--triangles", "1", "--deadline", "0.001")[0], 1)
        self.assertEqual(model.read_bytes(), before)
        status, message = self.refused(self.model, model, "--level", "3", "--statistics", model)
        self.assertEqual(status, 2)
        self.assertIn("same.obj is the file of a mesh, too", message)
        self.assertEqual(model.read_bytes(), before)
        shown = self.simplify(self.model, model, "--triangles", "100", "--statistics", "/dev/full")
        self.assertEqual(shown.returncode, 2)
        self.assertIn("/dev/full: cannot write", shown.stderr)
        self.assertLessEqual(len(read_obj(model)[1]), 100)
        self.assertEqual(list(self.folder.glob("*.part")), [])

    def test_gives_its_best_until_the_deadline(self):
        self.simplified(self.model, self.folder / "soon.obj", "--triangles", "300", "--deadline",
                        "60000", "--best-effort")
        status, message = self.refused(self.model, self.folder / "late.obj", "--triangles", "300",
                                       "--deadline", "0.001")
        self.assertEqual(status, 1)
        self.assertIn("deadline", message)
        self.assertFalse((self.folder / "late.obj").exists())

    def test_sends_and_takes_meshes_that_are_larger_than_messages(self):
        large, out = self.folder / "large.obj", self.folder / "large_out.obj"
        # More than 8 MiB as a request, and results of more than 1 MiB.
        large.write_text("\n".join(sheet("large", 500)), encoding="ascii")
        with Server("--max-request-mib", "2", "--max-response-mib", "1") as server:
            def simplified(*flags):
                shown = run(CLI, "simplify", large, out, "--ratio", "0.5", "--finish", "cut",
                            "--server", server.address, *flags)
                self.assertEqual((shown.returncode, shown.stderr), (0, ""))
                return out.read_bytes(), server.metrics()

            one_stream = 'code="OK",method="warpyard.v1.UploadService/Upload"} 1\n'
            first, metrics = simplified("--keep-upload")
            self.assertIn("\nwarpyard_uploads 1\n", metrics)
            self.assertIn(one_stream, metrics)
            again, metrics = simplified()
            self.assertEqual(again, first)
            self.assertIn(one_stream, metrics, "what the server has is not sent again")
            self.assertIn("\nwarpyard_uploads 0\n", metrics)
            server.wait_for_metric("warpyard_residents 0")

    def test_exit_status_says_who_was_wrong(self):
        out = self.folder / "none.obj"
        for words, status, part in (
                ((self.model, out), 2, "0 goals, expected one of"),
                ((self.model, out, "--triangles", "many"), 2, "--triangles: \"many\""),
                ((self.folder / "missing.ply", out, "--level", "1"), 2, "missing.ply"),
                ((self.model, out, "--level", "22"), 2, "--level: \"22\", expected a whole number"),
                ((self.model, out, "--ratio", "7"), 2, "--ratio: \"7\", expected a number of more")):
            shown = self.simplify(*words)
            self.assertEqual(shown.returncode, status, words)
            self.assertIn(part, shown.stderr)
        self.assertFalse(out.exists())
        # Found before IN is read.
        for name, part in (("out.xyz", "out.xyz: the name ends with none of .ply"),
                           ("no/out.ply", "no/out.ply: cannot write: No such file")):
            shown = self.simplify(self.folder / "missing.ply", self.folder / name, "--level", "3")
            self.assertEqual(shown.returncode, 2, name)
            self.assertIn(part, shown.stderr)
        refused = run(CLI, "simplify", self.model, out, "--level", "1", "--server", "127.0.0.1:1")
        self.assertEqual(refused.returncode, 1)
        shown = run(CLI, "simplify", "--help")
        self.assertEqual((shown.returncode, shown.stderr), (0, ""))
        self.assertIn("usage: warpyard simplify IN OUT", shown.stdout)
        self.assertIn("expected collide, simplify, grammar, token or health", run(CLI, "frob").stderr)


if __name__ == "__main__":
    processes.main()
