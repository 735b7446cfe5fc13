#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Warpyard Authors
# SPDX-License-Identifier: Apache-2.0

"""find_package(warpyard): a project outside builds and works with what cmake --install makes.

usage: find_package_test.py BUILD
"""

import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

BUILD = Path(sys.argv.pop(1))
CONSUMER = Path(__file__).resolve().parent / "consumer"


def run(*command):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True,
                          timeout=280, check=False)


class FindPackageTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        # Moved after it was installed: no path of the build or of the installation may be in it.
        installed = run("cmake", "--install", BUILD, "--prefix", cls.folder / "first", "--component",
                        "dev")
        assert installed.returncode == 0, installed.stderr
        cls.prefix = (cls.folder / "first").rename(cls.folder / "second")

    def configure(self, source, build):
        return run("cmake", "-S", source, "-B", build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Debug",
                   f"-DCMAKE_PREFIX_PATH={self.prefix}")

    def test_a_project_outside_uses_core_and_client(self):
        build = self.folder / "build"
        configured = self.configure(CONSUMER, build)
        self.assertEqual(configured.returncode, 0, configured.stderr)
        built = run("cmake", "--build", build)
        self.assertEqual(built.returncode, 0, built.stdout)
        shown = run(build / "engine")
        self.assertEqual((shown.returncode, shown.stdout), (0, "earliest 0.5\n"), shown.stderr)
        with subprocess.Popen(
                [os.environ["WARPYARD_SERVER"], "--listen", "127.0.0.1:0", "--metrics", "off",
                 "--backend", "cpu", "--threads", "1"], stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL, text=True) as server:
            try:
                address = re.search(r"listening on (\S+),", server.stdout.readline())[1]
                shown = run(build / "caller", address)
                self.assertEqual((shown.returncode, shown.stdout), (0, "earliest 0.5\n"),
                                 shown.stderr)
            finally:
                server.terminate()

    def test_an_unknown_component_is_told(self):
        source = self.folder / "other"
        source.mkdir()
        (source / "CMakeLists.txt").write_text(
            "cmake_minimum_required(VERSION 3.25)\nproject(other LANGUAGES CXX)\n"
            "find_package(warpyard REQUIRED COMPONENTS serve)\n", encoding="ascii")
        configured = self.configure(source, self.folder / "other_build")
        self.assertNotEqual(configured.returncode, 0)
        self.assertIn("warpyard has the components core and client, and no serve",
                      " ".join(configured.stderr.split()))

    def test_no_path_of_the_build_is_in_it(self):
        for path in self.prefix.rglob("*.cmake"):
            text = path.read_text(encoding="utf-8")
            self.assertNotIn(str(BUILD), text, path)
            self.assertNotIn(str(CONSUMER.parents[2]), text, path)


if __name__ == "__main__":
    unittest.main(verbosity=2)
