#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Warpyard Authors
# SPDX-License-Identifier: Apache-2.0

"""The Debian packages: what is in them works where it was unpacked.

usage: deb_test.py BUILD
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

BUILD = Path(sys.argv.pop(1))
SOURCE = Path(__file__).resolve().parents[2]
SKIPPED = 77
# The triangle of a scene that falls through the other one.
START = "v 0 0 0\nv 4 0 0\nv 0 4 0\nv 1 1 1\nv 1.5 1 2\nv 1 1.5 2\nf 1 2 3\nf 4 5 6\n"
END = "v 0 0 0\nv 4 0 0\nv 0 4 0\nv 1 1 -1\nv 1.5 1 1\nv 1 1.5 1\nf 1 2 3\nf 4 5 6\n"


def run(*command, **options):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True,
                          timeout=120, check=False, **options)


class DebTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder, cls.root = Path(folder.name), Path(folder.name, "root")
        made = run("cpack", "-G", "DEB", "-B", cls.folder, cwd=BUILD)
        assert made.returncode == 0, made.stdout + made.stderr
        cls.debs = {path.name.split("_")[0]: path for path in cls.folder.glob("*.deb")}
        for deb in cls.debs.values():
            unpacked = run("dpkg-deb", "-x", deb, cls.root)
            assert unpacked.returncode == 0, unpacked.stderr

    def field(self, package, name):
        return run("dpkg-deb", "-f", self.debs[package], name).stdout.strip()

    def test_there_are_three(self):
        self.assertEqual(sorted(self.debs),
                         ["libwarpyard-dev", "warpyard-client", "warpyard-server"])
        self.assertIn("libgrpc++-dev", self.field("libwarpyard-dev", "Depends"))
        for package in ("warpyard-client", "warpyard-server"):
            self.assertIn("libgrpc++1.51", self.field(package, "Depends"))
        for package in self.debs:
            # Nothing runs at the installation: neither scripts nor the service.
            inside = run("dpkg-deb", "--ctrl-tarfile", self.debs[package]).stdout
            self.assertFalse({"preinst", "postinst"} & set(inside.split("\0")))

    def test_server_and_client_work_together(self):
        server = subprocess.Popen(
            [self.root / "usr/bin/warpyard-server", "--listen", "127.0.0.1:0", "--metrics", "off",
             "--backend", "cpu", "--threads", "1"], stdout=subprocess.PIPE, text=True)
        try:
            address = re.search(r"listening on (\S+),", server.stdout.readline())[1]
            start, end = self.folder / "start.obj", self.folder / "end.obj"
            start.write_text(START, encoding="ascii")
            end.write_text(END, encoding="ascii")
            shown = run(self.root / "usr/bin/warpyard", "collide", start, end, "--server", address)
            self.assertEqual(shown.returncode, 0, shown.stderr)
            self.assertIn("earliest", shown.stdout)
            # The Python client finds its stubs and the service config where they were installed.
            cell = run("/usr/bin/python3", self.root / "usr/share/warpyard/python/robot_cell.py",
                       "--server", address,
                       env={**os.environ,
                            "PYTHONPATH": str(self.root / "usr/lib/python3/dist-packages")})
            self.assertEqual(cell.returncode, 0, cell.stderr)
            self.assertIn("meet", cell.stdout)
            self.assertTrue((self.root / "usr/share/warpyard/support/service_config.json").is_file())
        finally:
            server.terminate()
            self.assertEqual(server.wait(60), 0)
            server.stdout.close()

    def test_what_an_operator_does_first(self):
        """TLS, a token, the server, jobs from C++ and Python, and Prometheus; see docs/packages.md."""
        for program in ("prometheus", "openssl", "curl"):
            if shutil.which(program) is None:
                self.skipTest(f"{program} is not installed")
        shown = run(SOURCE / "tools/try_packages.sh", "--unpacked", self.root)
        self.assertEqual(shown.returncode, 0, shown.stdout + shown.stderr)
        self.assertIn("start Prometheus, and see the jobs in it", shown.stdout)

    def test_manual_pages_have_all_flags(self):
        for page, command in (("man8/warpyard-server.8", ["warpyard-server"]),
                              ("man1/warpyard.1", ["warpyard", "collide"])):
            path = self.root / "usr/share/man" / page
            text = path.read_text(encoding="utf-8").replace("\\-", "-")
            shown = run(self.root / "usr/bin" / command[0], *command[1:], "--help").stdout
            flags = set(re.findall(r"--[a-z-]+", shown))
            self.assertGreater(len(flags), 10)
            self.assertEqual(flags - set(re.findall(r"--[a-z-]+", text)), set())
            if shutil.which("man"):
                lint = run("man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z", path,
                           env={**os.environ, "MANWIDTH": "200"})
                self.assertEqual((lint.returncode, lint.stderr), (0, ""))

    def test_the_unit_is_valid(self):
        unit = self.root / "usr/lib/systemd/system/warpyard-server.service"
        text = unit.read_text(encoding="utf-8")
        drain = 25
        self.assertGreater(int(re.search(r"^TimeoutStopSec=(\d+)$", text, re.MULTILINE)[1]), drain)
        if shutil.which("systemd-analyze") is None:
            return
        # The program is looked for at its path.
        copy = self.folder / unit.name
        copy.write_text(text.replace("/usr/bin/", f"{self.root}/usr/bin/"), encoding="utf-8")
        shown = run("systemd-analyze", "verify", "--man=no", copy)
        mine = [line for line in shown.stderr.splitlines() if unit.name in line]
        self.assertEqual((shown.returncode, mine), (0, []), shown.stderr)


if __name__ == "__main__":
    if not shutil.which("dpkg-shlibdeps"):
        print("dpkg-dev is not installed")
        sys.exit(SKIPPED)
    unittest.main(verbosity=2)
