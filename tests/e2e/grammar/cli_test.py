#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Warpyard Authors
# SPDX-License-Identifier: Apache-2.0

"""Tests `warpyard grammar` and the clients that draw cities, as a user starts them."""

import csv
import json
import struct
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import processes
from processes import CLI, SKIPPED, SOURCE, Server, run

GRAMMARS = SOURCE / "client_examples/grammars"
TOWN, TOWERS = GRAMMARS / "town.wyg", GRAMMARS / "tower.wyg"
PARCELS = GRAMMARS / "town.geojson"
VALIDATE = SOURCE / "tests/unit/client_examples/mesh_io/gltf/validate.cjs"
PYTHON = SOURCE / "client_examples/python"
INSTANCE = struct.Struct("<3f4f3f2HI4B2HQ")

TWO_FLOORS = """wyg 1;
attr floors = 2 in [1..9];
style tall { floors = 5; }
start Lot;
rule Lot = report("floors", floors) size(0, floors * 3, 0) repeat(y, 3) { Floor };
rule Floor = box(wall) comp { front : quad(glass) };
"""


def read_glb(path):
    """The JSON and the binary chunk of a GLB file."""
    data = path.read_bytes()
    length, kind = struct.unpack_from("<I4s", data, 12)
    assert data[:4] == b"glTF" and kind == b"JSON"
    assert len(data) == struct.unpack_from("<I", data, 8)[0]
    return json.loads(data[20:20 + length]), data[28 + length:]


def read_instances(path):
    """The names and the instances of a .wyi file."""
    data = path.read_bytes()
    magic, length = struct.unpack_from("<4sI", data)
    assert magic == b"wyi1" and (8 + length) % 64 == 0
    return json.loads(data[8:8 + length]), list(INSTANCE.iter_unpack(data[8 + length:]))


def numbers(gltf, binary, accessor, width):
    """The elements of an accessor of floats."""
    found = gltf["accessors"][accessor]
    begin = gltf["bufferViews"][found["bufferView"]]["byteOffset"]
    values = struct.unpack_from(f"<{found['count'] * width}f", binary, begin)
    return list(zip(*[iter(values)] * width))


