#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Warpyard Authors
# SPDX-License-Identifier: Apache-2.0

"""Runs the commands of docs/operations.md, and compares its flags with those of the server.

A command of the page that this test does not know makes it fail. Where a command names the default
ports, the server gets free ones, so that tests can run beside each other.
"""

import re
import shlex
import signal
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import processes  # noqa: E402
from processes import CLI, SERVER, SOURCE, run  # noqa: E402

PAGE = (SOURCE / "docs/operations.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PROGRAMS = ("warpyard-server", "warpyard", "docker", "gdb", "ctest", "curl")
FREE_PORTS = ("--listen", "127.0.0.1:0", "--metrics", "127.0.0.1:0")
# Scripts that build, package or test everything; they have tests of their own, or are the tests.
SCRIPTS = {"tools/package.sh", "tools/setup.sh", "tools/test.sh", "tools/demo.sh", ".ci/run"}
# Of tools that need not be here; the page's section says what was tried.
OF_OTHERS = {"gdb -p PID -ex 'thread apply all bt'", "ctest --preset cpu-tsan"}


def commands():
    """The commands of blocks and those in the text."""
    lines = [line.split("  #")[0].strip() for block in BLOCK.findall(PAGE)
             for line in block.splitlines()]
    text = BLOCK.sub("", PAGE)
    inline = re.findall(r"(?<!\[)`([^`\n]+)`", text)
    return [*filter(None, lines),
            *(code for code in inline
              if code.split()[0] in PROGRAMS and len(code.split()) > 1
              or code.startswith(("tools/", ".ci/")) and not code.endswith(".txt"))]


class OperationsTest(unittest.TestCase):
    def test_every_command_of_the_page(self):
        found = commands()
        self.assertIn("warpyard-server --backend cpu --threads 4", found)
        self.assertIn("warpyard health [--service NAME]", found)
        for command in found:
            with self.subTest(command=command):
                self.try_command(command)

    def try_command(self, command):
        words = shlex.split(command)
        if words[0] in SCRIPTS:
            self.assertTrue((SOURCE / words[0]).stat().st_mode & 0o111)
        elif words[0] == "warpyard":
            self.try_client(words[1:])
        elif words[0] == "docker":
            # The arguments after the image are the server's.
            image = next(i for i, word in enumerate(words) if word.startswith("warpyard:"))
            self.try_server([*words[image + 1:], "--check"])
        elif words[0] == "warpyard-server":
            self.try_server(words[1:])
        else:
            self.assertIn(command, OF_OTHERS)

    def try_server(self, flags):
        ends = {"--check", "--help"} & set(flags)
        # The last one of two equal flags counts.
        command = [SERVER, "--backend", "cpu", *flags, *FREE_PORTS]
        if ends:
            shown = run(*command)
            self.assertEqual((shown.returncode, shown.stderr), (0, ""))
            return
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                              text=True) as server:
            try:
                self.assertRegex(server.stdout.readline(), processes.READY)
                server.send_signal(signal.SIGTERM)
                self.assertEqual(server.wait(processes.PATIENCE_S), 0)
            finally:
                server.kill()

    def try_client(self, words):
        optional = [word.strip("[]") for word in words if word[0] == "[" or word[-1] == "]"]
        always = [word for word in words if word.strip("[]") == word]
        with processes.Server() as server:
            for more in ([], [word.replace("NAME", "warpyard.v1.CollisionService")
                              for word in optional]):
                shown = run(CLI, *always, *more, "--server", server.address)
                self.assertEqual((shown.returncode, shown.stderr), (0, ""), more)

    def test_the_table_has_the_flags_of_the_server(self):
        section = PAGE.split("\n## Flags and limits\n")[1].split("\n### ")[0]
        listed = {flag for row in section.splitlines() if row.startswith("| `--")
                  for flag in re.findall(r"`(--[a-z-]+)", row.split(" | ")[0])}
        older = set(re.findall(r"older name: `(--[a-z-]+)`", section))
        shown = set(re.findall(r"^ +(--[a-z-]+)", run(SERVER, "--help").stdout, re.MULTILINE))
        self.assertEqual(listed | older, shown - {"--help", "--version", "--check"})


if __name__ == "__main__":
    processes.main()
