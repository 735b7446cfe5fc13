#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Warpyard Authors
# SPDX-License-Identifier: Apache-2.0

"""Runs what README.md prints, as it prints it, in a folder that looks like a built checkout.

Only addresses differ: wrappers in that folder give servers and clients a port of their own, and the
port in the text of programs is replaced by it. The block that installs packages and builds
everything is not run; its scripts must exist.
"""

import importlib.util
import os
import re
import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import processes
from processes import SOURCE, run

BUILD = Path(os.environ["WARPYARD_BUILD"])
README = (SOURCE / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
ADDRESS = "127.0.0.1:7843"
PEERS_RESULTS = ("collision-h200", "collision-cpu-2-cores")


def blocks(language, part=""):
    return [text for kind, text in BLOCKS if kind == language and part in text]


class Checkout:
    """A folder with the paths that README.md uses, and a server that its first block starts."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.address = f"127.0.0.1:{processes.free_port()}"
        programs = self.folder / "build/release/bin"
        programs.mkdir(parents=True)
        for name in ("python", "proto"):
            (self.folder / "build/release" / name).symlink_to(BUILD / name)
        (self.folder / "client_examples").symlink_to(SOURCE / "client_examples")
        self.wrap(programs / "warpyard-server",
                  f"echo $$ > server.pid\nexec {processes.SERVER} --listen {self.address} "
                  '--metrics off --backend cpu --threads 2 "$@" > server.log 2>&1')
        for path in (processes.CLI, os.environ["WARPYARD_DEMO"]):
            self.wrap(programs / Path(path).name, f'exec {path} "$@" --server {self.address}')

    @staticmethod
    def wrap(path, command):
        path.write_text(f"#!/bin/sh\n{command}\n", encoding="utf-8")
        path.chmod(0o755)

    def write(self, name, text):
        assert ADDRESS in text
        (self.folder / name).write_text(text.replace(ADDRESS, self.address), encoding="utf-8")

    def shell(self, text):
        return subprocess.run(["bash", "-euc", text], cwd=self.folder, capture_output=True,
                              text=True, timeout=2 * processes.PATIENCE_S, check=False)

    def stop(self):
        pid = self.folder / "server.pid"
        if pid.exists():
            os.kill(int(pid.read_text(encoding="ascii")), signal.SIGKILL)


class Snippets(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.checkout = Checkout(folder.name)
        cls.addClassCleanup(cls.checkout.stop)
        # The first block starts this server, and the other blocks talk to it.
        (first,) = blocks("sh", "warpyard-server &")
        cls.five_minutes = cls.checkout.shell(first)

    def shell(self, text):
        shown = self.checkout.shell(text)
        self.assertEqual(shown.returncode, 0, shown.stderr)
        return shown.stdout

    def test_five_minutes(self):
        shown = self.five_minutes
        self.assertEqual(shown.returncode, 0, shown.stderr)
        self.assertRegex(shown.stdout, r"^\d+ vertex-face and \d+ edge-edge pairs, earliest \d")
        picture = (self.checkout.folder / "collisions.png").read_bytes()
        self.assertTrue(picture.startswith(b"\x89PNG\r\n"))
        self.assertLess(len(picture), 300 * 1024)

    def test_city(self):
        (command,) = blocks("sh", "grammar derive")
        self.assertRegex(self.shell(command), r"^\d+ instances of 43 buildings, \d+ triangles")
        self.assertTrue((self.checkout.folder / "town.glb").read_bytes().startswith(b"glTF"))

    def test_python(self):
        if importlib.util.find_spec("grpc") is None:
            self.skipTest(f"{sys.executable} has no grpc; install python3-grpcio")
        (program,), (command,) = blocks("python"), blocks("sh", "first.py")
        self.checkout.write("first.py", program)
        self.assertRegex(self.shell(command), r"^earliest 0\.49999\d+\n$")
        # Nothing collides if nothing moves, so a time of 0 would be wrong.
        self.checkout.write("first.py", re.sub(r"^end = .*", "end = start", program, flags=re.M))
        self.assertEqual(self.shell(command), "nothing collides\n")

    def test_python_takes_large_responses(self):
        if importlib.util.find_spec("grpc") is None:
            self.skipTest(f"{sys.executable} has no grpc; install python3-grpcio")
        (program,) = blocks("python")
        # 400 triangles in one place: 77 MB of pairs with geometry.
        for pattern, replacement in (
                (r"^start = .*", "start = [0, 0, 0, 1, 0, 0, 0.5, 1, 0] * 400"),
                (r"^end = .*", "end = start"), (r"^triangles = .*", "triangles = range(1200)"),
                (r"end=positions\(end\)", r"\g<0>, collision=pb.CollisionOptions(with_geometry=True)"),
                (r"timeout=\d+", "timeout=60")):
            program, count = re.subn(pattern, replacement, program, flags=re.MULTILINE)
            self.assertEqual(count, 1, pattern)
        self.checkout.write("large.py", program)
        self.assertEqual(self.shell("PYTHONPATH=build/release/python /usr/bin/python3 large.py"),
                         "earliest 0.0\n")

    def test_cpp(self):
        if run("sh", "-c", "pkg-config --exists grpc++ protobuf && command -v g++").returncode != 0:
            self.skipTest("no g++, or pkg-config does not know grpc++ and protobuf")
        (program,), (command,) = blocks("cpp"), blocks("sh", "g++")
        self.checkout.write("first.cc", program)
        self.assertRegex(self.shell(command), r"^earliest 0\.(5|49999\d*)\n$")

    def test_the_two_commands_exist(self):
        (commands,) = blocks("sh", "./tools/demo.sh")
        for script in re.findall(r"^\./(\S+)", commands, re.MULTILINE):
            self.assertTrue(os.access(SOURCE / script, os.X_OK), script)

    def test_every_block_is_tested(self):
        self.assertEqual([kind for kind, _ in BLOCKS], ["sh", "sh", "sh", "python", "sh", "cpp", "sh"])


class Text(unittest.TestCase):
    def test_links_lead_somewhere(self):
        for readme in ("README.md", "client_examples/README.md"):
            text = (SOURCE / readme).read_text(encoding="utf-8")
            for target in re.findall(r"\]\(([^)#:]+)[^):]*\)", text):
                self.assertTrue((SOURCE / readme).parent.joinpath(target).exists(), target)

    def test_the_map_names_folders_that_exist(self):
        table = README.split("## Map")[1].split("\n## ")[0]
        names = [name for row in re.findall(r"^\| (`.*?) \|", table, re.MULTILINE)
                 for name in re.findall(r"`([^`]+)`", row)]
        self.assertGreater(len(names), 8)
        for name in names:
            self.assertTrue((SOURCE / name).exists(), name)

    def test_the_numbers_are_those_of_the_results(self):
        shown = run(sys.executable, SOURCE / "benchmarks/tools/compare_peers.py",
                    *(SOURCE / f"benchmarks/results/{name}.json" for name in PEERS_RESULTS))
        self.assertEqual(shown.returncode, 0, shown.stderr)
        rows = re.findall(r"^\| .* \| \[([\d.]+) ms\]\(.*\) \| ([\d.]+) ms: Scalable-CCD", README,
                          re.MULTILINE)
        self.assertEqual(len(rows), 4)
        for ours, theirs in rows:
            self.assertIn(f": {theirs} ms against ours {ours} ms ", shown.stdout)


if __name__ == "__main__":
    processes.main()