class Grammar(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        cls.small = cls.folder / "small.wyg"
        cls.small.write_text(TWO_FLOORS, encoding="utf-8")
        cls.server = Server()
        cls.addClassCleanup(cls.server.__exit__)

    def grammar(self, *words):
        return run(CLI, "grammar", *words, "--server", self.server.address)

    def done(self, *words):
        """Runs a command that must succeed; returns what it printed, but for notes."""
        shown = self.grammar(*words)
        self.assertRegex(shown.stderr, r"\A(warpyard: note: .*\n)*\Z")
        self.assertEqual(shown.returncode, 0)
        return shown.stdout

    def refused(self, *words):
        """Runs a command that must fail; returns its exit status and its message."""
        shown = self.grammar(*words)
        self.assertEqual(shown.stdout, "")
        self.assertTrue(shown.stderr.startswith("warpyard: "), shown.stderr)
        return shown.returncode, shown.stderr

    def test_checks_grammars(self):
        for path in (TOWN, TOWERS):
            # Without warnings before it.
            self.assertRegex(self.done("check", path), r"\A[^\n]*: \d+ rules, no errors\n\Z")
        bad = self.folder / "bad.wyg"
        bad.write_text("wyg 1;\nstart Lot;\nrule Lot = spilt(x) { 1 : nil }\n  bxo(wall);\n",
                       encoding="utf-8")
        shown = self.grammar("check", bad)
        self.assertEqual(shown.returncode, 1)
        self.assertEqual(shown.stderr, "")
        lines = shown.stdout.splitlines()
        self.assertRegex(lines[0], rf"^{bad}:3:12: E\d\d\d .*'spilt'.*'split'")
        self.assertEqual(lines[1], "  rule Lot = spilt(x) { 1 : nil }")
        self.assertEqual(lines[2].index("^"), lines[1].index("spilt"))
        self.server.wait_for_metric("warpyard_residents 0")

    def test_reads_imports_from_the_folder(self):
        main = self.folder / "main.wyg"
        main.write_text('wyg 1;\nimport "parts.wyg";\nimport "gone.wyg";\nstart Lot;\n',
                        encoding="utf-8")
        (self.folder / "parts.wyg").write_text("wyg 1;\nrule Lot = box(wall;\n", encoding="utf-8")
        shown = self.grammar("check", main)
        self.assertEqual(shown.returncode, 1)
        self.assertIn(f"{self.folder / 'parts.wyg'}:2:", shown.stdout)
        self.assertIn(f"{main}:3:", shown.stdout)
        main.write_text('wyg 1; import "../parts.wyg";', encoding="utf-8")
        self.assertEqual(self.refused("check", main)[0], 2)

    def test_derives_lots(self):
        out, report = self.folder / "lots.wyi", self.folder / "lots.csv"
        statistics = self.folder / "lots.json"
        shown = self.done("derive", self.small, "--lots", "3x2", "--lot-size", "10x20x30", "--gap",
                          "2", "--attr", "floors=4", "--out", out, "--report", report,
                          "--statistics", statistics)
        self.assertRegex(shown, r"^48 instances of 6 buildings, ")
        names, instances = read_instances(out)
        self.assertEqual([mesh["name"] for mesh in names["meshes"]],
                         ["box", "quad", "cyl", "prism", "tri"])
        self.assertEqual(len(instances), 48)
        self.assertEqual({values[12] for values in instances}, set(range(6)))
        boxes = [values for values in instances if values[10] == 0 and values[12] == 5]
        self.assertEqual({values[:3] for values in boxes}, {(24, y, 32) for y in (0, 3, 6, 9)})
        self.assertEqual({values[7:10] for values in boxes}, {(10, 3, 30)})
        with open(report, encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual([row["floors"] for row in rows], ["4"] * 6)
        written = json.loads(statistics.read_text(encoding="utf-8"))
        self.assertEqual((written["terminals"], written["reports"]), (48, {"floors": 24}))
        self.assertEqual(sum(rule["terminals"] for rule in written["rules"]), 48)
        self.assertGreater(written["nodes"], 0)
        self.assertIn("derive", written["phases_ms"])

    def test_styles_and_flags_set_attributes(self):
        self.assertRegex(self.done("derive", self.small), "^4 instances ")
        self.assertRegex(self.done("derive", self.small, "--style", "tall"), "^10 instances ")
        self.assertRegex(self.done("derive", self.small, "--attr", "floors=1"), "^2 instances ")
        status, message = self.refused("derive", self.small, "--attr", "flors=1")
        self.assertEqual(status, 1)
        self.assertIn("flors", message)

    def test_derives_a_town_from_a_map(self):
        out, report = self.folder / "town.glb", self.folder / "town.csv"
        self.done("derive", TOWN, "--parcels", PARCELS, "--out", out, "--report", report)
        features = json.loads(PARCELS.read_text(encoding="utf-8"))["features"]
        with open(report, encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual([int(row["id"]) for row in rows], [each["id"] for each in features])
        for feature, row in zip(features, rows):
            is_house = feature["properties"]["kind"] in (0, 3)
            self.assertEqual(float(row["floor area"]) > 0, is_house)
        gltf, binary = read_glb(out)
        self.assertEqual(gltf["extensionsRequired"], ["EXT_mesh_gpu_instancing"])
        buildings, places = set(), []
        for node in gltf["nodes"]:
            attributes = node["extensions"]["EXT_mesh_gpu_instancing"]["attributes"]
            places += numbers(gltf, binary, attributes["TRANSLATION"], 3)
            buildings |= set(numbers(gltf, binary, attributes["_FEATURE_ID_0"], 1))
        self.assertEqual(buildings, {(number,) for number in range(len(features))})
        # The map is about 172 m by 116 m, and its middle is the origin.
        self.assertTrue(all(abs(x) < 90 and abs(z) < 62 for x, _, z in places))
        self.assertGreater(max(x for x, _, _ in places), 80)

    def derived_from(self, properties):
        """The command's end for the small grammar and a map of two features; the second has these
        properties."""
        ring = [[[0, 0], [9, 0], [9, 9], [0, 9]]]
        path = self.folder / "two.geojson"
        path.write_text(json.dumps({"type": "FeatureCollection", "features": [
            {"geometry": {"type": "Polygon", "coordinates": ring}, "properties": each}
            for each in ({"height": 9}, properties)]}), encoding="utf-8")
        shown = self.grammar("derive", self.small, "--parcels", path, "--metres")
        return shown.returncode, shown.stdout, shown.stderr.replace(f"{path}", "two.geojson")

    def test_says_what_became_of_properties(self):
        status, text, notes = self.derived_from({"height": "9", "floors": "4"})
        self.assertEqual((status, notes), (0, ""))
        self.assertRegex(text, "^12 instances of 2 buildings")
        status, text, notes = self.derived_from({"height": 9, "flors": 4, "name": "a"})
        self.assertEqual((status, notes), (0, "warpyard: note: two.geojson: properties that are no "
                                              "attributes of the grammar: flors, name\n"))
        place = "warpyard: two.geojson: features[1].properties.floors: "
        status, _, message = self.derived_from({"height": 9, "floors": "many"})
        self.assertEqual((status, message), (2, place + '"many", expected a number\n'))
        status, _, message = self.derived_from({"height": 9, "floors": 40})
        self.assertEqual((status, message.partition(" (")[0]),
                         (1, place + "40 for 'floors', expected from 1 to 9"))
        self.assertNotIn("values[", message)

    def test_tells_of_dropped_scopes(self):
        thin = self.folder / "thin.wyg"
        thin.write_text("wyg 1;\nstart A;\nrule A = size(0/0, 1, 1) box;\n", encoding="utf-8")
        shown = self.grammar("derive", thin)
        self.assertEqual(shown.returncode, 0)
        self.assertRegex(shown.stdout, "^0 instances of 1 building, ")
        self.assertRegex(shown.stderr, r"^warpyard: note: rule 'A': 1 dropped: .*\n$")

    def test_counts_triangles_of_meshes_from_files(self):
        town, plain = self.folder / "counted.glb", self.folder / "counted_plain.glb"
        shown = self.done("derive", TOWN, "--parcels", PARCELS, "--out", town)
        self.done("derive", TOWN, "--parcels", PARCELS, "--out", plain, "--expand")
        gltf, _ = read_glb(plain)
        indices = sum(gltf["accessors"][primitive["indices"]]["count"]
                      for mesh in gltf["meshes"] for primitive in mesh["primitives"])
        self.assertIn(f", {indices // 3} triangles, ", shown)

    def test_equal_requests_get_equal_files(self):
        files = [self.folder / name for name in ("a.wyi", "b.wyi", "c.wyi")]
        for path, seed in zip(files, (5, 5, 6)):
            self.done("derive", TOWN, "--parcels", PARCELS, "--seed", seed, "--out", path)
        first, again, other = (path.read_bytes() for path in files)
        self.assertEqual(first, again)
        self.assertNotEqual(first, other)

    def test_sees_less_from_a_camera(self):
        view = self.folder / "view.json"
        view.write_text('{"position": [0, 5, 0], "pixels": 900, "planes": [1, 0, 0, 0]}',
                        encoding="utf-8")
        shown = self.done("derive", TOWN, "--parcels", PARCELS, "--view", view)
        self.assertIn("buildings outside the view", shown)
        view.write_text('{"nose": 1}', encoding="utf-8")
        self.assertEqual(self.refused("derive", self.small, "--view", view)[0], 2)

    def test_expands_to_triangles(self):
        plain, obj = self.folder / "plain.glb", self.folder / "small.obj"
        self.done("derive", TOWERS, "--lot-size", "30x60x30", "--out", plain, "--expand")
        gltf, _ = read_glb(plain)
        self.assertNotIn("extensionsRequired", gltf)
        self.assertEqual(len(gltf["nodes"]), 1)
        before = plain.read_bytes()
        status, message = self.refused("derive", TOWERS, "--lot-size", "30x60x30", "--out", plain,
                                       "--expand", "--expand-max-bytes", "5000")
        self.assertEqual(status, 2)
        self.assertIn("the budget of 5000", message)
        self.assertEqual(plain.read_bytes(), before)
        self.done("derive", self.small, "--out", obj)
        faces = [line for line in obj.read_text(encoding="utf-8").splitlines() if line[0] == "f"]
        self.assertEqual(len(faces), 2 * 12 + 2 * 2)

    def test_passes_the_validator(self):
        files = [self.folder / "valid.glb", self.folder / "valid_plain.glb"]
        for path, more in zip(files, ((), ("--expand",))):
            self.done("derive", TOWN, "--parcels", PARCELS, "--out", path, *more)
        try:
            shown = subprocess.run(["node", VALIDATE, *files], capture_output=True, text=True,
                                   check=False)
        except FileNotFoundError:
            self.skipTest("node is not installed")
        if shown.returncode == SKIPPED:
            self.skipTest("the npm package gltf-validator is not installed")
        self.assertEqual((shown.returncode, shown.stderr), (0, ""))

    def test_limits_fail_or_leave_coarse_instances(self):
        large = (TOWERS, "--lot-size", "30x60x30", "--max-instances", "100")
        status, message = self.refused("derive", *large)
        self.assertEqual(status, 1)
        self.assertIn("100", message)
        out = self.folder / "none.glb"
        self.assertEqual(self.refused("derive", *large, "--out", out)[0], 1)
        self.assertFalse(out.exists())
        endless = self.folder / "endless.wyg"
        endless.write_text("wyg 1;\nstart A;\nrule A = scale(0.99, 1, 1) A;\n", encoding="utf-8")
        shown = self.grammar("derive", endless)
        self.assertEqual(shown.returncode, 1)
        self.assertIn("A", shown.stderr)
        shown = self.grammar("derive", endless, "--on-limit", "coarse")
        self.assertEqual(shown.returncode, 0, shown.stderr)
        self.assertIn(", 1 coarse", shown.stdout)

    def test_says_in_one_line_what_is_wrong(self):
        bad_map = self.folder / "bad.geojson"
        bad_map.write_text('{"type": "FeatureCollection", "features": '
                           '[{"geometry": {"type": "Point"}}]}', encoding="utf-8")
        for words, part in ((("derive", self.folder / "gone.wyg"), "gone.wyg: no such file"),
                            (("derive", self.small, "--parcels", bad_map),
                             "bad.geojson: features[0].geometry.type: \"Point\""),
                            (("derive", self.small, "--out", self.folder / "no/where.glb"),
                             "where.glb: cannot write")):
            status, message = self.refused(*words)
            self.assertEqual(status, 2, words)
            self.assertIn(part, message)
            self.assertEqual(message.count("\n"), 1, message)
        shown = run(CLI, "grammar", "derive", self.small, "--server", "127.0.0.1:1")
        self.assertEqual(shown.returncode, 1)
        shown = run(CLI, "grammar", "--help")
        self.assertEqual((shown.returncode, shown.stderr), (0, ""))
        self.assertIn("usage: warpyard grammar check FILE", shown.stdout)

    def test_python_clients_draw_the_city(self):
        city, first, second = (self.folder / name for name in ("draw.wyi", "1.png", "2.png"))
        lots = ("--lots", "2x1", "--lot-size", "30x40x30", "--seed", "3")
        size = ("--width", "64", "--height", "48")
        self.done("derive", TOWERS, *lots, "--out", city)
        shown = run(sys.executable, PYTHON / "draw_city.py", city, first, *size, "--assets",
                    GRAMMARS)
        self.assertEqual((shown.returncode, shown.stderr), (0, ""))
        shown = run(sys.executable, PYTHON / "derive_city.py", TOWERS, second, *lots, *size,
                    "--server", self.server.address)
        self.assertEqual((shown.returncode, shown.stderr), (0, ""))
        self.assertRegex(shown.stdout, r"^\d+ instances of 2 buildings")
        self.assertEqual(first.read_bytes(), second.read_bytes())
        self.assertEqual(first.read_bytes()[:8], b"\x89PNG\r\n\x1a\n")
        for words, part in (((PYTHON / "draw_city.py", TOWN, first), "town.wyg: no .wyi file"),
                            ((PYTHON / "derive_city.py", self.folder / "gone.wyg", first,
                              "--server", self.server.address), "gone.wyg")):
            shown = run(sys.executable, *words)
            self.assertEqual(shown.returncode, 2)
            self.assertIn(part, shown.stderr)
            self.assertNotIn("Traceback", shown.stderr)

    def test_python_client_follows_a_camera(self):
        shown = run(sys.executable, PYTHON / "follow_camera.py", TOWERS, "--lots", "3x2",
                    "--frames", "4", "--server", self.server.address)
        self.assertEqual((shown.returncode, shown.stderr), (0, ""))
        lines = shown.stdout.splitlines()
        self.assertEqual(len(lines), 4)
        self.assertRegex(lines[0], r"^view 0: ([1-6]) buildings, \1 of them derived, \d+ instances")
        self.assertRegex(lines[3], r"^view 3: [1-6] buildings, 0 of them derived")
        shown = run(sys.executable, PYTHON / "follow_camera.py", self.folder / "gone.wyg",
                    "--server", self.server.address)
        self.assertEqual(shown.returncode, 2)
        self.assertIn("gone.wyg", shown.stderr)
        self.assertNotIn("Traceback", shown.stderr)


if __name__ == "__main__":
    processes.main()
