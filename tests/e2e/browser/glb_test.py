#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Warpyard Authors
# SPDX-License-Identifier: Apache-2.0

"""GLB files of the command line open in a browser and look as they should.

Chromium with Debian's three.js draws each file; the test reads the file by itself and draws its
silhouette. Skipped where one of both is not installed: they are large.
"""

import http.server
import json
import math
import shutil
import subprocess
import sys
import tempfile
import threading
import unittest
import urllib.parse
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import processes  # noqa: E402
from browser.glb import Glb, silhouette  # noqa: E402
from processes import CLI, SKIPPED, SOURCE, Server, run  # noqa: E402

CHROMIUM = shutil.which("chromium")
THREE = Path("/usr/share/javascript/three")
FLAGS = ["--headless", "--no-sandbox", "--disable-quic", "--no-first-run",
         "--disable-background-networking", "--disable-component-update", "--disable-sync",
         "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]
PIXELS = 256
DIRECTION = (0.48, 0.6, 0.64)  # from the model to the eye; of length 1
SAME = 0.97  # of the pixels that one of both pictures has
PATIENCE_S = 60


class Pages(http.server.BaseHTTPRequestHandler):
    """Serves the page, three.js and one model; takes the result."""

    def do_GET(self):
        path = urllib.parse.urlparse(self.path).path
        files = {"/": Path(__file__).with_name("viewer.html"),
                 "/three.min.js": THREE / "three.min.js",
                 "/GLTFLoader.js": THREE / "examples/js/loaders/GLTFLoader.js",
                 "/model.glb": self.server.model}
        if path not in files:
            return self.send_error(404)
        body = files[path].read_bytes()
        self.send_response(200)
        kinds = {".html": "text/html", ".js": "text/javascript"}
        self.send_header("Content-Type", kinds.get(files[path].suffix, "model/gltf-binary"))
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self):
        self.server.result = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.send_response(204)
        self.end_headers()
        self.server.has_result.set()

    def log_message(self, *_):
        pass


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


class View:
    """A camera without perspective that sees all of some triangles."""

    def __init__(self, triangles):
        points = [point for triangle in triangles for point in triangle]
        low, high = (tuple(limit(axis) for axis in zip(*points)) for limit in (min, max))
        self.centre = tuple((a + b) / 2 for a, b in zip(low, high))
        self.half = math.dist(low, high) / 2
        side = cross((0, 1, 0), DIRECTION)
        self.right = tuple(value / math.hypot(*side) for value in side)
        self.up = cross(DIRECTION, self.right)

    def to_pixels(self, point):
        offset = tuple(a - b for a, b in zip(point, self.centre))
        return tuple((dot(offset, axis) / self.half + 1) * PIXELS / 2
                     for axis in (self.right, self.up))

    def query(self):
        eye = [c + 4 * self.half * d for c, d in zip(self.centre, DIRECTION)]
        return urllib.parse.quote(json.dumps({
            "pixels": PIXELS, "eye": eye, "up": [0, 1, 0], "centre": self.centre,
            "half": self.half}))


class BrowserTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.pages = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Pages)
        self.pages.has_result = threading.Event()
        threading.Thread(target=self.pages.serve_forever, daemon=True).start()
        self.addCleanup(self.pages.server_close)
        self.addCleanup(self.pages.shutdown)

    def write(self, *command):
        """Runs the command line against a server of its own."""
        with Server() as server:
            shown = run(CLI, *command, "--server", server.address)
        self.assertEqual(shown.returncode, 0, shown.stderr)

    def look(self, path, view):
        """What the browser saw of a file."""
        self.pages.model = path
        self.pages.has_result.clear()
        url = f"http://127.0.0.1:{self.pages.server_port}/?{view.query()}"
        browser = subprocess.Popen(
            [CHROMIUM, *FLAGS, f"--user-data-dir={self.folder / 'profile'}",
             "--remote-debugging-port=0", url],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            self.assertTrue(self.pages.has_result.wait(PATIENCE_S), "the page tells no result")
        finally:
            browser.terminate()
            browser.wait(timeout=PATIENCE_S)
        return self.pages.result

    def assert_looks_right(self, path):
        triangles = Glb(path).triangles()
        view = View(triangles)
        seen = self.look(path, view)
        self.assertEqual(seen["problems"], [])
        self.assertEqual(seen["triangles"], len(triangles))
        expected = silhouette(triangles, view.to_pixels, PIXELS)
        drawn = [pixel == "1" for pixel in seen["mask"]]
        both = sum(a and b for a, b in zip(drawn, expected))
        either = sum(a or b for a, b in zip(drawn, expected))
        self.assertGreater(sum(expected), PIXELS * PIXELS / 50)
        self.assertGreaterEqual(both / either, SAME)
        return triangles

    def derive(self, *flags):
        path = self.folder / "town.glb"
        self.write("grammar", "derive", SOURCE / "client_examples/grammars/tower.wyg", "--lots",
                   "2x1", "--lot-size", "30x60x30", "--out", path, *flags)
        return self.assert_looks_right(path)

    def test_a_city_of_instances(self):
        self.derive()

    def test_a_city_of_triangles(self):
        self.derive("--expand")

    def test_a_simplified_mesh(self):
        mesh, path = self.folder / "in.obj", self.folder / "out.glb"
        lines = [f"v {x} {math.sin(x / 3) * 2} {y}" for y in range(20) for x in range(30)]
        lines += [f"f {y * 30 + x + 1} {y * 30 + x + 2} {y * 30 + x + 32} {y * 30 + x + 31}"
                  for y in range(19) for x in range(29)]
        mesh.write_text("\n".join(lines) + "\n", encoding="ascii")
        self.write("simplify", mesh, path, "--ratio", "0.4")
        self.assertLess(len(self.assert_looks_right(path)), 2 * 19 * 29 / 2)


if __name__ == "__main__":
    if CHROMIUM is None or not THREE.is_dir():
        print("chromium or libjs-three is not installed")
        sys.exit(SKIPPED)
    processes.main()
