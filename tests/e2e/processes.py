# SPDX-FileCopyrightText: 2026 The Warpyard Authors
# SPDX-License-Identifier: Apache-2.0

"""Servers and clients as processes of their own, for tests of the executables.

The environment names the executables: WARPYARD_SERVER and WARPYARD_CLI.
"""

import os
import random
import re
import signal
import socket
import subprocess
import time
import unittest
import urllib.request
from pathlib import Path

SERVER = os.environ["WARPYARD_SERVER"]
CLI = os.environ["WARPYARD_CLI"]
SOURCE = Path(__file__).resolve().parents[2]
PATIENCE_S = 120
SKIPPED = 77  # ctest counts this exit status as skipped
READY = re.compile(r"warpyard-server: listening on (127\.0\.0\.1:\d+)(?: with TLS)?, "
                   r"metrics (?:off|on (http://127\.0\.0\.1:\d+/metrics)), backend (.+)\n")

FALLING_START = """v 0 0 0\nv 4 0 0\nv 0 4 0\nv 1 1 1\nv 1.5 1 2\nv 1 1.5 2\nf 1 2 3\nf 4 5 6\n"""
FALLING_END = """v 0 0 0\nv 4 0 0\nv 0 4 0\nv 1 1 -1\nv 1.5 1 1\nv 1 1.5 1\nf 1 2 3\nf 4 5 6\n"""


class Server:
    """A server on free ports; ends with the with statement."""

    def __init__(self, *flags):
        self.process = subprocess.Popen(
            [SERVER, "--listen", "127.0.0.1:0", "--metrics", "127.0.0.1:0", "--backend", "cpu",
             "--threads", "2", *flags], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        line = self.process.stdout.readline()
        ready = READY.fullmatch(line)
        assert ready, f"not the line of a server that is ready: {line!r}"
        self.address, self.metrics_url, self.backend = ready.groups()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()

    def stop(self, number=signal.SIGTERM):
        """Sends a signal and returns the exit status."""
        self.process.send_signal(number)
        return self.process.wait(timeout=PATIENCE_S)

    def metrics(self):
        with urllib.request.urlopen(self.metrics_url, timeout=PATIENCE_S) as response:
            return response.read().decode()

    def wait_for_metric(self, line):
        give_up = time.monotonic() + PATIENCE_S
        while line not in self.metrics():
            assert time.monotonic() < give_up, f"{line} did not come"
            time.sleep(0.05)


def run(*command, **environment):
    """Runs a command to its end: exit status, standard output and standard error."""
    return subprocess.run([str(word) for word in command], capture_output=True, text=True,
                          timeout=PATIENCE_S, check=False, env={**os.environ, **environment})


def collide(server, *arguments):
    return run(CLI, "collide", *arguments, "--server", server.address)


def free_port():
    """A port of loopback that is free now, for a server that must be named before it starts."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


def start_collide(address, *arguments):
    return subprocess.Popen([CLI, "collide", *map(str, arguments), "--server", address],
                            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)


def write_meshes(folder):
    """Writes the two frames of a triangle that falls through another and returns their paths."""
    start, end = Path(folder, "start.obj"), Path(folder, "end.obj")
    start.write_text(FALLING_START, encoding="ascii")
    end.write_text(FALLING_END, encoding="ascii")
    return start, end


def write_slow_meshes(folder, triangles=1500):
    """Writes two frames in which nearly all pairs of many large triangles must be examined."""
    rng = random.Random(4)
    paths = Path(folder, "slow_start.obj"), Path(folder, "slow_end.obj")
    faces = "".join(f"f {3 * i + 1} {3 * i + 2} {3 * i + 3}\n" for i in range(triangles))
    for path in paths:
        points = "".join(f"v {rng.random()} {rng.random()} {rng.random()}\n"
                         for _ in range(3 * triangles))
        path.write_text(points + faces, encoding="ascii")
    return paths


def main():
    unittest.main(verbosity=2)
